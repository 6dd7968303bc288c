/** What the debate gives to Stage 2 and to the gate, built by rules alone (sentiment spec §4). */
import { readPrompt } from "../prompts/read-prompts.ts";
import type { DebateOutput, Edit, Patch, PatchDebate, StanceDebate, StanceSummary } from "../schemas/debate.ts";
import type { Material } from "../schemas/material.ts";
import type { Polarity, Sentiment, Stage1 } from "../schemas/stage1.ts";
import type { Hint, RebuttalPoint, ReviewContext } from "../schemas/stage2.ts";
import { type AspectMatcher, createMatcher, listStage1Terms } from "./matcher.ts";
import { inferLabel } from "./moderate.ts";
import { canonicalisePolarity, findMostConfident, keepOwnVoices, keepStated, readVote } from "./tuples.ts";

const review_guidance = readPrompt("review_guidance");
const fallback_mapping_policy = readPrompt("fallback_mapping_policy");

const speakerWeights: Record<string, number> = {
  set_polarity: 0.5,
  confirm_tuple: 0.5,
  merge_tuples: 0.5,
  drop_tuple: 0.8,
};
const judgeWeight = 0.8;

export function buildReviewContext(input: { material: Material; stage1: Stage1; debate: DebateOutput }): ReviewContext {
  const { material, stage1, debate } = input;
  const terms = listDiscussedTerms(stage1, debate);
  const matcher = createMatcher(material, terms);
  const ballot = openBallot();
  const points =
    debate.style === "patch"
      ? listPatchPoints(debate, stage1, matcher, ballot)
      : listStancePoints(debate, stage1, matcher, ballot);
  const named = terms.filter((term) => term !== "");
  return {
    summary: debate.summary,
    rebuttal_points: points,
    aspect_terms: named,
    synonym_hints: listSynonyms(named, matcher, material),
    ...ballot.count(),
    mapping_stats: countMappings(points),
    mapping_fail_reasons: countFailures(points),
    review_guidance,
    fallback_mapping_policy,
  };
}

/** The Stage 1 aspects, and the implicit one when the judge speaks of it. */
function listDiscussedTerms(stage1: Stage1, { summary }: DebateOutput): string[] {
  const terms = listStage1Terms(stage1);
  const tuples = summary !== null && "final_tuples" in summary ? summary.final_tuples : [];
  return terms.includes("") || !tuples.some((tuple) => tuple.aspect_ref === "") ? terms : [...terms, ""];
}

/** One vote for each speaker and aspect, the last: who repeats himself says no more than once. */
function openBallot() {
  const hints = new Map<string, Map<string, Hint>>();
  const invalid = new Map<string, number>();
  const own = (aspect: string) => hints.get(aspect) ?? hints.set(aspect, new Map()).get(aspect) ?? new Map();
  return {
    cast: (aspect: string, speaker: string, hint: Hint) => void own(aspect).set(speaker, hint),
    refuse: (aspect: string) => {
      own(aspect);
      invalid.set(aspect, (invalid.get(aspect) ?? 0) + 1);
    },
    count: () => ({
      aspect_hints: Object.fromEntries([...hints].map(([aspect, votes]) => [aspect, [...votes.values()]])),
      invalid_hint_count: Object.fromEntries(invalid),
    }),
  };
}
type Ballot = ReturnType<typeof openBallot>;

function toHint(by: Pick<Hint, "speaker" | "stance" | "weight" | "by_program">, rest: Partial<Hint> = {}): Hint {
  const { speaker, stance, weight, by_program } = by;
  const provenance_hint = `source:${speaker}/${stance}`;
  return {
    speaker,
    stance,
    weight,
    polarity_hint: null,
    provenance_hint,
    removal: false,
    removes: null,
    confidence: null,
    by_program,
    ...rest,
  };
}

type AspectVote = { aspect: string | null | undefined; hint: Hint; invalid: boolean };

