import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import en from "../../../data/words/en.json" with { type: "json" };
import { lay, MindStrip, pickRounds } from "./positions.tsx";
import { indexStory } from "./story-index.ts";

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

describe("where each stood", () => {
  const index = indexStory({ stages: [], exhibits: [] });

  it("is left out when there is nothing to compare", () => {
    const only = lane("a", ["x"]);
    expect(renderToStaticMarkup(createElement(MindStrip, { positions: only, index, decisive: new Map() }))).toBe("");
  });

  const answersOf = (positions: Parameters<typeof lay>[0]) =>
    lay(positions, index, en.page).lanes.map(({ name, cells }) => [name, ...cells.map((cell) => cell?.answer)]);

  it("is a lane for each speaker and a column for each round, with the last answer of a round", () => {
    const positions = [...lane("a", ["x", "y"]), ...lane("b", ["z"]), { role: "b", answer: "w", round: 1 }];
    expect(answersOf(positions)).toEqual([
      ["A", "x", "y"],
      ["B", "w", undefined],
    ]);
  });

  it("is a lane for each item and a column for each who answered, in the order of the rounds", () => {
    const positions = [
      { role: "judge", item: "food", answer: "positive", round: 2 },
      { role: "a", item: "food", answer: "negative", round: 1 },
      { role: "a", item: "price", answer: "neutral", round: 1 },
    ];
    expect(answersOf(positions)).toEqual([
      ["food", "negative", "positive"],
      ["price", "neutral", undefined],
    ]);
  });
});
