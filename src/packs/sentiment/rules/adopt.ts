/** Decides whether the result replaces Stage 1 (sentiment spec §7), by the EV score. */
import type { SentimentConfig } from "../config/config.ts";
import type { Material } from "../schemas/material.ts";
import type { AdoptReason, Correction, EvComponents } from "../schemas/output.ts";
import type { Polarity, Sentiment } from "../schemas/stage1.ts";
import type { ReviewContext } from "../schemas/stage2.ts";
import { findEvidence, findMainReason } from "./override-gate.ts";
import type { SettledAspect, Settling } from "./settle.ts";
import {
  createSentiment,
  isBelow,
  isEvaluative,
  keepStated,
  listMentions,
  listPolarities,
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

type ListPair = { raw: readonly Sentiment[]; shown: Stated[]; mentions: string[] };

export type CaseLists = { stage1: ListPair; patched: ListPair; settled: ListPair };

export function makeLists(settling: Settling, policy: SentimentConfig["neutral_policy"]): CaseLists {
  const { turns, reviewed, judge, aspects } = settling;
  const pair = (raw: readonly Sentiment[], mentions: string[]) =>
    applyNeutralPolicy(turns.material, raw, mentions, policy);
  const first = turns.stage1;
  const patched = aspects.flatMap((one) => one.patched);
  const settled = aspects.flatMap((one) => one.settled);
  const dropped = aspects.filter(({ settlement }) => settlement.reason.startsWith("dropped"));
  const gone = new Set(dropped.map(({ aspect }) => aspect));
  return {
    stage1: pair(first.aspect_sentiments, listMentions(first.aspects, first.aspect_sentiments)),
    patched: pair(patched, listMentions(reviewed.aspects, patched)),
    settled: pair(
      settled,
      judge
        ? listMentions(first.aspects, settled).filter((term) => !gone.has(term))
        : listMentions(reviewed.aspects, settled),
    ),
  };
}

/** `explicit` keeps a neutral only if the text itself rates the aspect as average; `mention` counts a mere mention as neutral. */
function applyNeutralPolicy(
  material: Material,
  raw: readonly Sentiment[],
  mentions: readonly string[],
  policy: SentimentConfig["neutral_policy"],
): ListPair {
  const all = keepStated(raw);
  const refs = (list: readonly Stated[]) => new Set(list.map((sentiment) => sentiment.aspect_ref));
  if (policy === "mention") {
    const unrated = mentions.filter((term) => !refs(all).has(term));
    const added = unrated.map((term) => createSentiment(term, "neutral", { evidence: "", confidence: 0 }));
    return { raw, shown: [...all, ...added], mentions: [] };
  }
  const shown = all.filter((sentiment) => isEvaluative(material, sentiment));
  const unrated = [...refs(all)].filter((term) => term !== "" && !refs(shown).has(term));
  return { raw, shown, mentions: [...new Set([...mentions, ...unrated])] };
}

type TupleChange = SettledAspect & { after: Polarity[] };

function findTupleChanges(aspects: readonly SettledAspect[], { stage1, settled }: CaseLists): TupleChange[] {
  return aspects.flatMap((one) => {
    const [old, fresh, after] = [stage1.shown, settled.shown, settled.raw].map((list) =>
      listPolarities(list, one.aspect),
    );
    return old?.join() === fresh?.join() ? [] : [{ ...one, after: after ?? [] }];
  });
}

export function adopt(settling: Settling, lists: CaseLists, config: SentimentConfig): Adoption {
  const { turns, context, gate, judge, reviewed, aspects } = settling;
  const changes = findTupleChanges(aspects, lists);
  const kept = reviewed.corrections.filter((one) => one.applied && !isReverted(one, settling));
  const resolvers = reviewed.resolving.filter((aspect) => kept.some((one) => one.target_aspect === aspect));
  const risks = turns.stage1.validator?.structural_risks ?? [];
  const resolved = resolvers.length === 0 ? [] : reviewed.resolved;
  const debated = changes.filter(({ aspect }) => !resolvers.includes(aspect));
  const [before, after] = [lists.stage1.raw, lists.settled.raw];
  const ev_components: EvComponents = {
    debate_support:
      context && debated.length > 0 ? mean(debated.map((one) => measureSupport(turns.material, one, context))) : null,
    validator_resolved: risks.length === 0 ? null : resolved.length / risks.length,
    grounding_improvement: measureGrounding(before, after),
    alignment_improvement: Math.min(1, Math.max(0, 5 * (meanConfidence(after) - meanConfidence(before)))),
  };
  const ev_score = computeEvScore(ev_components);
  const end = (adopted: boolean, candidate: boolean, reason: AdoptReason): Adoption => {
    return { adopted, candidate, reason, ev_score, ev_components };
  };
  const all = [before, lists.patched.raw, after].flat();
  if (keepStated(all).length === 0) return end(false, false, "low_signal");
  const acted = gate?.applied || (judge !== null && changes.length > 0);
  const isGrounded = keepExplicit(before).length === 0 && keepExplicit(all).length > 0;
  const found =
    resolved.length > 0 ? "risk_resolved" : acted ? "debate_action" : isGrounded ? "grounding_improved" : null;
  if (found === null) return end(false, false, findMainReason(gate?.records ?? []) ?? "low_signal");
  if (isBelow(ev_score, config.debate_override.ev_threshold)) return end(false, true, "ev_below_threshold");
  return end(true, true, found);
}

/** Where Stage 1 found nothing, the judge's tuple counts like a vote. */
const judgeWeight = 0.8;

/** Support for a change: votes for minus against, as a share of all. */
function measureSupport(material: Material, change: TupleChange, context: ReviewContext): number {
  const { aspect, settlement } = change;
  const [polarity = null] = change.after;
  /** A removal of one polarity spares a new tuple of another. */
  const votes = change.votes?.filter(({ removes }) => removes === null || polarity === null || removes === polarity);
  if (findEvidence(material, { aspect, polarity }, context).span === null) return 0;
  const sum = (isFor: boolean) =>
    (votes ?? [])
      .filter(({ removal, polarity_hint }) => isFor === (polarity === null ? removal : polarity_hint === polarity))
      .reduce((total, { weight }) => total + weight, 0);
  const isByTuple =
    settlement.reason === "added_stage1_found_nothing" && !votes?.some((vote) => vote.speaker === "judge");
  const [inFavour, against] = [sum(true) + (isByTuple ? judgeWeight : 0), sum(false)];
  return inFavour === 0 ? 0 : Math.max(0, (inFavour - against) / (inFavour + against));
}

const evWeights = {
  debate_support: 0.6,
  validator_resolved: 0.2,
  grounding_improvement: 0.1,
  alignment_improvement: 0.1,
};

/** The EV score: the weighted mean of the applicable components. */
function computeEvScore(components: EvComponents): number {
  const names = (Object.keys(evWeights) as (keyof EvComponents)[]).filter((name) => components[name] !== null);
  const sum = (valueOf: (name: keyof EvComponents) => number) => names.reduce((all, name) => all + valueOf(name), 0);
  return roundOff(sum((name) => evWeights[name] * (components[name] ?? 0)) / sum((name) => evWeights[name]));
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
}

function meanConfidence(list: readonly Sentiment[]): number {
  return mean(keepStated(list).map(({ confidence }) => confidence));
}

/** The rise in the share of explicit sentiments; null unless Stage 1 had none. */
function measureGrounding(before: readonly Sentiment[], after: readonly Sentiment[]): number | null {
  if (keepExplicit(before).length > 0) return null;
  return keepExplicit(after).length / Math.max(1, keepStated(after).length);
}

function keepExplicit(list: readonly Sentiment[]): Sentiment[] {
  return keepStated(list).filter((sentiment) => !sentiment.is_implicit);
}

/** True when the settled tuples do not keep a correction; without a patch debate nothing is reverted. */
function isReverted(correction: Correction, { judge, aspects }: Settling): boolean {
  const own = aspects.find(({ aspect }) => aspect === correction.target_aspect);
  if (judge === null || !own) return false;
  if (correction.resulting_term !== null) return own.settlement.reason.startsWith("dropped");
  if (correction.resulting_polarity !== null)
    return !own.settled.some(({ polarity }) => polarity === correction.resulting_polarity);
  return correction.proposal_type.startsWith("DROP") && own.settled.length > 0;
}

/** All changes asked for, each once; in an adopted result, those not kept are called reverted. */
export function logCorrections(settling: Settling, adopted: boolean): Correction[] {
  const { reviewed, gate, moves } = settling;
  const asked = [...reviewed.corrections, ...(gate?.applied ? [gate.applied.correction] : [])];
  const log = asked.map((one) =>
    adopted && one.applied && isReverted(one, settling)
      ? { ...one, applied: false, reason: "reverted_unsupported" }
      : one,
  );
  return [...log, ...moves];
}

const canon: Record<string, string> = {
  low_ev:
    "ev_below_threshold low_signal max_one_override_per_sample neutral_only already_confident shared_reading one_sided",
  conflict: "l3_conservative conflict_blocked action_ambiguity implicit_soft_only low_confidence",
  no_evidence: "no_evidence_span evidence_span_not_in_text evidence_span_missing_trigger",
  memory_contradiction: "contradictory_memory",
};

/** The integrity reason for a refusal (sentiment spec §9); null if there is none. */
export function mapRefusal(reason: string): string | null {
  return Object.entries(canon).find(([, reasons]) => reasons.split(" ").includes(reason))?.[0] ?? null;
}
