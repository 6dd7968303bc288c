import { expect, it } from "vitest";
import { noUsage } from "../../../contract/usage.ts";
import { renderTerminal } from "../../../print/terminal/render-terminal.ts";
import { RootCauseConfigSchema } from "../config.ts";
import { decide, type RootCauseDecision } from "../decision.ts";
import { examples } from "../examples.ts";
import type { Hypothesis } from "../schemas/hypothesis.ts";
import { RootCauseCaseSchema } from "../case.ts";
import type { Evaluation } from "../schemas/judgement.ts";
import type { Round } from "../schemas/round.ts";
import { buildRound } from "../rules/round.ts";
import { report } from "./report.ts";
import { view } from "./view.ts";

const reportText = (done: ReturnType<typeof finished>) => renderTerminal(report(done), { width: 100, color: false });

it("prints what the specification asks for, line by line (root-cause spec §6)", () => {
  const rounds = [85, 90, 92].map((score, index) => roundWith(index + 1, score));
  const text = reportText(finished(rounds, { stop_reason: "plateau", convergence_achieved: true }));
  expect(text).toBe(`● DataNode disk space exhausted due to high replication rate   sure 0.95 ▮▮▮▮▮▮▮▮▮▯
  · resource · DataNode

DEBATE PROTOCOL - 3 ROUNDS

  ROUND 1: Initial Hypotheses
    - Log-Focused: 3 hypotheses
    - KG-Focused: 1 hypothesis
    - Hybrid: 3 hypotheses
    - Judge Evaluation: Top score = 85/100

  ROUND 2: Refinement
    - Reasoners refined based on feedback
    - Log-Focused: 3 hypotheses
    - KG-Focused: 1 hypothesis
    - Hybrid: 3 hypotheses
    - Judge Evaluation: Top score = 90/100
    - Improvement: +5 points

  ROUND 3: Final Refinement
    - Final improvements made
    - Log-Focused: 3 hypotheses
    - KG-Focused: 1 hypothesis
    - Hybrid: 3 hypotheses
    - Judge Evaluation: Top score = 92/100
    - Improvement: +2 points
    - Convergence: Score plateau detected

FINAL RESULT

  Best Hypothesis (Score: 92/100)
    Source          hybrid
    Hypothesis      DataNode disk space exhausted due to high replication rate
    Category        resource
    Components      DataNode
    Confidence      0.95
    Rounds Refined  3

  Evidence
    - Log: shop.log:12: Disk usage at 95%
    - Historical: HDFS_001: disk full
    - Struck, not found: Log: shop.log:9: never said

  Resolution
    1. Clear disk space on the DataNode
    2. Alert at 85 %

  Errors over time
    errors came      ·····················├─────────┤ 10:00:44 to 10:02:02
    ConnectionPool   ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁██▁▁▁▁▁▁▁▁▁▁▁▁▁ 2 from 10:00:12 to 10:00:19
    ReservationDao   ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁███████████ 3 from 10:00:44 to 10:02:02
                     ·····················▲·········· quoted: line 10
    StockClient      ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁██████▁▁▁▁▁ 2 from 10:00:44 to 10:01:21
    OrderController  ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁███████████ 3 from 10:00:44 to 10:02:02
    HealthCheck      ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁███▁▁ 2 from 10:01:30 to 10:01:40
    LeakDetection    ▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁█▁▁▁ 1 from 10:01:33 to 10:01:33

    Improvement Trajectory  85 → 90 → 92 (+7 points over 3 rounds) ▇██
    Convergence             Achieved (score plateau)

  Read  31 lines, 22 events, 12 templates
`);
});

it("says when the maximum of rounds ended a debate that had not converged", () => {
  const text = reportText(finished([roundWith(1, 60)], { stop_reason: "max_rounds", convergence_achieved: false }));
  expect(text).toMatch(/Convergence +Not achieved \(maximum rounds\)/);
});

it("numbers the stop checks of an export by their round", () => {
  const done = finished(
    [85, 90].map((score, index) => roundWith(index + 1, score)),
    {
      stop_reason: "plateau",
      convergence_achieved: true,
    },
  );
  const notes = [false, true].map((stop) => ({
    type: "stop_check",
    round: 0,
    data: { stop, stop_reason: stop ? "plateau" : null, plateau: stop, consensus: false, improvement: null },
  }));
  const sections = view({ ...done, result: { ...done.result, notes } });
  expect(sections.find(({ title }) => title === "Stop rules")).toMatchObject({
    steps: [
      { label: "after round 1", outcome: "go on" },
      { label: "after round 2", outcome: "stop: plateau" },
    ],
  });
});

function finished(
  rounds: Round[],
  stop: { stop_reason: RootCauseDecision["stop_reason"]; convergence_achieved: boolean },
) {
  const quorum = { asked: 12, answered: 12, repaired: 0, mended: 0, abstained: 0 };
  const log = RootCauseCaseSchema.parse(examples[0]?.input);
  const decision = decide(rounds, stop, { debate: { quorum: () => quorum, usage: () => noUsage }, log });
  const spend = { calls: 0, tokens: 0, usd: 0, refused: [] };
  const result = {
    version: 1 as const,
    outcome: "decided" as const,
    reasons: [],
    decision,
    quorum,
    usage: noUsage,
    spend,
    promptTokens: { total: 0, prefix: 0 },
    notes: [],
  };
  return {
    input: log,
    material: null,
    config: RootCauseConfigSchema.parse({}),
    result,
    turns: [],
  };
}

function roundWith(number: number, score: number): Round {
  const top = hypothesis("hybrid_1");
  const spoken = [
    { source: "log_focused" as const, hypotheses: ["log_1", "log_2", "log_3"].map(hypothesis) },
    { source: "kg_focused" as const, hypotheses: [hypothesis("kg_1")] },
    { source: "hybrid" as const, hypotheses: [top, hypothesis("hybrid_2"), hypothesis("hybrid_3")] },
  ];
  return buildRound(number, spoken, { evaluated: [evaluation(score)], same_cause: [], disagreement: null });
}

function hypothesis(id: string): Hypothesis {
  return {
    id,
    hypothesis: "DataNode disk space exhausted due to high replication rate",
    confidence: 0.95,
    reasoning: "r",
    evidence: [
      { kind: "log", ref: 12, quote: "Disk usage at 95%" },
      { kind: "kg", ref: "HDFS_001", quote: "disk full" },
    ],
    struck: [{ kind: "log", ref: 9, quote: "never said" }],
    category: "resource",
    affected_components: ["DataNode"],
    causal_path: [],
    suggested_resolution: ["Clear disk space on the DataNode", "Alert at 85 %"],
  };
}

function evaluation(judge_score: number): Evaluation {
  const subscores = {
    evidence_quality: judge_score - 70,
    reasoning_strength: 25,
    confidence_calibration: 20,
    completeness: 15,
    consistency: 10,
  };
  return {
    id: "hybrid_1",
    source: "hybrid",
    label: "H1",
    rank: 1,
    judge_score,
    ...subscores,
    strengths: [],
    weaknesses: [],
    feedback: "",
  };
}
