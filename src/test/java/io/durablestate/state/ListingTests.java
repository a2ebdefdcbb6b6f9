package io.durablestate.state;

import static io.durablestate.state.ServiceUnderTest.EVERYTHING;
import static io.durablestate.state.ServiceUnderTest.completed;
import static io.durablestate.state.ServiceUnderTest.document;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ListingTests {

    private final ServiceUnderTest tested = new ServiceUnderTest();
    private final DurableStateService service = tested.service;

    private StateKey put(String key, long sequence, String action) throws InterruptedException {
        StateKey stateKey = StateKey.of(key, sequence, action);
        service.put(stateKey, document(stateKey.toString()));
        return stateKey;
    }

    @Test
    void isInTheOrderOfTheKeys() throws InterruptedException {
        StateKey third = put("b", 10, "x");
        StateKey second = put("b", 2, "x");
        StateKey first = put("a", 99, "x");
        StateKey fourth = StateKey.of("b", 10, "x", "e");
        service.put(fourth, document("event"));

        assertThat(tested.listed(EVERYTHING)).containsExactly(first, second, third, fourth);
    }

    @Test
    void showsTheReceiptAndWhetherTheBodyIsInMemory() throws InterruptedException {
        PutResult put = service.put(StateKey.of("a", 1, "x"), document("abc"));
        assertThat(service.list(EVERYTHING, null, 10).items()).containsExactly(new StatePage.Item(put.receipt(), true));

        tested.foldedLog.cache().clear();
        assertThat(service.list(EVERYTHING, null, 10).items())
                .containsExactly(new StatePage.Item(put.receipt(), false));
        assertThat(tested.log.bodyReads()).isZero();
    }

    @Test
    void canBeOfOneKey() throws InterruptedException {
        put("order-4", 1, "x");
        StateKey wanted = put("order-42", 1, "x");
        put("order-420", 1, "x");
        assertThat(tested.listed(StateFilter.ofKey("order-42"))).containsExactly(wanted);
        assertThat(tested.listed(StateFilter.ofKey("order-43"))).isEmpty();
    }

    @Test
    void canBeOfKeysThatStartAlike() throws InterruptedException {
        put("order", 1, "x");
        StateKey exact = put("order-4", 1, "x");
        StateKey longer = put("order-42", 1, "x");
        put("order-5", 1, "x");
        assertThat(tested.listed(prefix("order-4"))).containsExactly(exact, longer);
        assertThat(tested.listed(prefix(""))).hasSize(4);
        assertThat(tested.listed(prefix("z"))).isEmpty();
    }

    @Test
    void takesAPrefixThatCouldNotBeAKey() throws InterruptedException {
        StateKey hidden = put(".hidden", 1, "x");
        StateKey parent = put("..parent", 1, "x");
        put("visible", 1, "x");
        assertThat(tested.listed(prefix("."))).containsExactly(parent, hidden);
        assertThat(tested.listed(prefix(".."))).containsExactly(parent);
        assertThat(tested.listed(prefix("\u0001"))).isEmpty();
    }

    @Test
    void ofAKeyAndAPrefixMeansBoth() throws InterruptedException {
        StateKey wanted = put("order-42", 1, "x");
        put("order-43", 1, "x");
        assertThat(tested.listed(new StateFilter("order-42", "order", null, null, null, null, null, null)))
                .containsExactly(wanted);
        assertThat(tested.listed(new StateFilter("order-42", "zzz", null, null, null, null, null, null)))
                .isEmpty();
        assertThat(tested.listed(new StateFilter("order-42", "a", null, null, null, null, null, null)))
                .isEmpty();
    }

    @Test
    void canBeOfSequencesAndActions() throws InterruptedException {
        put("a", 1, "x");
        StateKey second = put("a", 2, "x");
        put("a", 2, "y");
        StateKey third = put("a", 3, "x");
        put("a", 4, "x");
        assertThat(tested.listed(new StateFilter(null, null, 2L, 3L, "x", null, null, null)))
                .containsExactly(second, third);
    }

    @Test
    void canBeOfWhatIsDoneAndWhatIsInMemory() throws InterruptedException {
        StateKey done = StateKey.of("a", 1, "x");
        service.put(done, completed("done"));
        StateKey open = put("a", 2, "x");
        assertThat(tested.listed(new StateFilter(null, null, null, null, null, true, null, null)))
                .containsExactly(done);
        assertThat(tested.listed(new StateFilter(null, null, null, null, null, false, null, null)))
                .containsExactly(open);

        tested.foldedLog.cache().remove(open);
        assertThat(tested.listed(new StateFilter(null, null, null, null, null, null, null, true)))
                .containsExactly(done);
        assertThat(tested.listed(new StateFilter(null, null, null, null, null, null, null, false)))
                .containsExactly(open);
    }

    @Test
    void canBeOfAnAttempt() throws InterruptedException {
        put("a", 1, "x");
        assertThat(tested.listed(new StateFilter(null, null, null, null, null, null, 17L, null)))
                .isEmpty();
    }

    @Test
    void namesTheNextPageOnlyWhenThereIsOne() throws InterruptedException {
        StateKey first = put("a", 1, "x");
        StateKey second = put("a", 2, "x");
        put("b", 3, "other");

        StatePage page = service.list(StateFilter.ofKey("a"), null, 1);
        assertThat(page.items()).extracting(item -> item.receipt().key()).containsExactly(first);
        assertThat(page.next()).isEqualTo(first);

        StatePage last = service.list(StateFilter.ofKey("a"), page.next(), 1);
        assertThat(last.items()).extracting(item -> item.receipt().key()).containsExactly(second);
        assertThat(last.next()).isNull();
        assertThat(service.list(StateFilter.ofKey("a"), null, 2).next()).isNull();
    }

    @Test
    void startsWhereItsFilterDoesWhenTheCursorIsFromElsewhere() throws InterruptedException {
        put("a", 1, "x");
        StateKey wanted = put("b", 1, "x");
        put("c", 1, "x");
        assertThat(service.list(StateFilter.ofKey("b"), StateKey.of("a", 0, "x"), 10)
                        .items())
                .extracting(item -> item.receipt().key())
                .containsExactly(wanted);
        assertThat(service.list(StateFilter.ofKey("b"), StateKey.of("c", 0, "x"), 10)
                        .items())
                .isEmpty();
    }

    @Test
    void showsWhatIsThereAllTheTimeExactlyOnceWhileOthersComeAndGo() {
        Seeded.run(random -> {
            List<StateKey> steady = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                StateKey key = Seeded.stateKey(random);
                service.put(key, document("steady"));
                steady.add(key);
            }
            Set<StateKey> mayChange = new HashSet<>();
            List<StateKey> shown = new ArrayList<>();
            StateKey cursor = null;
            do {
                StatePage page = service.list(EVERYTHING, cursor, 1 + random.nextInt(7));
                page.items().forEach(item -> shown.add(item.receipt().key()));
                cursor = page.next();
                comeAndGo(random, steady, mayChange);
            } while (cursor != null);

            assertThat(shown).isSorted().doesNotHaveDuplicates();
            assertThat(shown.stream().filter(steady::contains)).isEqualTo(sortedWithoutRepeats(steady));
        });
    }

    private void comeAndGo(Random random, List<StateKey> steady, Set<StateKey> mayChange) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            StateKey key = Seeded.stateKey(random);
            if (!steady.contains(key)) {
                service.put(key, document("passing"));
                mayChange.add(key);
            }
        }
        for (StateKey key : List.copyOf(mayChange)) {
            if (random.nextInt(3) == 0) {
                service.delete(key);
                mayChange.remove(key);
            } else if (random.nextInt(3) == 0) {
                service.put(key, document("changed"));
            }
        }
    }

    private static List<StateKey> sortedWithoutRepeats(List<StateKey> keys) {
        NavigableSet<StateKey> sorted = new TreeSet<>(keys);
        return List.copyOf(sorted);
    }

    private static StateFilter prefix(String prefix) {
        return new StateFilter(null, prefix, null, null, null, null, null, null);
    }
}