/** An edit as a vote; a null aspect was named and is unknown, an undefined one was not named at all. */
function readAspectVote(
  edit: Edit | Patch,
  by: { speaker: string; weight: number; confidence: number | null; by_program: boolean },
  matcher: AspectMatcher,
): AspectVote {
  const { polarity, removal, removes, invalid } = readVote(edit);
  const name = edit.target.aspect_ref.trim();
  const match = matcher.resolve(name);
  const weight = polarity !== null || removal ? by.weight : 0;
  return {
    aspect: name === "" ? (match.aspect ?? undefined) : match.aspect,
    invalid,
    hint: toHint(
      { speaker: by.speaker, stance: "patch", weight, by_program: by.by_program },
      { polarity_hint: polarity, removal, removes, confidence: by.confidence },
    ),
  };
}

/** A turn that proposes nothing has nothing to map: neither a mapping that failed nor a neutral stance. */
const silent: Mapping = { aspect_refs: [], mapping: "none", mapping_fail_reason: null };

function listPatchPoints(debate: PatchDebate, stage1: Stage1, matcher: AspectMatcher, ballot: Ballot): RebuttalPoint[] {
  const spoken = debate.rounds.flatMap(({ turns }) => turns);
  const voices = new Set(keepOwnVoices(spoken));
  const points = spoken.map((turn): RebuttalPoint => {
    const votes = turn.proposed_edits.map((edit) =>
      readAspectVote(
        edit,
        {
          speaker: turn.agent,
          weight: speakerWeights[edit.op] ?? 0,
          confidence: edit.confidence,
          by_program: turn.by_program,
        },
        matcher,
      ),
    );
    const direct = votes.flatMap((vote) => (typeof vote.aspect === "string" ? [{ ...vote, aspect: vote.aspect }] : []));
    const isVoice = voices.has(turn);
    for (const { aspect, hint, invalid } of isVoice ? direct : [])
      if (invalid) ballot.refuse(aspect);
      else if (hint.weight > 0) ballot.cast(aspect, turn.speaker, hint);
    const hint = votes.find((vote) => vote.hint.polarity_hint !== null)?.hint;
    const mapping =
      turn.proposed_edits.length === 0 && matcher.terms.length > 0
        ? silent
        : mapTurn(
            direct.map((vote) => vote.aspect),
            hint?.polarity_hint ?? null,
            { terms: matcher.terms, sentiments: stage1.aspect_sentiments },
          );
    if (isVoice && mapping.mapping === "fallback" && hint)
      for (const aspect of mapping.aspect_refs) ballot.cast(aspect, turn.speaker, hint);
    return {
      speaker: turn.agent,
      stance: "patch",
      round: turn.round,
      message: "",
      key_points: turn.proposed_edits.map(writeEdit),
      ...mapping,
      weight: isVoice ? (hint?.weight ?? 0) : 0,
      polarity_hint: hint?.polarity_hint ?? null,
      provenance_hint: `source:${turn.agent}/patch`,
    };
  });
  const by_program = spoken.length > 0 && spoken.every((turn) => turn.by_program);
  const judge = { speaker: "judge", weight: judgeWeight, confidence: null, by_program };
  for (const patch of debate.summary?.final_patch ?? []) {
    if (!["confirm_tuple", "set_polarity", "drop_tuple"].includes(patch.op)) continue;
    const { aspect, hint, invalid } = readAspectVote(patch, judge, matcher);
    if (typeof aspect !== "string") continue;
    if (invalid) ballot.refuse(aspect);
    else ballot.cast(aspect, "judge", hint);
  }
  return points;
}

function writeEdit({ op, target, value }: Edit): string {
  return [op, target.aspect_ref, target.polarity, value].filter((part) => part !== null && part !== "").join(" ");
}

/** How much a stance weighs and which polarity it argues for (sentiment spec §4). */
export function readStance(stance: string): { weight: number; polarity: Polarity } {
  const word = stance.trim().toLowerCase();
  if (word === "pro") return { weight: 1, polarity: "positive" };
  if (word === "con") return { weight: 1, polarity: "negative" };
  return { weight: word === "neutral" ? 0.6 : 0.8, polarity: "neutral" };
}

