import {
  type Evidence,
  type Hypothesis,
  type ReasonerName,
  reasonerNames,
  type SalvagedReply,
} from "../schemas/hypothesis.ts";
import type { Evaluation, JudgeEvaluation } from "../schemas/judgement.ts";
import type { Round, TopHypothesis } from "../schemas/round.ts";
import { compareIds } from "./judge-score.ts";
import type { ToldRound } from "./transcript.ts";
import type { Tops } from "./stop.ts";

/** What a reasoner said in a round. */
export type Spoken = { source: ReasonerName; hypotheses: Hypothesis[]; fewer_reason?: string | null };

/** Gives a reply the shape of the artifacts: what is null is left out. */
export function readHypotheses({ hypotheses }: SalvagedReply): Hypothesis[] {
  return hypotheses.map(({ changes_made, from, ...rest }) => ({
    ...rest,
    ...(changes_made && { changes_made }),
    ...(from && from.length > 0 && { from }),
  }));
}

/** The round as it stands in the artifacts; without a judgement its head is the most confident hypothesis. */
export function buildRound(round_number: number, spoken: Spoken[], judge_evaluation: JudgeEvaluation | null): Round {
  const said = (name: ReasonerName) => spoken.find(({ source }) => source === name)?.hypotheses ?? null;
  const hypotheses = { log_focused: said("log_focused"), kg_focused: said("kg_focused"), hybrid: said("hybrid") };
  const reasons = spoken.flatMap(({ source, fewer_reason }) => (fewer_reason ? [[source, fewer_reason]] : []));
  const fewer = reasons.length > 0 && { fewer_reasons: Object.fromEntries(reasons) as Round["fewer_reasons"] };
  return { round_number, hypotheses, ...fewer, judge_evaluation, top_hypothesis: pickTop(spoken, judge_evaluation) };
}

function pickTop(spoken: Spoken[], evaluation: JudgeEvaluation | null): TopHypothesis | null {
  const all = spoken.flatMap(({ source, hypotheses }) => hypotheses.map((hypothesis) => ({ ...hypothesis, source })));
  const best = evaluation?.evaluated[0];
  if (best) {
    const top = all.find(({ id }) => id === best.id);
    return top ? { ...top, judge_score: best.judge_score } : null;
  }
  const [top] = all.toSorted((a, b) => b.confidence - a.confidence || compareIds(a.id, b.id));
  return top ? { ...top, judge_score: null } : null;
}

/** Each reasoner's own best hypothesis of a judged round, and the judge's groups. */
export function pickTops({ hypotheses, judge_evaluation }: Round): Tops {
  const ranked = judge_evaluation?.evaluated ?? [];
  const tops = reasonerNames.flatMap((source) => {
    const best = ranked.find((evaluation) => evaluation.source === source);
    const hypothesis = (hypotheses[source] ?? []).find(({ id }) => id === best?.id);
    return hypothesis ? [{ source, hypothesis }] : [];
  });
  return { tops, same_cause: judge_evaluation?.same_cause ?? [] };
}

/** A hypothesis of one's own with what the judge said of it, joined by id. */
export type Reviewed = { hypothesis: Hypothesis; evaluation: Evaluation | null };

/** A hypothesis of another reasoner with its score. */
export type Rival = { hypothesis: Hypothesis; judge_score: number };

type Review = {
  reasoner: ReasonerName;
  own: readonly Reviewed[];
  others: readonly Rival[];
  told: readonly ToldRound[];
};

/** What the hypotheses quote that a reasoner is shown: who sees the log is told all rounds, the history reasoner the best of the last. */
export function listQuotes({ reasoner, own, others, told }: Review): Evidence[] {
  const reviewed = [...own, ...others].map(({ hypothesis }) => hypothesis);
  const all = reasoner === "kg_focused" ? reviewed : [...reviewed, ...told.flatMap(({ hypotheses }) => hypotheses)];
  return all.flatMap(({ evidence }) => evidence);
}

const mostRivals = 3;

/** What a reasoner gets back of the last round: its own hypotheses with the feedback of their id, and the others' best. */
export function reviewRound(last: Round | undefined, name: ReasonerName): { own: Reviewed[]; others: Rival[] } {
  const evaluated = last?.judge_evaluation?.evaluated ?? [];
  const evaluationOf = (id: string) => evaluated.find((evaluation) => evaluation.id === id) ?? null;
  const own = (last?.hypotheses[name] ?? []).map((hypothesis) => ({
    hypothesis,
    evaluation: evaluationOf(hypothesis.id),
  }));
  const others = evaluated
    .filter(({ source }) => source !== name)
    .flatMap(({ id, source, judge_score }) => {
      const hypothesis = last?.hypotheses[source]?.find((one) => one.id === id);
      return hypothesis ? [{ hypothesis, judge_score }] : [];
    });
  return { own, others: others.slice(0, mostRivals) };
}
