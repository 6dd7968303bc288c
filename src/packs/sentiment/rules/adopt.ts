/** Whether the result replaces Stage 1 (sentiment spec §7): a candidate that the EV score carries. */
import type { SentimentConfig } from "../config/config.ts";
import type { CaseTurns } from "../schemas/inputs.ts";
import type { AdoptReason, Correction, EvComponents } from "../schemas/output.ts";
import type { Polarity, Sentiment } from "../schemas/stage1.ts";
import type { Hint, ReviewContext } from "../schemas/stage2.ts";
import type { Reviewed } from "./apply-reviews.ts";
import { findEvidence, findMainReason, type GateOutcome } from "./override-gate.ts";
import type { Move, PatchOutcome } from "./settle.ts";
import {
  createSentiment,
  isBelow,
  isEvaluative,
  keepStated,
  listMentions,
  listPolarities,
  pickOwn,
  roundOff,
  type Stated,
} from "./tuples.ts";

export type Adoption = {
  adopted: boolean;
  candidate: boolean;
  reason: AdoptReason;
  ev_score: number;
  ev_components: EvComponents;
};

/** What the rules up to adoption made of a case. */
export type RuleResults = {
  turns: CaseTurns;
  context: ReviewContext | null;
  reviewed: Reviewed;
  /** Null without a patch debate. */
  patch: PatchOutcome | null;
  gate: GateOutcome | null;
  /** The reviewed list after the override. */
  patched: readonly Sentiment[];
};

/** A list as the rules see it and, with the neutral policy applied, as it is shown. */
type ListPair = { raw: readonly Sentiment[]; shown: Stated[]; mentions: string[] };

/** The lists that may end up as the result; `candidate` is what stands if it is adopted: the settled tuples, else the patched list. */
type CaseLists = { stage1: ListPair; patched: ListPair; settled: ListPair | null; candidate: ListPair };

/** Makes every list that may end up as the result, each under the same neutral policy (sentiment spec §2). */
export function makeLists(rules: RuleResults, policy: SentimentConfig["neutral_policy"]): CaseLists {
  const { turns, reviewed, patch } = rules;
  const pair = (raw: readonly Sentiment[], mentions: string[]) => applyNeutralPolicy(turns, raw, mentions, policy);
  const { aspects, aspect_sentiments } = turns.stage1;
  const stage1 = pair(aspect_sentiments, listMentions(aspects, aspect_sentiments));
  const patched = pair(rules.patched, listMentions(reviewed.aspects, rules.patched));
  if (patch === null) return { stage1, patched, settled: null, candidate: patched };
  const gone = new Set([...patch.dropped, ...patch.moves.map((move) => move.from)]);
  const completed = patch.settled.map((sentiment) => complete(sentiment, rules.patched));
  const mentions = listMentions(aspects, completed).filter((term) => !gone.has(term));
  const settled = pair(completed, mentions);
  return { stage1, patched, settled, candidate: settled };
}

/** `explicit` keeps a neutral only where the text itself rates the aspect as average, `mention` counts a mention without an opinion as neutral. */
function applyNeutralPolicy(
  { material }: CaseTurns,
  raw: readonly Sentiment[],
  mentions: readonly string[],
  policy: SentimentConfig["neutral_policy"],
): ListPair {
  const all = keepStated(raw);
  const rated = (list: readonly Stated[]) => new Set(list.map((sentiment) => sentiment.aspect_ref));
  if (policy === "mention") {
    const known = rated(all);
    const added = mentions
      .filter((term) => !known.has(term))
      .map((term) => createSentiment(term, "neutral", { evidence: "", confidence: 0 }));
    return { raw, shown: [...all, ...added], mentions: [] };
  }
  const kept = all.filter((sentiment) => isEvaluative(material, sentiment));
  const known = rated(kept);
  const unrated = [...rated(all)].filter((term) => term !== "" && !known.has(term));
  return { raw, shown: kept, mentions: [...new Set([...mentions, ...unrated])] };
}

/** Takes confidence and evidence from the patched list where it has the same tuple. */
function complete(sentiment: Stated, patched: readonly Sentiment[]): Stated {
  const same = keepStated(patched, sentiment.aspect_ref).find((one) => one.polarity === sentiment.polarity);
  if (!same) return sentiment;
  return {
    ...same,
    evidence: same.evidence || sentiment.evidence,
    opinion_term: same.opinion_term ?? sentiment.opinion_term,
  };
}

/** An aspect whose tuple would change: its polarities after, and the names that its votes were cast under. */
type TupleChange = { aspect: string; names: string[]; after: Polarity[] };

