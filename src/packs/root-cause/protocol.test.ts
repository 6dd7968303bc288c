import { describe, expect, it } from "vitest";
import type { Player } from "../../engine/player.ts";
import { runDebate } from "../../engine/run-debate.ts";
import { expertPlayer } from "../../players/offline/expert-player.ts";
import { examples } from "./examples.ts";
import { parseLines } from "../../knowledge/logs/index.ts";
import { rootCause } from "./pack.ts";

const input = rootCause.input.parse(examples[0]?.input);
const run = (
  config: Record<string, unknown> = {},
  options: { seed?: number; player?: Player; given?: typeof input } = {},
) =>
  runDebate({
    pack: rootCause,
    input: options.given ?? input,
    config: rootCause.config.parse(config),
    cast: () => options.player ?? expertPlayer(),
    seed: options.seed ?? 1,
  });

const sections = [
  "rounds",
  "final_hypothesis",
  "convergence_achieved",
  "stop_reason",
  "total_rounds",
  "improvement_trajectory",
  "quorum",
  "usage",
];
const finalKeys = [
  "hypothesis",
  "confidence",
  "judge_score",
  "source",
  "reasoning",
  "evidence",
  "resolution",
  "category",
  "affected_components",
  "causal_path",
  "rounds_refined",
];

it("the output object has exactly the keys of the specification (root-cause spec §5)", async () => {
  const { result } = await run();
  expect(Object.keys(result.decision ?? {}).sort()).toEqual(sections.toSorted());
  expect(Object.keys(result.decision?.final_hypothesis ?? {}).sort()).toEqual(finalKeys.toSorted());
  const { fewer_reasons: _whyFewer, ...first } = result.decision?.rounds[0] ?? {};
  expect(Object.keys(first).sort()).toEqual(["hypotheses", "judge_evaluation", "round_number", "top_hypothesis"]);
});

it("round 2 changes hypotheses in answer to the judge, and the top score rises", async () => {
  const { result } = await run();
  const [first, second] = result.decision?.rounds ?? [];
  const before = first?.hypotheses.hybrid?.find(({ id }) => id === "hybrid_1");
  const after = second?.hypotheses.hybrid?.find(({ id }) => id === "hybrid_1");
  expect(after?.evidence.length).toBeGreaterThan(before?.evidence.length ?? 0);
  expect(after?.changes_made).toContain("evidence added");
  expect(second?.top_hypothesis?.judge_score).toBeGreaterThan(first?.top_hypothesis?.judge_score ?? 100);
  expect(result.decision?.final_hypothesis?.rounds_refined).toBe(2);
});

it("finds the cause of the example and cites lines that exist", async () => {
  const finished = await run();
  expect(finished.result.decision?.final_hypothesis).toMatchObject({
    category: "software",
    hypothesis: expect.stringContaining("stock-service"),
  });
  for (const finding of rootCause.verify?.(finished) ?? []) expect(finding.ok, JSON.stringify(finding)).toBe(true);
});

it("says that there is no fault when routine messages are all there is", async () => {
  const lines = Array.from(
    { length: 40 },
    (_, n) =>
      `2024-05-14 09:00:${String(n % 60).padStart(2, "0")},000 INFO [main] JobRunner: step ${n} finished in ${n} ms`,
  );
  const log = await parseLines([
    ...lines,
    "2024-05-14 09:01:00,000 INFO [main] Attempt: attempt_7 killed by the ApplicationMaster after its twin finished",
    "2024-05-14 09:01:01,000 INFO [main] JobRunner: job 12 completed successfully",
  ]);
  const { result } = await run({}, { given: rootCause.input.parse(log) });
  expect(result.outcome).toBe("decided");
  expect(result.decision?.final_hypothesis).toMatchObject({ category: "none", hypothesis: "No fault in these logs" });
});

it("the judge reads twice in opposite order with judge.swap and reports how far apart the readings were", async () => {
  const { result, turns } = await run({ judge: { swap: true }, max_rounds: 1 });
  expect(turns.map(({ key }) => key.step)).toContain("judge_swapped");
  expect(result.decision?.rounds[0]?.judge_evaluation?.disagreement).toEqual({
    mean_points: 0,
    largest_points: 0,
    top_changed: false,
  });
});

