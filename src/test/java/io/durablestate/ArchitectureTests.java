package io.durablestate;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

class ArchitectureTests {

    private static final JavaClasses SERVICE = importService();

    /** Without the classes of libraries, of which the names are enough. */
    private static JavaClasses importService() {
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        return new ClassFileImporter()
                .importUrl(DurableStateApplication.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation());
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.durablestate.(*)..").should().beFreeOfCycles().check(SERVICE);
    }

    @Test
    void nothingDependsOnWhatStandsAtTheEdge() {
        String[] edge = {"io.durablestate.web..", "io.durablestate.broker..", "io.durablestate.console.."};
        noClasses()
                .that()
                .resideOutsideOfPackages(edge)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(edge)
                .check(SERVICE);
    }

    @Test
    void statesKnowNeitherSpringMvcNorKafkasConsumer() {
        noClasses()
                .that()
                .resideInAPackage("io.durablestate.state..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.web..", "org.apache.kafka.clients.consumer..")
                .check(SERVICE);
    }

    @Test
    void dependenciesComeThroughConstructors() {
        noFields()
                .should()
                .beAnnotatedWith("org.springframework.beans.factory.annotation.Autowired")
                .orShould()
                .beAnnotatedWith("org.springframework.beans.factory.annotation.Value")
                .orShould()
                .beAnnotatedWith("jakarta.annotation.Resource")
                .check(SERVICE);
    }

    @Test
    void thereIsNoLombok() {
        noClasses().should().dependOnClassesThat().resideInAPackage("lombok..").check(SERVICE);
    }

    @Test
    void controllersArePackagePrivate() {
        classes()
                .that()
                .haveSimpleNameEndingWith("Controller")
                .should()
                .bePackagePrivate()
                .check(SERVICE);
    }
}
