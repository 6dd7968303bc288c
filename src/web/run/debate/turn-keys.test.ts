import { describe, expect, it } from "vitest";
import type { Story } from "../../../contract/story.ts";
import { findNext } from "./turn-keys.ts";

const stageOf = (title: string, turns: string[]) => ({
  title,
  turns: turns.map((turn) => ({ turn, speaker: "a", does: "speaks", says: "", points: [] })),
});
const story: Story = { stages: [stageOf("one", ["a", "b", "c"]), stageOf("two", ["d"])], exhibits: [] };

describe("keys lead through a debate", () => {
  it.each([
    ["j", null, "a"],
    ["j", "a", "b"],
    ["j", "c", "d"],
    ["j", "d", "d"],
    ["k", "a", "a"],
    ["k", "d", "c"],
    ["l", "b", "d"],
    ["l", "d", "d"],
    ["h", "d", "a"],
    ["x", "a", null],
  ])("%s from %s leads to %s", (key, at, next) => {
    expect(findNext(key, story, at)).toBe(next);
  });

  it("a debate without turns leads nowhere", () => {
    expect(findNext("j", { stages: [], exhibits: [] }, null)).toBeNull();
  });
});