describe("salvage", () => {
  const hypothesis = (n: number, evidence: unknown[]) => ({
    id: `log_${n}`,
    hypothesis: `cause ${n}`,
    confidence: 0.5,
    reasoning: "because",
    evidence,
    category: "software",
    affected_components: ["x"],
    causal_path: [],
    suggested_resolution: [],
    changes_made: null,
    from: null,
  });
  const play = (reply: unknown) => {
    const expert = expertPlayer();
    const player: Player = {
      id: "t",
      play: async (role, given, turn) =>
        role.name === "log_focused" && turn.key.round === 1
          ? { reply: { value: reply }, usage: (await expert.play(role, given, turn)).usage, finish: null }
          : expert.play(role, given, turn),
    };
    return run({ max_rounds: 1 }, { player });
  };

  it("strikes a quote that is not in the cited line and an incident that was not shown, and shows them as struck", async () => {
    const evidence = [
      { kind: "log", ref: 25, quote: "possible leak" },
      { kind: "log", ref: 25, quote: "disk on fire" },
      { kind: "kg", ref: "no-such-incident", quote: "x" },
    ];
    const finished = await play({
      hypotheses: [hypothesis(1, evidence), hypothesis(2, []), hypothesis(3, [])],
      fewer_reason: null,
    });
    const turn = finished.turns.find(({ key }) => key.role === "log_focused");
    expect(turn?.status).toBe("salvaged");
    expect(turn?.problems.map(({ code }) => code)).toEqual(["quote_not_found", "unknown_incident"]);
    const [first] = finished.result.decision?.rounds[0]?.hypotheses.log_focused ?? [];
    expect(first?.evidence).toEqual([evidence[0]]);
    expect(first?.struck).toEqual(evidence.slice(1));
  });

  it.each([
    [
      "fewer than three without a reason",
      { hypotheses: [hypothesis(1, [])], fewer_reason: null },
      "abstained",
      "too_few",
    ],
    [
      "the same id twice",
      { hypotheses: [hypothesis(1, []), hypothesis(1, []), hypothesis(2, [])], fewer_reason: null },
      "abstained",
      "duplicate_id",
    ],
    ["no hypothesis at all", { hypotheses: [], fewer_reason: "none" }, "abstained", "no_hypothesis"],
    [
      "more than five",
      { hypotheses: [1, 2, 3, 4, 5, 6].map((n) => hypothesis(n, [])), fewer_reason: null },
      "salvaged",
      "too_many",
    ],
    [
      "an unknown parent",
      { hypotheses: [1, 2, 3].map((n) => ({ ...hypothesis(n, []), from: ["hybrid_9"] })), fewer_reason: null },
      "salvaged",
      "unknown_parent",
    ],
  ])("%s is a problem", async (_name, reply, status, code) => {
    const finished = await play(reply);
    const turn = finished.turns.find(({ key }) => key.role === "log_focused");
    expect(turn?.status).toBe(status);
    expect(turn?.problems.map((problem) => problem.code)).toContain(code);
  });

  it("accepts fewer than three with a stated reason", async () => {
    const finished = await play({ hypotheses: [hypothesis(1, [])], fewer_reason: "the log has one error" });
    expect(finished.turns.find(({ key }) => key.role === "log_focused")?.status).toBe("answered");
  });
});

it.each([
  ["single", { protocol: "single" }, ["hybrid"]],
  ["vote", { protocol: "vote" }, ["log_focused", "kg_focused", "hybrid"]],
  [
    "self_consistency",
    { protocol: "self_consistency", samples: 2, reasoner: "log_focused" },
    ["log_focused", "log_focused"],
  ],
  ["a debate without the graph", { knowledge: { enabled: false }, max_rounds: 1 }, ["log_focused", "hybrid", "judge"]],
  ["a debate of one round", { max_rounds: 1 }, ["log_focused", "kg_focused", "hybrid", "judge"]],
])("%s asks exactly its roles", async (_name, config, roles) => {
  const { turns, result } = await run(config);
  expect(turns.map(({ key }) => key.role)).toEqual(roles);
  expect(result.outcome).toBe("decided");
  expect(result.decision?.final_hypothesis).not.toBeNull();
});
