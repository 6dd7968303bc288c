import { describe, expect, it } from "vitest";
import { context, reasonOf, run, votes } from "../../../../../test/support/sentiment/gate.ts";
import { hint, sentiment } from "../../../../../test/support/sentiment/turns.ts";
import { profiles } from "../../config/profiles.ts";

it("0.8 + 0.8 meets 1.6 and 1.8 - 1.0 meets 0.8", () => {
  expect(reasonOf({})).toBeNull();
  expect(
    reasonOf({ review_context: context({ food: [...votes("positive", 0.8, 0.5, 0.5), ...votes("negative", 1)] }) }),
  ).toBeNull();
});

describe("at a threshold", () => {
  const tied = context({ food: [...votes("positive", 0.9), ...votes("negative", 0.9)] });
  it("a tie of votes decides nothing", () => {
    expect(reasonOf({ review_context: tied })).toBe("action_ambiguity");
    expect(run({ review_context: tied }).records).toMatchObject([{ target_pol: "negative", margin: 0 }]);
  });
  it("a tie is still no vote for positive where no margin is asked for", () => {
    const thresholds = { ...profiles.t0, min_margin: 0 };
    expect(run({ review_context: tied, thresholds, sentiments: [sentiment("food", "positive")] }).applied).toEqual({
      aspect: "food",
      polarity: "negative",
    });
  });
  it.each([
    [1.6, null],
    [1.599, "low_signal"],
  ])("a total of %d → %s", (weight, reason) =>
    expect(reasonOf({ review_context: context({ food: votes("positive", weight) }) })).toBe(reason),
  );
  it.each([
    [1.8, null],
    [1.799, "action_ambiguity"],
  ])("%d against 1.0 → %s", (weight, reason) => {
    const food = [...votes("positive", weight), ...votes("negative", 1)];
    expect(reasonOf({ review_context: context({ food }) })).toBe(reason);
  });
  it.each([
    [0.5, null],
    [0.499, "low_confidence"],
  ])("a stated confidence of %d → %s", (confidence, reason) =>
    expect(reasonOf({ review_context: context({ food: [hint("positive", 2, { confidence })] }) })).toBe(reason),
  );
  it.each([
    [0.7, "already_confident"],
    [0.699, null],
  ])("the same polarity at %d → %s", (confidence, reason) =>
    expect(reasonOf({ sentiments: [sentiment("food", "positive", { confidence })] })).toBe(reason),
  );
  it("of equally confident matches the first counts", () => {
    const sentiments = [sentiment("food", "positive"), sentiment("food", "negative")];
    expect(reasonOf({ sentiments })).toBe("already_confident");
    expect(reasonOf({ sentiments: sentiments.toReversed() })).toBeNull();
  });
});
