import { describe, expect, it } from "vitest";
import { pickRounds } from "./positions.tsx";

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