/** A speaker who gives no point has conceded: it casts no vote. */
function listStancePoints(
  debate: StanceDebate,
  stage1: Stage1,
  matcher: AspectMatcher,
  ballot: Ballot,
): RebuttalPoint[] {
  const place = { terms: matcher.terms, sentiments: stage1.aspect_sentiments };
  const spoken = debate.rounds.flatMap(({ turns }) => turns);
  const last = new Map(spoken.map((turn) => [turn.speaker, turn]));
  const points = spoken.map((turn): RebuttalPoint => {
    const { weight, polarity } = readStance(turn.stance);
    const hint = toHint({ speaker: turn.agent, stance: turn.stance, weight, by_program: turn.by_program });
    const mapping = mapTurn(matcher.named([turn.message, ...turn.key_points].join("\n")), polarity, place);
    const conceded = last.get(turn.speaker)?.key_points.length === 0;
    for (const aspect of conceded ? [] : mapping.aspect_refs)
      ballot.cast(aspect, turn.speaker, { ...hint, polarity_hint: polarity });
    return {
      speaker: turn.agent,
      stance: turn.stance,
      round: turn.round,
      message: turn.message,
      key_points: turn.key_points,
      ...mapping,
      weight: conceded ? 0 : weight,
      polarity_hint: polarity,
      provenance_hint: hint.provenance_hint,
    };
  });
  const discussed = [...new Set(points.flatMap((point) => point.aspect_refs))];
  const by_program = spoken.length > 0 && spoken.every((turn) => turn.by_program);
  const judged = debate.summary ? judgeAspects(debate.summary, discussed, matcher) : [];
  for (const { aspect, polarity } of judged)
    ballot.cast(
      aspect,
      "judge",
      toHint({ speaker: "judge", stance: "judge", weight: judgeWeight, by_program }, { polarity_hint: polarity }),
    );
  return points;
}

/** The judge's vote on each aspect it names in consensus or agreements, else on all that were discussed (sentiment spec §4). */
function judgeAspects(summary: StanceSummary, discussed: readonly string[], matcher: AspectMatcher) {
  const polarity = canonicalisePolarity(inferLabel(summary, null));
  if (polarity === null) return [];
  const named = matcher.named([summary.consensus ?? "", ...summary.key_agreements].join("\n"));
  return (named.length > 0 ? named : discussed).map((aspect) => ({ aspect, polarity }));
}

/** Where a turn was mapped to, and why not if it was not. */
type Mapping = Pick<RebuttalPoint, "aspect_refs" | "mapping" | "mapping_fail_reason">;

/** Maps a turn to aspects (sentiment spec §4): directly, else to the most confident sentiment of its polarity, else nowhere. */
function mapTurn(
  direct: readonly string[],
  polarityHint: string | null,
  stage1: { terms: readonly string[]; sentiments: readonly Sentiment[] },
): Mapping {
  if (direct.length > 0) return { aspect_refs: [...new Set(direct)], mapping: "direct", mapping_fail_reason: null };
  const none = (reason: "no_aspects" | "no_match" | "neutral_stance"): Mapping => ({
    aspect_refs: [],
    mapping: "none",
    mapping_fail_reason: reason,
  });
  if (stage1.terms.length === 0) return none("no_aspects");
  const polarity = canonicalisePolarity(polarityHint);
  if (polarity === null || polarity === "neutral") return none("neutral_stance");
  const best = findMostConfident(keepStated(stage1.sentiments).filter((sentiment) => sentiment.polarity === polarity));
  if (!best) return none("no_match");
  return { aspect_refs: [best.aspect_ref], mapping: "fallback", mapping_fail_reason: "fallback_used" };
}

function listSynonyms(
  terms: readonly string[],
  matcher: AspectMatcher,
  { synonyms }: Material,
): Record<string, string[]> {
  return Object.fromEntries(
    terms.flatMap((term) => {
      const group = matcher.group(term);
      return group === null ? [] : [[term, (synonyms[group] ?? []).filter((word) => word !== term)]];
    }),
  );
}

function countMappings(points: readonly RebuttalPoint[]): ReviewContext["mapping_stats"] {
  const stats = { direct: 0, fallback: 0, none: 0 };
  for (const { mapping, mapping_fail_reason } of points)
    if (mapping !== "none" || mapping_fail_reason !== null) stats[mapping] += 1;
  return stats;
}

function countFailures(points: readonly RebuttalPoint[]): ReviewContext["mapping_fail_reasons"] {
  const reasons = { no_aspects: 0, no_match: 0, neutral_stance: 0, fallback_used: 0 };
  for (const { mapping_fail_reason } of points) if (mapping_fail_reason) reasons[mapping_fail_reason] += 1;
  return reasons;
}
