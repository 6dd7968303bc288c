import type { Finding } from "../../../engine/pack.ts";
import { gatherIncident } from "../roles/gather-incident.ts";
import { reasonerNames } from "../schemas/hypothesis.ts";
import { checkEvidence } from "../rules/check-evidence.ts";
import { pickFinal } from "../rules/final.ts";
import { addSubscores } from "../rules/judge-score.ts";
import type { DebateRecord, Round } from "../schemas/round.ts";
import type { Done } from "./done.ts";

/** The pack's integrity checks: quotes exist, scores are sums, every hypothesis was scored, the final one is the best. */
export function verify(done: Done): Finding[] {
  const { decision } = done.result;
  if (!decision) return [];
  return [...checkQuotes(done, decision), ...decision.rounds.flatMap(checkScores), checkFinal(decision)];
}

function checkQuotes({ input, config }: Done, { rounds }: DebateRecord): Finding[] {
  const incident = gatherIncident(input, config);
  return rounds.flatMap(({ round_number, hypotheses }, index) => {
    const quoted = rounds
      .slice(0, index)
      .flatMap((before) => reasonerNames.flatMap((name) => before.hypotheses[name] ?? []))
      .flatMap(({ evidence }) => evidence);
    return reasonerNames.flatMap((reasoner) =>
      (hypotheses[reasoner] ?? []).map(({ id, evidence }) => {
        const wrong = evidence.flatMap((item) => checkEvidence(item, incident, { reasoner, quoted })?.message ?? []);
        const message = wrong.length === 0 ? `${evidence.length} quotes stand where they are cited` : wrong.join("; ");
        return { check: "quotes exist", ok: wrong.length === 0, where: `round ${round_number}, ${id}`, message };
      }),
    );
  });
}

function checkScores({ round_number, hypotheses, judge_evaluation }: Round): Finding[] {
  if (!judge_evaluation) return [];
  const where = `round ${round_number}`;
  const wrong = judge_evaluation.evaluated.filter((one) => Math.abs(addSubscores(one) - one.judge_score) > 0.011);
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

function checkFinal({ rounds, final_hypothesis }: DebateRecord): Finding {
  const ok = JSON.stringify(pickFinal(rounds)) === JSON.stringify(final_hypothesis);
  return {
    check: "the final is the best",
    ok,
    where: "final_hypothesis",
    message: ok ? "it is" : "another hypothesis scored higher",
  };
}
