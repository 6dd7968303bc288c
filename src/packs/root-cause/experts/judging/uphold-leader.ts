import type { AnonymousHypothesis } from "../../rules/anonymise.ts";
import { addSubscores } from "../../rules/judge-score.ts";
import type { ToldRound } from "../../rules/transcript.ts";
import type { LabelScore } from "../../schemas/judgement.ts";
import { isSameCause } from "./same-cause.ts";
import type { Support } from "./weigh-hypothesis.ts";

/** A lead of fewer points is within what a few more quotes of the same make; as little ends a debate (`plateau_points`). */
const clearLead = 5;

/** What led the last round. */
export function findLeader(told: readonly ToldRound[]): AnonymousHypothesis | null {
  const last = told.at(-1);
  const best = last?.evaluated.toSorted((a, b) => a.rank - b.rank)[0];
  return last?.hypotheses.find(({ label }) => label === best?.label) ?? null;
}

type Judged = { hypothesis: AnonymousHypothesis; support: Support };

/**
 * Keeps what led the last round ahead of another cause whose lead is small: a verified hypothesis is overturned by evidence
 * that puts another one clearly in front or by a confirmed incident that settles the matter, not by a fuller account.
 */
export function upholdLeader(
  scores: readonly LabelScore[],
  { judged, leader }: { judged: readonly Judged[]; leader: AnonymousHypothesis | null },
): LabelScore[] {
  const isLeading = ({ label }: LabelScore) =>
    leader !== null && judged.some(({ hypothesis }) => hypothesis.label === label && isSameCause(hypothesis, leader));
  const standing = Math.max(-1, ...scores.filter(isLeading).map(addSubscores));
  const settled = new Set(
    judged.filter(({ support }) => support.match?.settles).map(({ hypothesis }) => hypothesis.label),
  );
  return scores.map((score) => {
    const lead = addSubscores(score) - standing;
    if (standing < 0 || isLeading(score) || settled.has(score.label) || lead < 0 || lead >= clearLead) return score;
    return putBehind(score, lead);
  });
}

const remark = "What led the last round is as well supported; nothing new puts this clearly ahead of it.";

/** Takes just so many points for consistency, and for reasoning where these do not suffice, that the leader stays ahead. */
function putBehind(score: LabelScore, lead: number): LabelScore {
  const excess = Math.round((lead + 0.1) * 10) / 10;
  const first = Math.min(excess, score.consistency);
  return {
    ...score,
    weaknesses: [...score.weaknesses, remark],
    feedback: `${score.feedback === "Keep it as it is." ? "" : `${score.feedback} `}${remark}`,
    consistency: roundPoints(score.consistency - first),
    reasoning_strength: roundPoints(Math.max(0, score.reasoning_strength - (excess - first))),
  };
}

function roundPoints(points: number): number {
  return Math.round(points * 10) / 10;
}
