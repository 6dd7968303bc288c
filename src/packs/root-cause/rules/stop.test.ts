import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Hypothesis, ReasonerName } from "../schemas/hypothesis.ts";
import { isConsensus, isPlateau, stopAfter, type Tops } from "./stop.ts";

const limits = { max_rounds: 3, plateau_points: 5, consensus_dice: 0.5 };
const apart: Tops = {
  tops: [top("log_focused", "disk of the worker is full"), top("hybrid", "bad deploy", { category: "software" })],
  same_cause: [],
};
const together: Tops = {
  tops: [top("log_focused", "disk of the worker is full"), top("hybrid", "the worker disk is full")],
  same_cause: [],
};

describe("the stop rules, a row each", () => {
  it.each([
    { row: "round 1 never stops a debate of three", trajectory: [85], tops: together, reason: null, converged: false },
    { row: "+5 points is not a plateau", trajectory: [85, 90], tops: apart, reason: null, converged: false },
    { row: "less than +5 is a plateau", trajectory: [85, 89.99], tops: apart, reason: "plateau", converged: true },
    { row: "a drop is a plateau", trajectory: [85, 60], tops: apart, reason: "plateau", converged: true },
    { row: "consensus from round 2", trajectory: [60, 80], tops: together, reason: "consensus", converged: true },
    { row: "the last round stops", trajectory: [60, 70, 80], tops: apart, reason: "max_rounds", converged: false },
    {
      row: "a plateau in the last round converges",
      trajectory: [85, 90, 92],
      tops: apart,
      reason: "plateau",
      converged: true,
    },
    {
      row: "consensus in the last round converges",
      trajectory: [60, 70, 80],
      tops: together,
      reason: "consensus",
      converged: true,
    },
  ])("$row", ({ trajectory, tops, reason, converged }) => {
    const decision = stopAfter(trajectory, tops, limits);
    expect(decision.stop_reason).toBe(reason);
    expect(decision.stop).toBe(reason !== null);
    expect(decision.convergence_achieved).toBe(converged);
  });

  it("one round is a debate that ends unconverged", () => {
    expect(stopAfter([85], together, { ...limits, max_rounds: 1 })).toMatchObject({
      stop_reason: "max_rounds",
      convergence_achieved: false,
    });
  });
});

describe("consensus", () => {
  it.each([
    ["needs two reasoners", { tops: together.tops.slice(0, 1), same_cause: [] }, false],
    ["needs the same category", apart, false],
    [
      "needs a shared component",
      {
        tops: [together.tops[0], top("hybrid", "the worker disk is full", { affected_components: ["nn"] })],
        same_cause: [],
      } as Tops,
      false,
    ],
    [
      "needs like words",
      { tops: [together.tops[0], top("hybrid", "memory pressure kills containers")], same_cause: [] } as Tops,
      false,
    ],
    ["holds when the judge groups all tops", { ...apart, same_cause: [["log_focused_1", "hybrid_1"]] }, true],
    [
      "does not hold when the judge groups only some",
      {
        tops: [...apart.tops, top("kg_focused", "certificate expired")],
        same_cause: [["log_focused_1", "hybrid_1"]],
      },
      false,
    ],
    ["holds for alike tops", together, true],
    ["holds for two findings of no fault", { tops: [none("log_focused"), none("hybrid")], same_cause: [] }, true],
  ])("%s", (_name, tops, expected) => expect(isConsensus(tops, 0.5)).toBe(expected));
});

it("a debate never runs past max_rounds and never stops before round 2 unless it is the last", () => {
  const scores = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(scores, fc.integer({ min: 1, max: 6 }), fc.boolean(), (trajectory, max_rounds, agree) => {
      const decision = stopAfter(trajectory, agree ? together : apart, { ...limits, max_rounds });
      if (trajectory.length >= max_rounds) expect(decision.stop).toBe(true);
      if (trajectory.length === 1 && max_rounds > 1) expect(decision.stop).toBe(false);
      expect(decision.convergence_achieved).toBe(decision.plateau || decision.consensus);
      expect(decision.stop).toBe(decision.stop_reason !== null);
    }),
  );
});

it("a plateau depends on the last two scores alone", () => {
  const score = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(fc.array(score), score, score, (before, a, b) => {
      expect(isPlateau([...before, a, b], 5)).toBe(isPlateau([a, b], 5));
    }),
  );
});

function top(source: ReasonerName, hypothesis: string, fields: Partial<Hypothesis> = {}): Tops["tops"][number] {
  const rest = { confidence: 0.8, reasoning: "r", evidence: [], causal_path: [], suggested_resolution: [] };
  return {
    source,
    hypothesis: {
      id: `${source}_1`,
      hypothesis,
      category: "resource",
      affected_components: ["DataNode"],
      ...rest,
      ...fields,
    },
  };
}

function none(source: ReasonerName) {
  return top(source, "no fault in these logs", { category: "none", affected_components: [] });
}