/** Compares two lists aspect by aspect; a renamed aspect is one change under both its names. */
function findTupleChanges(
  before: readonly Sentiment[],
  after: CaseLists["candidate"],
  moves: readonly Move[],
): TupleChange[] {
  const target = (term: string) => moves.find((move) => move.from === term)?.to ?? term;
  const names = [...new Set([...before, ...after.shown].map((sentiment) => sentiment.aspect_ref))];
  return [...new Set(names.map(target))].flatMap((aspect) => {
    const own = names.filter((name) => target(name) === aspect);
    const [old, fresh] = [listPolarities(before, own), listPolarities(after.shown, own)];
    const renamed = own.some((name) => name !== aspect && listPolarities(before, [name]).length > 0);
    if (!renamed && old.join() === fresh.join()) return [];
    return [{ aspect, names: own, after: listPolarities(after.raw, own) }];
  });
}

/** Decides whether the result is adopted. */
export function adopt(rules: RuleResults, lists: CaseLists, config: SentimentConfig): Adoption {
  const { turns, context, gate, reviewed } = rules;
  const changes = findTupleChanges(lists.stage1.shown, lists.candidate, rules.patch?.moves ?? []);
  const kept = reviewed.corrections.filter((one) => one.applied && !isReverted(one, rules));
  const resolvers = reviewed.resolving.filter((aspect) => kept.some((one) => one.target_aspect === aspect));
  const risks = turns.stage1.validator?.structural_risks ?? [];
  const resolved = resolvers.length === 0 ? [] : reviewed.resolved;
  /** What a correction changed that resolved a risk rests on the text, not on the debate. */
  const debated = changes.filter(({ names }) => !names.some((name) => resolvers.includes(name)));
  const ev_components: EvComponents = {
    debate_support: context && measureDebateSupport(rules, debated, context),
    validator_resolved: risks.length === 0 ? null : resolved.length / risks.length,
    grounding_improvement: measureGrounding(lists.stage1.raw, lists.candidate.raw),
    alignment_improvement: measureAlignment(lists.stage1.raw, lists.candidate.raw),
  };
  const ev_score = computeEvScore(ev_components);
  const end = (adopted: boolean, candidate: boolean, reason: AdoptReason): Adoption => {
    return { adopted, candidate, reason, ev_score, ev_components };
  };
  const all = [lists.stage1, lists.patched, lists.settled].flatMap((list) => list?.raw ?? []);
  const isEmpty = keepStated(all).length === 0;
  const acted = gate?.corrections.length || (rules.patch !== null && changes.length > 0);
  const isGrounded = keepExplicit(lists.stage1.raw).length === 0 && keepExplicit(all).length > 0;
  const found =
    resolved.length > 0 ? "risk_resolved" : acted ? "debate_action" : isGrounded ? "grounding_improved" : null;
  const reason = isEmpty ? null : found;
  if (reason === null)
    return end(false, false, isEmpty ? "low_signal" : (findMainReason(gate?.records ?? []) ?? "low_signal"));
  if (isContradicted(rules)) return end(false, true, "conflict_blocked");
  if (isBelow(ev_score, config.debate_override.ev_threshold)) return end(false, true, "ev_below_threshold");
  return end(true, true, reason);
}

/** True when the judge drops the aspect of the applied override, or gives it another polarity. */
function isContradicted({ gate, patch }: RuleResults): boolean {
  const applied = gate?.applied ?? null;
  if (applied === null || patch === null) return false;
  const word = patch.judge.word(applied.aspect);
  return patch.judge.drops(applied.aspect) || (word !== null && word !== applied.polarity);
}

/** The weight against a change of a Stage 2 review that changed the aspect in another way. */
const reviewWeight = 0.5;

/** The weight of the judge's tuple where Stage 1 found nothing and its patch casts no vote. */
const judgeWeight = 0.8;

/** How far the debate carries the changes: the mean, over changed aspects, of votes for minus against. */
function measureDebateSupport(
  rules: RuleResults,
  changes: readonly TupleChange[],
  context: ReviewContext,
): number | null {
  if (changes.length === 0) return null;
  const shares = changes.map((change) => measureSupport(rules, change, context));
  return shares.reduce((a, b) => a + b, 0) / shares.length;
}

function measureSupport({ turns, reviewed, patch }: RuleResults, change: TupleChange, context: ReviewContext): number {
  const { names, after } = change;
  const polarity = after[0] ?? null;
  if (!names.some((aspect) => findEvidence(turns.material, { aspect, polarity }, context).span !== null)) return 0;
  const hints = names.flatMap((name) => pickOwn(context.aspect_hints, name) ?? []);
  const sum = (list: readonly Hint[]) => list.reduce((total, hint) => total + hint.weight, 0);
  const heard = hints.filter((hint) => speaksOf(change, hint));
  const [stage1, review] = [turns.stage1.aspect_sentiments, reviewed.sentiments].map((list) =>
    listPolarities(list, names).join(),
  );
  const isOpposed = review !== stage1 && review !== after.join();
  const isJudged =
    !hints.some((hint) => hint.speaker === "judge") &&
    patch?.settlements.some((one) => names.includes(one.aspect) && one.reason === "added_stage1_found_nothing");
  const inFavour = sum(heard.filter((hint) => supports(change, hint))) + (isJudged ? judgeWeight : 0);
  const against = sum(heard.filter((hint) => !supports(change, hint))) + (isOpposed ? reviewWeight : 0);
  const total = inFavour + against;
  return total === 0 ? 0 : Math.max(0, (inFavour - against) / total);
}

