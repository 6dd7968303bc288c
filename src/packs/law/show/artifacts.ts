import type { Artifact } from "../../../engine/pack.ts";
import type { LawDecision } from "../schemas/decision.ts";
import type { LawFinished } from "./law-finished.ts";
import { answerSections } from "./report.ts";
import { faultsOf } from "./story.ts";

/** The files of a run's folder, with exactly the names of the seed (law spec §6). */
export function artifacts({ result }: LawFinished): Artifact[] {
  const { decision, usage } = result;
  if (!decision) return [];
  const rounds = decision.rounds.flatMap(({ round, nla, ala, nla_on_ala, ala_on_nla }) => [
    writeJson(`debate_round${round}_nla.json`, dropVector(nla)),
    writeJson(`debate_round${round}_ala.json`, dropVector(ala)),
    ...(nla_on_ala ? [writeJson(`critique_round${round}_nla_on_ala.json`, nla_on_ala)] : []),
    ...(ala_on_nla ? [writeJson(`critique_round${round}_ala_on_nla.json`, ala_on_nla)] : []),
  ]);
  return [
    ...rounds,
    ...(decision.summary
      ? [writeJson("debate_summary.json", { ...decision.summary, faults: faultsOf(decision), usage })]
      : []),
    writeJson("supervisor.json", supervisorOf(decision)),
    { name: "answer.md", content: [{ kind: "group", title: decision.query, sections: answerSections(decision) }] },
  ];
}

function dropVector(output: LawDecision["rounds"][number]["nla"]) {
  const { vector, ...said } = output;
  return vector === undefined ? output : said;
}

function writeJson(name: string, value: unknown): Artifact {
  return { name, content: `${JSON.stringify(value, null, 2)}\n` };
}

/** The supervisor's message as the spec has it. */
export function supervisorOf(decision: LawDecision) {
  const {
    answer,
    position,
    reasons,
    used_claims,
    rejected_claims,
    applicable_regimes,
    dissent,
    needs_human_review,
    disclaimer,
  } = decision;
  return {
    answer,
    position,
    reasons,
    used_claims,
    rejected_claims,
    applicable_regimes,
    dissent,
    needs_human_review,
    disclaimer,
  };
}
