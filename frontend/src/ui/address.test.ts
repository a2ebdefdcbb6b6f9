import { expect, it } from "vitest";
import { changed } from "./address";

it("changes what is given and keeps the rest", () => {
  const before = new URLSearchParams("prefix=a%2Fb&completed=true&cursor=x");
  expect(changed(before, { completed: "", cursor: "", action: "ü" }).toString()).toBe("prefix=a%2Fb&action=%C3%BC");
  expect(before.get("cursor")).toBe("x");
});
