/** The debate's input to Stage 2 and the gate: one vote per speaker and aspect (sentiment spec §4). */
import { readPrompt } from "../prompts/read-prompts.ts";
import type { DebateOutput, Edit, Patch, PatchDebate, PatchTurn, StanceDebate, StanceTurn } from "../schemas/debate.ts";
import type { Material } from "../schemas/material.ts";
import type { Polarity, Stage1 } from "../schemas/stage1.ts";
import type { Hint, RebuttalPoint, ReviewContext } from "../schemas/stage2.ts";
import { type AspectMatcher, createMatcher, listStage1Terms } from "./matcher.ts";
import { readLabel } from "./moderate.ts";
import { findUnfit } from "./text.ts";
import { findMostConfident, keepStated, pickOwn, readVote } from "./tuples.ts";

const review_guidance = readPrompt("review_guidance");
const fallback_mapping_policy = readPrompt("fallback_mapping_policy");

const speakerWeights: Record<string, number> = {
  set_polarity: 0.5,
  confirm_tuple: 0.5,
  merge_tuples: 0.5,
  drop_tuple: 0.8,
};
const judgeWeight = 0.8;

type Vote = { aspect: string | null; hint: Hint; invalid: boolean };

type Speech = Pick<RebuttalPoint, "stance" | "message" | "key_points"> & {
  turn: PatchTurn | StanceTurn;
  votes: Vote[];
  counts: boolean;
};

export function buildReviewContext(input: { material: Material; stage1: Stage1; debate: DebateOutput }): ReviewContext {
  const { material, stage1, debate } = input;
  const terms = listDiscussedTerms(stage1, debate);
  const matcher = createMatcher(material, terms);
  const ballot = openBallot();
  const speeches = debate.style === "patch" ? readEdits(debate, input, terms) : readStances(debate, matcher);
  const points = speeches.map(({ turn, votes, counts, ...said }): RebuttalPoint => {
    const lead = votes.find(({ hint }) => hint.polarity_hint !== null)?.hint ?? null;
    const mapping = mapTurn(votes, lead?.polarity_hint ?? null, stage1, terms);
    const guessed = mapping.mapping === "fallback" && lead ? mapping.aspect_refs : [];
    const cast = [...votes, ...guessed.map((aspect) => ({ aspect, hint: lead as Hint, invalid: false }))];
    for (const vote of counts ? cast : []) ballot.cast(turn.by_program ? "a program" : turn.speaker, vote);
    return {
      speaker: turn.agent,
      round: turn.round,
      ...said,
      ...mapping,
      weight: counts ? (lead?.weight ?? 0) : 0,
      polarity_hint: lead?.polarity_hint ?? null,
      provenance_hint: `source:${turn.agent}/${said.stance}`,
    };
  });
  const discussed = [...new Set(points.flatMap((point) => point.aspect_refs))];
  const judged = debate.style === "patch" ? judgeEdits(debate, terms) : judgeStances(debate, discussed, matcher);
  for (const vote of judged) ballot.cast("judge", vote);
  const named = terms.filter((term) => term !== "");
  return {
    summary: debate.summary,
    rebuttal_points: points,
    sides: listSides(debate),
    aspect_terms: named,
    synonym_hints: listSynonyms(named, matcher, material),
    ...ballot.count(),
    ...countMappings(points),
    review_guidance,
    fallback_mapping_policy,
  };
}

function listDiscussedTerms(stage1: Stage1, { summary }: DebateOutput): string[] {
  const tuples = summary !== null && "final_tuples" in summary ? summary.final_tuples : [];
  const implicit = tuples.filter((tuple) => tuple.aspect_ref === "").map(() => "");
  return [...new Set([...listStage1Terms(stage1), ...implicit])];
}

/** One vote per speaker and aspect, the last; programs share one reading, so together they are one speaker. */
function openBallot() {
  const hints = new Map<string, Map<string, Hint>>();
  const invalid = new Map<string, number>();
  return {
    cast(speaker: string, vote: Vote) {
      const { aspect, hint } = vote;
      if (aspect === null || (!vote.invalid && hint.weight === 0)) return;
      const own = hints.get(aspect) ?? new Map<string, Hint>();
      hints.set(aspect, own);
      if (vote.invalid) invalid.set(aspect, (invalid.get(aspect) ?? 0) + 1);
      else own.set(speaker, hint);
    },
    count: () => ({
      aspect_hints: Object.fromEntries([...hints].map(([aspect, votes]) => [aspect, [...votes.values()]])),
      invalid_hint_count: Object.fromEntries(invalid),
    }),
  };
}

