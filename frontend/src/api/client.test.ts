import { describe, expect, it } from "vitest";
import { consolePath, servicePath } from "./base";
import { parseAnswer, query } from "./client";

describe("an answer", () => {
  it("keeps sequences that no number of JavaScript holds", () => {
    expect(parseAnswer('{"sequence":9223372036854775807,"size":3}')).toEqual({
      sequence: "9223372036854775807",
      size: 3,
    });
  });

  it("keeps what only looks like a sequence", () => {
    const text = '{"detail":"\\"sequence\\":7","sequence":null,"x":["sequence",1]}';
    expect(parseAnswer(text)).toEqual({ detail: '"sequence":7', sequence: null, x: ["sequence", 1] });
  });
});

describe("a query", () => {
  it("has what has a value", () => {
    expect(query({ key: "a b/c", limit: 50, cursor: null, completed: false, action: "" })).toBe(
      "?key=a+b%2Fc&limit=50&completed=false",
    );
    expect(query({ cursor: undefined })).toBe("");
  });
});

describe("the prefix of a proxy", () => {
  it.each([
    ["/console/", "/console/", ""],
    ["/console/states", "/console/", ""],
    ["/apps/ds/console/state", "/apps/ds/console/", "/apps/ds"],
    ["/console/console/log", "/console/console/", "/console"],
  ])("of %s", (path, console, service) => {
    expect(consolePath(path)).toBe(console);
    expect(servicePath(path)).toBe(service);
  });
});
