import type { JudgeInput } from "../roles/roles.ts";
import { coverWords } from "../rules/compare-wording.ts";
import { findLine, addressesReader } from "../rules/evidence.ts";
import type { AnonymousHypothesis } from "../rules/judge-score.ts";
import { agree } from "../rules/stop.ts";
import type { Hypothesis } from "../schemas/hypothesis.ts";
import { type JudgeReply, type LabelScore, rubric, type Subscores } from "../schemas/judgement.ts";
import type { Material, MaterialSuspect } from "../schemas/material.ts";
import { calibrateCalm, rateIncident, roundConfidence, settles } from "./propose.ts";

type Support = {
  support: number;
  confidence: number;
  found: MaterialSuspect | null;
  isFirst: boolean;
  isWorded: boolean;
};

/** The expert judge: points for verified facts, never for style (root-cause spec §4.6). */
export function judgeByFacts({ material, hypotheses }: JudgeInput): JudgeReply {
  const judged = hypotheses.map((hypothesis) => ({ hypothesis, support: weigh(hypothesis, material) }));
  // Where the best reading is unsure, nothing gets many points.
  const [best] = judged.toSorted((a, b) => b.support.support - a.support.support);
  const sure = Math.min(1, (best?.support.confidence ?? 0) / 0.6);
  const scores = judged.map(({ hypothesis, support }): LabelScore => {
    const rivals = judged
      .filter((other) => !isSameCause(other.hypothesis, hypothesis))
      .map((other) => other.support.support);
    const subscores = scoreOne(hypothesis, support, { rival: Math.max(0, ...rivals), sure });
    return { label: hypothesis.label, ...remark(hypothesis, support), ...subscores };
  });
  return {
    scores: breakTies(
      scores,
      judged.map(({ support }) => support),
    ),
    same_cause: groupByCause(hypotheses),
  };
}

function isSameCause(a: AnonymousHypothesis, b: AnonymousHypothesis): boolean {
  return agree(a as unknown as Hypothesis, b as unknown as Hypothesis, 0.5);
}

/** Different causes never get equal points: the better supported, then the earlier one, gets a tenth more. */
function breakTies(scores: readonly LabelScore[], supports: readonly Support[]): LabelScore[] {
  const order = scores
    .map((_, index) => index)
    .toSorted(
      (a, b) =>
        (supports[b]?.support ?? 0) - (supports[a]?.support ?? 0) ||
        (supports[a]?.found?.at ?? 0) - (supports[b]?.found?.at ?? 0) ||
        a - b,
    );
  return scores.map((score, index) => ({
    ...score,
    consistency: Math.max(0, Math.round(100 * (score.consistency - 0.02 * order.indexOf(index))) / 100),
  }));
}

function weigh(hypothesis: AnonymousHypothesis, material: Material): Support {
  const { witness, history } = material;
  const { category, evidence, affected_components, hypothesis: claim } = hypothesis;
  if (category === "none") {
    const calm = witness.calm * (1 - 0.75 * rateKnownFault(material));
    return {
      support: calm,
      confidence: calibrateCalm(material),
      found: null,
      isFirst: true,
      isWorded: true,
    };
  }
  const cited = new Set(
    evidence
      .filter(({ kind, ref }) => kind !== "kg" && !addressesReader(findLine(material, ref)?.text ?? ""))
      .map(({ ref }) => String(ref)),
  );
  const isAbout = (ref: string) => (suspect: MaterialSuspect) =>
    [suspect.refs[0], ...suspect.numbers].some((own) => String(own) === ref);
  // What is cited first is what is blamed; the rest is what came before and after.
  const led = [...cited].map((ref) => witness.suspects.filter(isAbout(ref))).find((own) => own.length > 0);
  const seen =
    led ?? witness.suspects.filter(({ refs, numbers }) => [...refs, ...numbers].some((ref) => cited.has(String(ref))));
  const rated = seen.map((found) => {
    const sameKind = found.category === category ? 1 : 0.8;
    const named = [claim, ...affected_components].join(" ").toLowerCase();
    const samePlace = found.place === null || named.includes(found.place.toLowerCase()) ? 1 : 0.75;
    const worded = coverWords(found.words, claim) >= 0.5 ? 1 : 0.8;
    return { found, isWorded: worded === 1, support: found.strength * sameKind * samePlace * worded };
  });
  const [best] = rated.toSorted((a, b) => b.support - a.support);
  const past = evidence
    .filter(({ kind }) => kind === "kg")
    .flatMap(({ ref }) =>
      (history?.similar_incidents ?? []).filter(
        ({ incident_id, cause }) => incident_id === ref && claim.includes(cause),
      ),
    );
  const recalled = Math.max(0, ...past.map((incident) => rateIncident(incident, material)));
  const support = Math.max(best?.support ?? 0, recalled * (cited.size > 0 ? 1 : 0.9));
  // A line that states the cause may come after the effects: a leak is reported only when everything is used up.
  const states = best?.found.kind === "words" && best.found.role === "cause";
  const from = states ? null : (best?.found.at ?? null);
  const isFirst = from === null || witness.onset === null || from <= witness.onset + 5000;
  const confidence =
    recalled > (best?.support ?? 0)
      ? recalled
      : best
        ? roundConfidence((best.found.likely * best.support) / best.found.strength)
        : 0.05;
  return {
    support,
    confidence,
    found: best?.found ?? null,
    isFirst,
    isWorded: best?.isWorded ?? recalled > 0,
  };
}

