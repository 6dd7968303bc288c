import { describe, expect, it } from "vitest";
import type { Point, Story } from "../../contract/story.ts";
import { listArguments } from "./argument-map.tsx";
import { pickRounds } from "./positions.tsx";
import { indexStory } from "./story-index.ts";
import { findNext } from "./use-reader.tsx";

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

const lane = (role: string, answers: string[]) => answers.map((answer, at) => ({ role, answer, round: at + 1 }));

describe("the rounds that a strip shows", () => {
  it("are all of them while they fit", () => {
    expect(pickRounds(lane("a", ["x", "x", "y"]))).toEqual([1, 2, 3]);
  });

  it("are the beginning, the end and the changes of mind of a long debate", () => {
    const answers = Array.from({ length: 100 }, (_, at) => (at < 49 ? "x" : "y"));
    expect(
      pickRounds([
        ...lane("a", answers),
        ...lane(
          "b",
          answers.map(() => "z"),
        ),
      ]),
    ).toEqual([1, 2, 50, 97, 98, 99, 100]);
  });

  it("are never more than there is room for, however often minds change", () => {
    const answers = Array.from({ length: 100 }, (_, at) => String(at));
    const rounds = pickRounds(lane("a", answers));
    expect(rounds).toHaveLength(24);
    expect(rounds.at(-1)).toBe(100);
  });
});

const point = (id: string, more: Partial<Point> = {}): Point => ({ id, name: id, text: id, ...more });
const mapOf = (...points: Point[]) =>
  listArguments(
    indexStory({
      stages: [{ title: "one", turns: [{ turn: "1/a/a", speaker: "a", does: "", says: "", points }] }],
      exhibits: [],
    }),
  );

describe("the argument map", () => {
  it("has what answers or is answered, and nothing else", () => {
    const { nodes, edges } = mapOf(point("claim"), point("critique", { answers: ["claim"] }), point("alone"));
    expect(nodes.map((node) => node.point.id)).toEqual(["claim", "critique"]);
    expect(edges).toEqual([{ from: "claim", to: "critique" }]);
  });

  it("shows a repeated point once, with what answers it later", () => {
    const { nodes, edges } = mapOf(
      point("1/claim"),
      point("2/claim", { repeats: "1/claim" }),
      point("critique", { answers: ["2/claim"] }),
    );
    expect(nodes.map((node) => node.point.id)).toEqual(["1/claim", "critique"]);
    expect(edges).toEqual([{ from: "1/claim", to: "critique" }]);
  });

  it("is not caught by points that repeat each other or answer themselves", () => {
    const { edges } = mapOf(
      point("a", { repeats: "b", answers: ["a"] }),
      point("b", { repeats: "a", answers: ["nobody"] }),
    );
    expect(edges).toEqual([]);
  });

  it("leaves out what nobody could read, and says how much", () => {
    const many = Array.from({ length: 300 }, (_, at) => point(`p${at}`, { answers: [`p${Math.max(0, at - 1)}`] }));
    const { nodes, leftOut, edges } = mapOf(...many);
    expect([nodes.length, leftOut]).toEqual([120, 180]);
    const ids = new Set(nodes.map((node) => node.point.id));
    expect(edges.every(({ from, to }) => ids.has(from) && ids.has(to))).toBe(true);
  });
});
