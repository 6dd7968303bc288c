import type { Block } from "../../../contract/prompt.ts";
import type { AnonymousHypothesis } from "../rules/anonymise.ts";
import { chooseShown } from "../rules/shown-lines.ts";
import type { ToldRound } from "../rules/transcript.ts";
import type { Evidence } from "../schemas/hypothesis.ts";
import type { Evaluation } from "../schemas/judgement.ts";
import type { IncidentData } from "./role-inputs.ts";

/** The rounds so far for who reads the log: hypotheses and what the judge said, block after block, so that prompts grow and do not change. */
export function buildRoundBlocks(told: readonly ToldRound[], incident: IncidentData): Block[] {
  return told.flatMap(({ round, hypotheses, evaluated }) => [
    buildHypotheses(round, hypotheses, incident),
    { label: `ROUND ${round} JUDGE`, json: evaluated.map(tellRemarks) },
  ]);
}

/** All hypotheses of a round under their labels; a line that is shown above is named and not quoted again. */
export function buildHypotheses(
  round: number,
  hypotheses: readonly AnonymousHypothesis[],
  incident: IncidentData,
): Block {
  const { refs } = chooseShown(incident.log, incident.logTokens);
  const shorten = ({ quote, ...item }: Evidence) =>
    item.kind === "log" && refs.has(String(item.ref)) ? item : { ...item, quote };
  return {
    label: `ROUND ${round} HYPOTHESES`,
    json: hypotheses.map((one) => ({ ...one, evidence: one.evidence.map(shorten) })),
  };
}

/** What the judge said of a hypothesis; feedback that only repeats the weaknesses is left out. */
export function tellRemarks({ label, judge_score, strengths, weaknesses, feedback }: Evaluation) {
  const isSaid = weaknesses.join(" ") === feedback;
  return { label, score: judge_score, strengths, weaknesses, ...(!isSaid && { feedback }) };
}
