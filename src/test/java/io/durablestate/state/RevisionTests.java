package io.durablestate.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RevisionTests {

    @Test
    void isWrittenAsPartitionAndOffset() {
        assertThat(new Revision(3, 1042)).hasToString("3-1042");
        assertThat(new Revision(0, 0)).hasToString("0-0");
    }

    @Test
    void isReadAsItIsWritten() {
        Seeded.run(random -> {
            for (int i = 0; i < 1_000; i++) {
                long offset = (random.nextLong() & Long.MAX_VALUE) >>> random.nextInt(63);
                Revision revision = new Revision(random.nextInt(10_000), offset % 1_000_000_000_000_000_000L);
                assertThat(Revision.parse(revision.toString())).contains(revision);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "3",
                "3-",
                "-3",
                "3-1042-1",
                "03-1",
                "3-01",
                "00-0",
                " 3-1",
                "3-1 ",
                "3-1\n",
                "+3-1",
                "3-+1",
                "-3-1",
                "3--1",
                "3-1a",
                "3_1",
                "\"3-1\"",
                "none",
                "٣-١",
                "9999999999-1",
                "1-9999999999999999999"
            })
    void isNotReadFromAnythingElse(String text) {
        assertThat(Revision.parse(text)).isEmpty();
    }

    @Test
    void hasNoNegativePlace() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Revision(-1, 0))
                .withMessageContaining("-1-0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Revision(0, -1))
                .withMessageContaining("0--1");
    }

    @Test
    void everyRevisionIsReadAsItIsWritten() {
        Revision largest = new Revision(999_999_999, Long.MAX_VALUE);
        assertThat(Revision.parse(largest.toString())).contains(largest);
        assertThat(Revision.parse("0-9223372036854775808")).isEmpty();
    }
}
