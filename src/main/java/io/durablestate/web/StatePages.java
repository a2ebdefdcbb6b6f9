package io.durablestate.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.durablestate.state.DurableStateService;
import io.durablestate.state.StateFilter;
import io.durablestate.state.StateKey;
import io.durablestate.state.StatePage;
import io.durablestate.state.StoredState;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Pages of states, with or without their bodies, as JSON. */
@Component
final class StatePages {

    /** Most items on a page. */
    static final int MAX_ITEMS = 1_000;

    /** Bodies on one page; a page with more ends early, and goes on behind its cursor. */
    private static final long MAX_PAGE_BYTES = 8L * 1024 * 1024;

    private final DurableStateService service;
    private final JsonSyntax json = new JsonSyntax();

    StatePages(DurableStateService service) {
        this.service = service;
    }

    @Schema(name = "StatePage", description = "Some states, in the order of key, sequence, action, event")
    record Page(
            List<Item> items,

            @Nullable @Schema(description = "Give it as cursor to get what follows; null at the end", nullable = true)
            String next) {}

    @Schema(name = "StateItem", description = "A receipt, whether the body is in memory, and the body when asked for")
    record Item(
            @JsonUnwrapped Receipt receipt,

            @Schema(description = "Whether this instance has the body in memory")
            boolean cached,

            @Nullable
            @JsonRawValue
            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "The JSON as it was stored, with body=true", type = "object")
            String state,

            @Nullable
            @JsonInclude(JsonInclude.Include.NON_NULL)
            @Schema(description = "The bytes of a state that is not JSON, with body=true")
            String stateBase64) {}

    /** A page without bodies. */
    Page receipts(StateFilter filter, @Nullable StateKey after, int limit) {
        StatePage page = service.list(filter, after, limit);
        return new Page(
                page.items().stream()
                        .map(item -> new Item(Receipt.of(item.receipt()), item.cached(), null, null))
                        .toList(),
                page.next() == null ? null : Cursors.of(page.next()));
    }

    /** A page with bodies. Blocks while Kafka is asked for those that are not in memory. */
    Page bodies(StateFilter filter, @Nullable StateKey after, int limit) throws InterruptedException {
        StatePage page = service.list(filter, after, limit);
        List<Item> items = new ArrayList<>();
        long bytes = 0;
        for (StatePage.Item item : page.items()) {
            StateKey key = item.receipt().key();
            Optional<StoredState> state = service.read(key);
            if (state.isPresent()) {
                items.add(withBody(item, state.get()));
                bytes += state.get().body().length;
            }
            if (bytes >= MAX_PAGE_BYTES) {
                return new Page(items, Cursors.of(key));
            }
        }
        return new Page(items, page.next() == null ? null : Cursors.of(page.next()));
    }

    private Item withBody(StatePage.Item item, StoredState state) {
        Optional<String> text =
                RequestHeaders.isJson(state.receipt().contentType()) ? json.textOf(state.body()) : Optional.empty();
        String base64 = text.isPresent() ? null : Base64.getEncoder().encodeToString(state.body());
        return new Item(Receipt.of(state.receipt()), item.cached(), text.orElse(null), base64);
    }
}
