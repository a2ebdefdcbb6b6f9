package io.durablestate.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.durablestate.state.HistoryReader.Reading;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The histories notice it when a rule is left out, so that they prove something about the rules that are kept. */
class FoldMutationTests {

    @Test
    void noHistoryDiffersWithAllRules() {
        assertThat(History.all())
                .allSatisfy(history -> assertThat(HistoryRun.firstDifference(history, Reading.AS_DESIGNED))
                        .isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void aHistoryDiffersWithoutARule(Mutation mutation) {
        assertThat(History.all())
                .as("histories that notice %s", mutation)
                .anySatisfy(history -> assertThat(HistoryRun.firstDifference(history, mutation))
                        .isPresent());
    }

    /** A reader that leaves a rule out, or has it wrong. */
    enum Mutation implements Reading {
        CLAIMS_DO_NOT_FENCE {
            @Override
            public StateRecord take(StateIndex index, StateRecord record) {
                return FoldRecords.forAttempt(null, record);
            }
        },
        A_CLAIM_FENCES_ITS_OWN_ATTEMPT {
            @Override
            public StateRecord take(StateIndex index, StateRecord record) {
                return record.attempt() == null ? record : FoldRecords.forAttempt(record.attempt() - 1, record);
            }
        },
        A_CLOSING_CLAIM_DOES_NOT_FENCE {
            @Override
            public Optional<ClaimRecord> take(ClaimRecord record) {
                return record.claim() != null && record.claim().closed() ? Optional.empty() : Optional.of(record);
            }
        },
        CLAIMS_ARE_NEVER_FORGOTTEN {
            @Override
            public Optional<ClaimRecord> take(ClaimRecord record) {
                return record.claim() == null ? Optional.empty() : Optional.of(record);
            }
        },
        CONDITIONS_DO_NOT_COUNT {
            @Override
            public StateRecord take(StateIndex index, StateRecord record) {
                return FoldRecords.expecting(null, record);
            }
        },
        A_RESTORE_IS_A_WRITE {
            @Override
            public StateRecord take(StateIndex index, StateRecord record) {
                return record.asOf() == null ? record : FoldRecords.asOf(null, withItsOwnRevision(record));
            }
        },
        A_RESTORE_NEEDS_ITS_REVISION_IN_EFFECT_INSTEAD_OF_AS_OF {
            @Override
            public StateRecord take(StateIndex index, StateRecord record) {
                if (record.asOf() == null) {
                    return record;
                }
                boolean inEffect = Objects.equals(revisionOf(index.find(record.key())), revisionOf(record.content()));
                return FoldRecords.asOf(inEffect ? Long.MAX_VALUE : Long.MIN_VALUE, record);
            }
        },
        A_RESTORE_IS_NEVER_TOO_LATE {
            @Override
            public StateRecord take(StateIndex index, StateRecord record) {
                return record.asOf() == null ? record : FoldRecords.asOf(Long.MAX_VALUE, record);
            }
        },
        AS_OF_DOES_NOT_INCLUDE_ITS_OWN_OFFSET {
            @Override
            public StateRecord take(StateIndex index, StateRecord record) {
                return record.asOf() == null ? record : FoldRecords.asOf(record.asOf() - 1, record);
            }
        },
        A_RESTORED_STATE_GETS_A_NEW_REVISION {
            @Override
            public StateRecord take(StateIndex index, StateRecord record) {
                return record.asOf() == null ? record : withItsOwnRevision(record);
            }
        },
        A_MISSING_STATE_IS_DELETED_DURING_A_REPLAY {
            @Override
            public void startReplay(StateIndex index) {
                index.startReplay(1);
                index.endReplay();
            }
        },
        THE_END_OF_A_REPLAY_FORGETS_DELETIONS {
            @Override
            public void endReplay(StateIndex index) {
                index.endReplay();
                index.forgetDeletionsBefore(Long.MAX_VALUE);
            }
        };

        private static StateRecord withItsOwnRevision(StateRecord record) {
            return record.content() instanceof Deletion
                    ? record
                    : FoldRecords.withContent(FoldRecords.version(record.offset(), record.offset()), record);
        }

        private static Revision revisionOf(FoldedState state) {
            return state instanceof StateVersion version ? version.revision() : null;
        }
    }
}