type Caster = Pick<Hint, "speaker" | "stance" | "weight" | "by_program"> & { confidence?: number | null };

function castEdit(edit: Edit | Patch, by: Caster, terms: readonly string[]): Vote {
  const { polarity, removal, removes, invalid } = readVote(edit);
  const { aspect_ref } = edit.target;
  const weight = polarity !== null || removal ? by.weight : 0;
  const hint = { confidence: null, ...by, weight, polarity_hint: polarity, removal, removes };
  return { aspect: aspect_ref !== "" || terms.includes("") ? aspect_ref : null, hint, invalid };
}

function castStance(aspect: string | null, by: Caster, polarity_hint: Polarity): Vote {
  return { aspect, hint: { confidence: null, ...by, polarity_hint, removal: false, removes: null }, invalid: false };
}

type About = { material: Material; stage1: Stage1 };

function readEdits(debate: PatchDebate, about: About, terms: string[]): Speech[] {
  const spoken = debate.rounds.flatMap(({ turns }) => turns);
  const isShown = findShown(debate, about, terms);
  return spoken.map((turn) => {
    const by = { speaker: turn.agent, stance: "patch", by_program: turn.by_program };
    const votes = turn.proposed_edits.map((edit) => {
      const weight = isShown(edit) ? (speakerWeights[edit.op] ?? 0) : 0;
      return castEdit(edit, { ...by, weight, confidence: edit.confidence }, terms);
    });
    const key_points = turn.proposed_edits.map(writeEdit);
    return { turn, stance: "patch", message: "", key_points, votes, counts: true };
  });
}

/**
 * True when an edit rests on words of the text: its own quote, or one that another speaker, the judge or Stage 1 gives for
 * the same polarity of the same aspect (document 003: a judgement without evidence is removed).
 */
function findShown({ rounds, summary }: PatchDebate, { material, stage1 }: About, others: string[]) {
  const key = (aspect: string, polarity: Polarity | null) => `${polarity} ${aspect}`;
  const quoted = rounds
    .flatMap(({ turns }) => turns.flatMap((turn) => turn.proposed_edits))
    .filter(({ evidence }) => evidence !== null)
    .map((edit) => key(edit.target.aspect_ref, readVote(edit).polarity));
  const fits = (aspect: string, polarity: Polarity | null, words: string) =>
    words.length >= 2 && findUnfit(material, words, { aspect, others, polarity }) === null;
  const rated = stage1.aspect_sentiments
    .filter(({ aspect_ref, polarity, evidence }) => fits(aspect_ref, polarity, evidence))
    .map(({ aspect_ref, polarity }) => key(aspect_ref, polarity));
  const shown = new Set([...quoted, ...rated]);
  return (edit: Edit): boolean => {
    const { polarity } = readVote(edit);
    const { aspect_ref: aspect } = edit.target;
    if (polarity === null || edit.evidence !== null || shown.has(key(aspect, polarity))) return true;
    const judged = [pickOwn(summary?.aspect_evidence ?? {}, aspect) ?? "", ...(summary?.sentence_evidence_spans ?? [])];
    return judged.some((words) => fits(aspect, polarity, words));
  };
}

function writeEdit({ op, target, value }: Edit): string {
  return [op, target.aspect_ref, target.polarity, value].filter((part) => part !== null && part !== "").join(" ");
}

function judgeEdits({ rounds, summary }: PatchDebate, terms: readonly string[]): Vote[] {
  const by = { speaker: "judge", stance: "patch", weight: judgeWeight, by_program: arePrograms(rounds) };
  const voting = ["confirm_tuple", "set_polarity", "drop_tuple"];
  return (summary?.final_patch ?? []).filter(({ op }) => voting.includes(op)).map((edit) => castEdit(edit, by, terms));
}

function arePrograms(rounds: readonly { turns: readonly { by_program: boolean }[] }[]): boolean {
  const spoken = rounds.flatMap(({ turns }) => turns);
  return spoken.length > 0 && spoken.every((turn) => turn.by_program);
}

