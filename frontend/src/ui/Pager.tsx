import { useAddress } from "./address";

/** Turns the pages of a list that does not know how long it is. Previous is the browser's own way back. */
export function Pager({ next }: { next: string | null }) {
  const address = useAddress();
  const isFirst = address.get("cursor") === "";
  if (isFirst && next === null) {
    return null;
  }
  return (
    <nav className="pager" aria-label="Pages of the list">
      <button type="button" disabled={isFirst} onClick={() => address.turnTo("", 0)}>
        First page
      </button>
      <button type="button" disabled={address.turns === 0} onClick={() => window.history.back()}>
        Previous
      </button>
      <button
        type="button"
        disabled={next === null}
        onClick={() => next !== null && address.turnTo(next, address.turns + 1)}
      >
        Next
      </button>
    </nav>
  );
}
