import type { Finding } from "../../../engine/pack.ts";
import type { RootCauseDecision, Round } from "../decision.ts";
import { gatherIncident } from "../gather-incident.ts";
import { reasonerNames } from "../hypothesis.ts";
import { evidenceProblem } from "../roles/check-hypotheses.ts";
import { finalHypothesis } from "../rules/final.ts";
import { judgeScore } from "../rules/judge-score.ts";
import type { Done } from "./report.ts";

/** The pack's integrity checks: quotes exist, scores are sums, every hypothesis was scored, the final one is the best. */
export function verify(done: Done): Finding[] {
  const { decision } = done.result;
  if (!decision) return [];
  return [...quoteFindings(done, decision), ...decision.rounds.flatMap(scoreFindings), finalFinding(decision)];
}

function quoteFindings({ input, config }: Done, { rounds }: RootCauseDecision): Finding[] {
  const incident = gatherIncident(input, config);
  return rounds.flatMap(({ round_number, hypotheses }) =>
    reasonerNames.flatMap((reasoner) =>
      (hypotheses[reasoner] ?? []).map(({ id, evidence }) => {
        const wrong = evidence.flatMap((item) => evidenceProblem(item, { incident, reasoner })?.message ?? []);
        const message = wrong.length === 0 ? `${evidence.length} quotes stand where they are cited` : wrong.join("; ");
        return { check: "quotes exist", ok: wrong.length === 0, where: `round ${round_number}, ${id}`, message };
      }),
    ),
  );
}

function scoreFindings({ round_number, hypotheses, judge_evaluation }: Round): Finding[] {
  if (!judge_evaluation) return [];
  const where = `round ${round_number}`;
  const wrong = judge_evaluation.evaluated.filter((one) => Math.abs(judgeScore(one) - one.judge_score) > 0.011);
  const scored = new Set(judge_evaluation.evaluated.map(({ id }) => id));
  const missing = reasonerNames.flatMap((name) => hypotheses[name] ?? []).filter(({ id }) => !scored.has(id));
  return [
    {
      check: "scores are sums",
      ok: wrong.length === 0,
      where,
      message: wrong.map(({ id }) => `${id} is not the sum of its subscores`).join("; ") || "all are",
    },
    {
      check: "all are scored",
      ok: missing.length === 0,
      where,
      message: missing.map(({ id }) => `${id} has no score`).join("; ") || "all are",
    },
  ];
}

function finalFinding({ rounds, final_hypothesis }: RootCauseDecision): Finding {
  const ok = JSON.stringify(finalHypothesis(rounds)) === JSON.stringify(final_hypothesis);
  return {
    check: "the final is the best",
    ok,
    where: "final_hypothesis",
    message: ok ? "it is" : "another hypothesis scored higher",
  };
}