/** The weight and polarity of a stance (sentiment spec §4). */
export function readStance(stance: string): { weight: number; polarity: Polarity } {
  const word = stance.trim().toLowerCase();
  if (word === "pro") return { weight: 1, polarity: "positive" };
  if (word === "con") return { weight: 1, polarity: "negative" };
  return { weight: word === "neutral" ? 0.6 : 0.8, polarity: "neutral" };
}

function listSides({ personas }: DebateOutput): string[] {
  const stances = Object.values(personas).map(({ stance = "" }) => stance);
  return [...new Set(stances.filter((stance) => readStance(stance).polarity !== "neutral"))];
}

/** A speaker whose last turn makes no point has conceded and casts no vote. */
function readStances({ rounds }: StanceDebate, matcher: AspectMatcher): Speech[] {
  const spoken = rounds.flatMap(({ turns }) => turns);
  const last = new Map(spoken.map((turn) => [turn.speaker, turn]));
  return spoken.map((turn) => {
    const { stance, message, key_points, by_program } = turn;
    const { weight, polarity } = readStance(stance);
    const named = matcher.named([message, ...key_points].join("\n"));
    const votes = (named.length > 0 ? named : [null]).map((aspect) =>
      castStance(aspect, { speaker: turn.agent, stance, weight, by_program }, polarity),
    );
    return { turn, stance, message, key_points, votes, counts: last.get(turn.speaker)?.key_points.length !== 0 };
  });
}

/**
 * The judge's vote on aspects it names in consensus or agreements, else on all that were discussed: for the side that its
 * consensus names, if the winner is of that side too.
 */
function judgeStances({ rounds, summary }: StanceDebate, discussed: string[], matcher: AspectMatcher): Vote[] {
  const winner = rounds.flatMap(({ turns }) => turns).find((turn) => turn.agent === summary?.winner);
  if (!summary || !winner) return [];
  const { polarity } = readStance(winner.stance);
  if (polarity !== [summary.consensus, summary.rationale].map(readLabel).find((label) => label !== null)) return [];
  const named = matcher.named([summary.consensus ?? "", ...summary.key_agreements].join("\n"));
  const by = { speaker: "judge", stance: "judge", weight: judgeWeight, by_program: arePrograms(rounds) };
  return (named.length > 0 ? named : discussed).map((aspect) => castStance(aspect, by, polarity));
}

type Mapping = Pick<RebuttalPoint, "aspect_refs" | "mapping" | "mapping_fail_reason">;

/** The aspects of a turn: those it names, else that of the most confident sentiment of its polarity, else none. A turn without a proposal has none. */
function mapTurn(votes: Vote[], polarity: Polarity | null, stage1: Stage1, terms: readonly string[]): Mapping {
  const end = (
    aspect_refs: string[],
    mapping: Mapping["mapping"],
    mapping_fail_reason: Mapping["mapping_fail_reason"],
  ) => ({ aspect_refs, mapping, mapping_fail_reason });
  const direct = votes.flatMap(({ aspect }) => aspect ?? []);
  if (direct.length > 0) return end([...new Set(direct)], "direct", null);
  if (terms.length === 0) return end([], "none", "no_aspects");
  if (votes.length === 0) return end([], "none", null);
  if (polarity === null || polarity === "neutral") return end([], "none", "neutral_stance");
  const best = findMostConfident(keepStated(stage1.aspect_sentiments).filter((one) => one.polarity === polarity));
  return best ? end([best.aspect_ref], "fallback", "fallback_used") : end([], "none", "no_match");
}

function listSynonyms(terms: string[], matcher: AspectMatcher, { synonyms }: Material): Record<string, string[]> {
  return Object.fromEntries(
    terms.flatMap((term) => {
      const group = matcher.group(term);
      return group === null ? [] : [[term, (synonyms[group] ?? []).filter((word) => word !== term)]];
    }),
  );
}

function countMappings(points: readonly RebuttalPoint[]) {
  const mapping_stats = { direct: 0, fallback: 0, none: 0 };
  const mapping_fail_reasons = { no_aspects: 0, no_match: 0, neutral_stance: 0, fallback_used: 0 };
  for (const { mapping, mapping_fail_reason: reason } of points) {
    if (mapping !== "none" || reason !== null) mapping_stats[mapping] += 1;
    if (reason !== null) mapping_fail_reasons[reason] += 1;
  }
  return { mapping_stats, mapping_fail_reasons };
}
