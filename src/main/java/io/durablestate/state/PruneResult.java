package io.durablestate.state;

/**
 * What became of a prune.
 *
 * @param pruned states whose deletion was acknowledged, or would be asked for in a dry run
 * @param failed states whose deletion failed or whose outcome is unknown; each is among the failures
 */
public record PruneResult(int pruned, int failed) {

    PruneResult plus(PruneResult other) {
        return new PruneResult(pruned + other.pruned, failed + other.failed);
    }
}
