package io.durablestate.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.durablestate.event.RecentEvents.Told;
import io.durablestate.state.Deadline;
import io.durablestate.state.Revision;
import io.durablestate.state.StateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RecentEventsTests {

    private static final long LOG = 42;
    private static final Duration AT_ONCE = Duration.ZERO;

    private final RecentEvents recent = new RecentEvents(100);

    @BeforeEach
    void aLogOfTwoPartitions() {
        recent.startOver(LOG, 2);
    }

    private void tell(int partition, long offset, String key) {
        StateKey state = StateKey.of(key, 1, "a");
        recent.tell(new Told(
                new StateEvent.Deleted(state, new Revision(partition, offset), Instant.EPOCH), partition, offset));
    }

    private void tellAside(String key) {
        recent.tell(new Told(new StateEvent.Overdue(new Deadline(key, Instant.EPOCH)), RecentEvents.NOT_IN_LOG, -1));
    }

    private Subscription listen(String after) {
        EventPosition position =
                after == null ? null : EventPosition.parse(after).orElseThrow();
        return new Subscription(recent, recent.placeAfter(position), key -> true, () -> {});
    }

    /** Everything that there is to hear now. */
    private static List<Subscription.Heard> all(Subscription subscription) throws InterruptedException {
        List<Subscription.Heard> all = new ArrayList<>();
        for (List<Subscription.Heard> next = subscription.next(AT_ONCE);
                next != null && !next.isEmpty();
                next = subscription.next(AT_ONCE)) {
            all.addAll(next);
        }
        return all;
    }

    private static List<String> keys(List<Subscription.Heard> heard) {
        return heard.stream().map(one -> one.event().key()).toList();
    }

    @Test
    void whoBeginsHearsWhatComes() throws InterruptedException {
        tell(0, 0, "before");
        Subscription subscription = listen(null);
        assertThat(subscription.next(AT_ONCE)).isEmpty();
        tell(1, 0, "a");
        tell(0, 1, "b");
        assertThat(keys(all(subscription))).containsExactly("a", "b");
    }

    @Test
    void whoComesBackGoesOnAfterEachEventItHeard() throws InterruptedException {
        Subscription first = listen(null);
        List<String> told = new ArrayList<>();
        Random random = new Random(7);
        long[] next = new long[2];
        for (int i = 0; i < 100; i++) {
            int partition = random.nextInt(2);
            tell(partition, next[partition]++, "key-" + i);
            told.add("key-" + i);
        }
        List<Subscription.Heard> heard = all(first);
        assertThat(keys(heard)).isEqualTo(told);
        for (int i = 0; i < heard.size(); i++) {
            assertThat(keys(all(listen(heard.get(i).id())))).isEqualTo(told.subList(i + 1, told.size()));
        }
    }

    @Test
    void whoComesBackToAnotherInstanceGoesOnThoughItToldTheEventsInAnotherOrder() throws InterruptedException {
        Subscription first = listen(null);
        tell(0, 0, "a");
        tell(1, 0, "b");
        tell(0, 1, "c");
        tell(1, 1, "d");
        List<Subscription.Heard> heard = all(first);

        RecentEvents other = new RecentEvents(100);
        other.startOver(LOG, 2);
        for (long offset = 0; offset < 2; offset++) {
            other.tell(new Told(heard.get((int) (2 * offset + 1)).event(), 1, offset));
        }
        for (long offset = 0; offset < 2; offset++) {
            other.tell(new Told(heard.get((int) (2 * offset)).event(), 0, offset));
        }
        EventPosition afterSecond = EventPosition.parse(heard.get(1).id()).orElseThrow();
        Subscription second = new Subscription(other, other.placeAfter(afterSecond), key -> true, () -> {});
        assertThat(keys(all(second))).containsExactly("d", "c");
    }

    @Test
    void whoHearsOfSomeKeysOnlyNeedNotPassOverTheOthersAgain() throws InterruptedException {
        Subscription subscription =
                new Subscription(recent, recent.placeAfter(null), key -> key.equals("mine"), () -> {});
        for (int i = 0; i < 90; i++) {
            tell(0, i, "other");
        }
        assertThat(all(subscription)).isEmpty();
        String position = subscription.position();
        for (int i = 90; i < 180; i++) {
            tell(0, i, "mine");
        }
        assertThat(all(listen(position))).hasSize(90);
    }

    @Test
    void whoIsTooSlowIsSentAwayAndToldThatThereIsAGap() throws InterruptedException {
        Subscription slow = listen(null);
        for (int i = 0; i < 101; i++) {
            tell(0, i, "key");
        }
        assertThat(slow.next(AT_ONCE)).isNull();
        assertThatThrownBy(() -> listen(slow.position())).isInstanceOf(PositionGoneException.class);
    }

    @Test
    void whatIsTooOldToBeToldIsAGap() {
        String start = listen(null).position();
        recent.passed(0, 5, true);
        assertThatThrownBy(() -> listen(start)).isInstanceOf(PositionGoneException.class);
        assertThat(listen(null).position()).isNotEqualTo(start);
    }

    @Test
    void whatIsNoEventIsNoGap() throws InterruptedException {
        String start = listen(null).position();
        recent.passed(0, 5, false);
        tell(0, 6, "a");
        assertThat(keys(all(listen(start)))).containsExactly("a");
    }

    @Test
    void whatIsNotInTheLogIsToldOnceToThoseWhoListen() throws InterruptedException {
        Subscription first = listen(null);
        tell(0, 0, "a");
        tellAside("aside");
        tell(0, 1, "b");
        List<Subscription.Heard> heard = all(first);
        assertThat(keys(heard)).containsExactly("a", "b", "aside");
        assertThat(heard.get(2).id()).isEqualTo(heard.get(1).id());
        Subscription second = listen(heard.get(0).id());
        assertThat(keys(all(second))).containsExactly("b");
        tellAside("later");
        assertThat(keys(all(second))).containsExactly("later");
    }

    @Test
    void whatIsNotInTheLogTakesNoPlaceFromWhatIs() throws InterruptedException {
        String start = listen(null).position();
        tell(0, 0, "a");
        Subscription slow = listen(null);
        for (int i = 0; i < 150; i++) {
            tellAside("aside");
        }
        assertThat(keys(all(listen(start)))).containsExactly("a");
        assertThat(slow.next(AT_ONCE)).as("it has missed some").isNull();
    }

    @Test
    void whoHearsOfSomeKeysOnlyIsLeftInPeaceByTheOthers() throws Exception {
        Subscription subscription =
                new Subscription(recent, recent.placeAfter(null), key -> key.equals("mine"), () -> {});
        tell(0, 0, "other");
        Thread writer = new Thread(() -> {
            tell(0, 1, "other");
            tell(0, 2, "mine");
        });
        writer.start();
        assertThat(keys(subscription.next(Duration.ofSeconds(30)))).containsExactly("mine");
        writer.join();
    }

    @Test
    void aPositionBeyondTheEndOfTheLogIsGone() {
        tell(0, 0, "a");
        String position = listen(null).position();
        recent.startOver(LOG, 2);
        assertThatThrownBy(() -> listen(position)).isInstanceOf(PositionGoneException.class);
        assertThat(recent.isAhead(EventPosition.parse(position).orElseThrow())).isTrue();

        tell(0, 0, "a");
        assertThat(recent.isAhead(EventPosition.parse(position).orElseThrow())).isFalse();
        assertThat(listen(position).position()).isEqualTo(position);
    }

    @Test
    void whatCompactionTookAwayIsAGap() throws InterruptedException {
        for (long offset = 0; offset < 5; offset++) {
            tell(0, offset, "a");
        }
        tell(1, 0, "b");
        List<Subscription.Heard> heard =
                all(listen(EventPosition.of(LOG, new long[2]).toString()));

        recent.startOver(LOG, 2);
        tell(0, 0, "a");
        recent.reached(0, 3, true); // 1 and 2 are gone
        tell(0, 3, "a");
        tell(0, 4, "a");
        recent.reached(1, 1, true); // the last one of the partition is gone
        assertThatThrownBy(() -> listen(heard.get(0).id())).isInstanceOf(PositionGoneException.class);
        assertThatThrownBy(() -> listen(heard.get(4).id())).isInstanceOf(PositionGoneException.class);
        assertThat(listen(heard.get(5).id()).position()).isEqualTo(heard.get(5).id());
    }

    @Test
    void whatWasNotUnderstoodIsNoGap() throws InterruptedException {
        String start = listen(null).position();
        tell(0, 0, "a");
        recent.reached(0, 3, false);
        tell(0, 3, "b");
        assertThat(keys(all(listen(start)))).containsExactly("a", "b");
    }

    @Test
    void aPositionOfAnotherLogIsGone() {
        String position = listen(null).position();
        recent.startOver(LOG + 1, 2);
        assertThatThrownBy(() -> listen(position)).isInstanceOf(PositionGoneException.class);
        recent.startOver(LOG, 3);
        assertThatThrownBy(() -> listen(position)).isInstanceOf(PositionGoneException.class);
        recent.startOver(LOG, 2);
        assertThat(listen(position).position()).isEqualTo(position);
    }

    @Nested
    class WhoWaits {

        @Test
        void endsWhenTheLogIsReadAnew() throws Exception {
            Subscription subscription = listen(null);
            Thread reader = new Thread(() -> recent.startOver(LOG, 2));
            reader.start();
            assertThat(subscription.next(Duration.ofSeconds(30))).isNull();
            reader.join();
        }

        @Test
        void endsWhenTheServiceEnds() throws Exception {
            Subscription subscription = listen(null);
            Thread end = new Thread(recent::close);
            end.start();
            assertThat(subscription.next(Duration.ofSeconds(30))).isNull();
            end.join();
        }

        @Test
        void isWokenByAnEvent() throws Exception {
            Subscription subscription = listen(null);
            Thread writer = new Thread(() -> tell(0, 0, "a"));
            writer.start();
            assertThat(keys(subscription.next(Duration.ofSeconds(30)))).containsExactly("a");
            writer.join();
        }
    }

    @Nested
    class Positions {

        @Test
        void comeBackAsTheyWere() {
            for (long[] next : List.of(
                    new long[] {0},
                    new long[] {127, 128, 16_383, 16_384},
                    new long[] {Long.MAX_VALUE, 0},
                    new long[0])) {
                String text = EventPosition.of(-7, next).toString();
                assertThat(text).matches("[A-Za-z0-9_-]+");
                EventPosition parsed = EventPosition.parse(text).orElseThrow();
                assertThat(parsed.toString()).isEqualTo(text);
                assertThat(parsed.isOf(-7, next.length)).isTrue();
                for (int i = 0; i < next.length; i++) {
                    assertThat(parsed.next(i)).isEqualTo(next[i]);
                }
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"", "x", "AQ", "!!!!", "AgAAAAAAAAAqAA", "AQAAAAAAAAAqgA", "AQAAAAAAAAAq_____________w8"})
        void thatAreNoneAreRefused(String text) {
            assertThat(EventPosition.parse(text)).isEmpty();
        }
    }
}