function rateKnownFault(material: Material): number {
  const faults = material.history?.similar_incidents.filter(({ category }) => category !== "none") ?? [];
  const best = Math.max(0, ...faults.map((incident) => rateIncident(incident, material)));
  return best >= settles ? best : 0;
}

function scoreOne(
  hypothesis: AnonymousHypothesis,
  { support, confidence }: Support,
  { rival, sure }: { rival: number; sure: number },
): Subscores {
  const { causal_path, affected_components, suggested_resolution, category } = hypothesis;
  const carried = sure * Math.min(1, support / 0.6);
  const shares = {
    evidence_quality: 0.15 + 0.85 * support,
    reasoning_strength:
      carried * (0.85 + (causal_path.length >= 2 || (category === "none" && support >= rival) ? 0.15 : 0)),
    confidence_calibration: carried * (1 - Math.min(1, 1.5 * Math.abs(hypothesis.confidence - confidence))),
    completeness:
      carried *
      (0.5 * support +
        (affected_components.length > 0 || category === "none" ? 0.25 : 0) +
        (suggested_resolution.length > 0 ? 0.25 : 0)),
    consistency: (1 - Math.max(0, rival - support)) * (hypothesis.struck?.length ? 0.7 : 1) * carried,
  };
  const points = Object.entries(rubric).map(([criterion, most]) => [
    criterion,
    Math.round(Math.min(1, Math.max(0, shares[criterion as keyof typeof shares])) * most * 10) / 10,
  ]);
  return Object.fromEntries(points) as Subscores;
}

function remark(
  { category, confidence, struck, evidence }: AnonymousHypothesis,
  { support, found, isFirst, isWorded, confidence: due }: Support,
): Pick<LabelScore, "strengths" | "weaknesses" | "feedback"> {
  const strengths: string[] = [];
  const weaknesses: string[] = [];
  if (category === "none")
    (support >= 0.5 ? strengths : weaknesses).push(
      support >= 0.5
        ? "The only trouble runs through the whole log or has passed."
        : "Errors that are new in this log stay unexplained.",
    );
  else if (found) {
    const where = found.refs.length > 0 ? `Line ${found.refs[0]}` : "The finding";
    (isFirst ? strengths : weaknesses).push(
      isFirst ? `${where} comes before the effects.` : `${where} comes after the first trouble.`,
    );
    if (found.role === "symptom") weaknesses.push("It shows the failure, not its cause.");
    if (!isWorded) weaknesses.push("Its lines do not say what is claimed.");
  } else
    weaknesses.push(
      evidence.length > 0 && support > 0
        ? "It is based on a past incident alone."
        : "Nothing it cites concerns the errors.",
    );
  if (struck?.length) weaknesses.push(`${struck.length} quotes were struck.`);
  const off = confidence - due;
  if (Math.abs(off) > 0.15)
    weaknesses.push(`The confidence is too ${off > 0 ? "high" : "low"}: about ${due.toFixed(2)} fits.`);
  return { strengths, weaknesses, feedback: weaknesses.length > 0 ? "" : "Nothing to change." };
}

function groupByCause(hypotheses: readonly AnonymousHypothesis[]): string[][] {
  const groups: AnonymousHypothesis[][] = [];
  for (const hypothesis of hypotheses) {
    const group = groups.find(([first]) => first && isSameCause(first, hypothesis));
    if (group) group.push(hypothesis);
    else groups.push([hypothesis]);
  }
  return groups.filter((group) => group.length > 1).map((group) => group.map(({ label }) => label));
}
