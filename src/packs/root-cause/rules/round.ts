import { type Hypothesis, type ReasonerName, reasonerNames, type SalvagedReply } from "../schemas/hypothesis.ts";
import type { Evaluation, JudgeEvaluation } from "../schemas/judgement.ts";
import type { Round, TopHypothesis } from "../schemas/round.ts";
import { compareIds } from "./judge-score.ts";
import type { Tops } from "./stop.ts";

export type Spoken = { source: ReasonerName; hypotheses: Hypothesis[]; fewer_reason?: string | null };

/** Converts a reply to the artifact form, without nulls. */
export function readHypotheses({ hypotheses }: SalvagedReply): Hypothesis[] {
  return hypotheses.map(({ changes_made, from, ...rest }) => ({
    ...rest,
    ...(changes_made && { changes_made }),
    ...(from && from.length > 0 && { from }),
  }));
}

/** The round as stored in the artifacts; without a judgement, the most confident hypothesis leads. */
export function buildRound(
  round_number: number,
  spoken: readonly Spoken[],
  judge_evaluation: JudgeEvaluation | null,
): Round {
  const said = (name: ReasonerName) => spoken.find(({ source }) => source === name)?.hypotheses ?? null;
  const hypotheses = { log_focused: said("log_focused"), kg_focused: said("kg_focused"), hybrid: said("hybrid") };
  const reasons = spoken.flatMap(({ source, fewer_reason }) => (fewer_reason ? [[source, fewer_reason]] : []));
  const fewer = reasons.length > 0 && { fewer_reasons: Object.fromEntries(reasons) as Round["fewer_reasons"] };
  return { round_number, hypotheses, ...fewer, judge_evaluation, top_hypothesis: pickTop(spoken, judge_evaluation) };
}

function pickTop(spoken: readonly Spoken[], evaluation: JudgeEvaluation | null): TopHypothesis | null {
  const all = spoken.flatMap(({ source, hypotheses }) => hypotheses.map((hypothesis) => ({ ...hypothesis, source })));
  const best = evaluation?.evaluated[0];
  if (evaluation) {
    const top = all.find(({ id }) => id === best?.id);
    return top ? { ...top, judge_score: best?.judge_score ?? 0 } : null;
  }
  const [top] = all.toSorted((a, b) => b.confidence - a.confidence || compareIds(a.id, b.id));
  return top ? { ...top, judge_score: null } : null;
}

export function listHypotheses({ hypotheses }: Round): (Hypothesis & { source: ReasonerName })[] {
  return reasonerNames.flatMap((source) => (hypotheses[source] ?? []).map((one) => ({ ...one, source })));
}

/** Each reasoner's best hypothesis of a judged round, and the judge's groups. */
export function pickTops(round: Round): Tops {
  const ranked = round.judge_evaluation?.evaluated ?? [];
  const tops = reasonerNames.flatMap((source) => {
    const best = ranked.find((evaluation) => evaluation.source === source);
    const hypothesis = (round.hypotheses[source] ?? []).find(({ id }) => id === best?.id);
    return hypothesis ? [{ source, hypothesis }] : [];
  });
  return { tops, same_cause: round.judge_evaluation?.same_cause ?? [] };
}

export type Reviewed = { hypothesis: Hypothesis; evaluation: Evaluation | null };

export type Rival = { hypothesis: Hypothesis; judge_score: number };

const mostRivals = 3;

/** A reasoner's feedback on the last round: its own hypotheses with their evaluation, and the others' best, each once. */
export function reviewRound(last: Round | undefined, name: ReasonerName): { own: Reviewed[]; others: Rival[] } {
  const evaluated = last?.judge_evaluation?.evaluated ?? [];
  const evaluationOf = (id: string) => evaluated.find((evaluation) => evaluation.id === id) ?? null;
  const own = (last?.hypotheses[name] ?? []).map((hypothesis) => ({
    hypothesis,
    evaluation: evaluationOf(hypothesis.id),
  }));
  const mine = new Set(own.flatMap(({ evaluation }) => evaluation?.label ?? []));
  const others = evaluated
    .filter(
      ({ source, label }, index) =>
        source !== name && !mine.has(label) && evaluated.findIndex((one) => one.label === label) === index,
    )
    .flatMap(({ id, source, judge_score }) => {
      const hypothesis = last?.hypotheses[source]?.find((one) => one.id === id);
      return hypothesis ? [{ hypothesis, judge_score }] : [];
    });
  return { own, others: others.slice(0, mostRivals) };
}