/** A vote without a polarity speaks of nothing; a removal that names a polarity spares a new tuple of another. */
function speaksOf({ after }: TupleChange, { removal, removes, polarity_hint }: Hint): boolean {
  if (!removal) return polarity_hint !== null;
  return removes === null || after.length === 0 || after.includes(removes);
}

/** A vote for the new tuple, or for removal where the tuple goes. */
function supports({ after }: TupleChange, { removal, polarity_hint }: Hint): boolean {
  return after.length === 0 ? removal : polarity_hint !== null && after.includes(polarity_hint);
}

const evWeights = {
  debate_support: 0.6,
  validator_resolved: 0.2,
  grounding_improvement: 0.1,
  alignment_improvement: 0.1,
};

/** The EV score: the weighted mean of the components that apply. */
function computeEvScore(components: EvComponents): number {
  let [sum, weight] = [0, 0];
  for (const name of Object.keys(evWeights) as (keyof EvComponents)[]) {
    const value = components[name];
    if (value === null) continue;
    sum += evWeights[name] * value;
    weight += evWeights[name];
  }
  return roundOff(sum / weight);
}

/** How much the mean confidence rose, times five, within 0..1. */
function measureAlignment(before: readonly Sentiment[], after: readonly Sentiment[]): number {
  const mean = (list: readonly Sentiment[]) => {
    const all = keepStated(list);
    return all.length === 0 ? 0 : all.reduce((sum, sentiment) => sum + sentiment.confidence, 0) / all.length;
  };
  return Math.min(1, Math.max(0, 5 * (mean(after) - mean(before))));
}

/** The rise in the share of explicit sentiments; null unless Stage 1 had none. */
function measureGrounding(before: readonly Sentiment[], after: readonly Sentiment[]): number | null {
  if (keepExplicit(before).length > 0) return null;
  const all = keepStated(after).length;
  return all === 0 ? 0 : keepExplicit(after).length / all;
}

/** The stated sentiments on an aspect that the text names. */
function keepExplicit(list: readonly Sentiment[]): Sentiment[] {
  return keepStated(list).filter((sentiment) => !sentiment.is_implicit);
}

/** True when the settled tuples do not keep what a correction did; without a patch debate nothing is reverted. */
function isReverted(correction: Correction, { patch }: RuleResults): boolean {
  if (patch === null) return false;
  const aspect = correction.target_aspect;
  if (correction.resulting_term !== null)
    return patch.dropped.includes(aspect) || patch.moves.some((move) => move.from === aspect);
  const settled = listPolarities(patch.settled, [aspect]);
  if (correction.resulting_polarity !== null) return !settled.includes(correction.resulting_polarity);
  return correction.proposal_type.startsWith("DROP") && settled.length > 0;
}

/** All changes; in an adopted result, those that the settled tuples did not keep are named once more as reverted. */
export function logCorrections(rules: RuleResults, adopted: boolean): Correction[] {
  const asked = [...rules.reviewed.corrections, ...(rules.gate?.corrections ?? [])];
  const moved = rules.patch?.moved ?? [];
  if (!adopted) return [...asked, ...moved];
  const reverted = asked
    .filter((one) => one.applied && isReverted(one, rules))
    .map((one) => ({ ...one, applied: false, reason: "reverted_unsupported" }));
  return [...asked, ...moved, ...reverted];
}

const canon: Record<string, string[]> = {
  low_ev: [
    "ev_below_threshold",
    "low_signal",
    "max_one_override_per_sample",
    "neutral_only",
    "already_confident",
    "shared_reading",
    "one_sided",
  ],
  conflict: ["l3_conservative", "conflict_blocked", "action_ambiguity", "implicit_soft_only", "low_confidence"],
  no_evidence: ["no_evidence_span", "evidence_span_not_in_text", "evidence_span_missing_trigger"],
  memory_contradiction: ["contradictory_memory"],
};

/** The reason of the integrity checks that a refusal maps into (sentiment spec §9); null when it maps into none. */
export function mapRefusal(reason: string): string | null {
  return Object.entries(canon).find(([, reasons]) => reasons.includes(reason))?.[0] ?? null;
}
