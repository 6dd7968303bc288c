import { describe, expect, it } from "vitest";
import type { Point } from "../../../contract/story.ts";
import { indexStory } from "../debate/story-index.ts";
import { listArguments } from "./list-arguments.ts";

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
