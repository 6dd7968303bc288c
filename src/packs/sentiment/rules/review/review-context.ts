import type { StanceTurn } from "../../schemas/debate.ts";
import type { DebateOutput, PatchDebate, StanceDebate } from "../../schemas/debate-output.ts";
import type { DebateContext } from "../../schemas/role-inputs.ts";
import type { Stage1 } from "../../schemas/stage1.ts";
import type { Hint, RebuttalPoint, ReviewContext } from "../../schemas/stage2.ts";
import type { Language } from "../../../../knowledge/opinions/index.ts";
import { readPrompt } from "../../prompts/read-prompts.ts";
import { type AspectMatcher, createAspectMatcher, listStage1Terms, synonymsOf } from "../tuples/aspect-matcher.ts";
import { keepOwnVoices } from "../tuples/own-voices.ts";
import { type Mapping, mapTurn } from "./map-turn.ts";
import { listJudgeVotes, listTurnVotes } from "./patch-hints.ts";
import { toStanceHint, toJudgeHints } from "./stance-hints.ts";

const review_guidance = readPrompt("review_guidance");
const fallback_mapping_policy = readPrompt("fallback_mapping_policy");

/** Stage 1 as every speaker and the judge see it: [SHARED_CONTEXT_JSON] (sentiment spec §3). */
export function toDebateContext(text: string, stage1: Stage1): DebateContext {
  const context = contexts.get(stage1) ?? makeDebateContext(text, stage1);
  contexts.set(stage1, context);
  return context;
}

const contexts = new WeakMap<Stage1, DebateContext>();

function makeDebateContext(text: string, stage1: Stage1): DebateContext {
  return {
    text,
    stage1_aspects: stage1.aspects,
    stage1_aspect_sentiments: stage1.aspect_sentiments,
    stage1_structural_risks: stage1.validator?.structural_risks ?? [],
    stage1_correction_proposals: stage1.validator?.correction_proposals ?? [],
  };
}

/** The Stage 1 aspects, and the implicit one when the judge speaks of it. */
function listDiscussedTerms(stage1: Stage1, { summary }: DebateOutput): string[] {
  const terms = listStage1Terms(stage1);
  const tuples = summary !== null && "final_tuples" in summary ? summary.final_tuples : [];
  return terms.includes("") || !tuples.some((tuple) => tuple.aspect_ref === "") ? terms : [...terms, ""];
}

/** Builds what the debate gives to Stage 2 and to the gate, by rules alone (sentiment spec §4). */
export function buildReviewContext(input: {
  text: string;
  language: Language;
  stage1: Stage1;
  debate: DebateOutput;
}): ReviewContext {
  const terms = listDiscussedTerms(input.stage1, input.debate);
  const matcher = createAspectMatcher(input.text, terms, input.language);
  const ledger = openLedger();
  const points =
    input.debate.style === "patch"
      ? listPatchPoints(input.debate, input.stage1, matcher, ledger)
      : listStancePoints(input.debate, input.stage1, matcher, ledger);
  const named = terms.filter((term) => term !== "");
  return {
    summary: input.debate.summary,
    rebuttal_points: points,
    aspect_terms: named,
    synonym_hints: listSynonyms(named, matcher, input.language),
    aspect_map: points.map(({ speaker, aspect_refs }, rebuttal_index) => ({ rebuttal_index, speaker, aspect_refs })),
    aspect_hints: Object.fromEntries(ledger.hints),
    invalid_hint_count: Object.fromEntries(ledger.invalid),
    mapping_stats: countMappings(points),
    mapping_fail_reasons: countFailures(points),
    review_guidance,
    fallback_mapping_policy,
  };
}

function openLedger() {
  const hints = new Map<string, Hint[]>();
  const invalid = new Map<string, number>();
  const add = (aspect: string, hint: Hint) => void hints.set(aspect, [...(hints.get(aspect) ?? []), hint]);
  const refuse = (aspect: string) => {
    invalid.set(aspect, (invalid.get(aspect) ?? 0) + 1);
    hints.set(aspect, hints.get(aspect) ?? []);
  };
  return { hints, invalid, add, refuse };
}
type Ledger = ReturnType<typeof openLedger>;

/** A hint whose polarity is outside the canon is left out and counted. */
function record(ledger: Ledger, aspect: string, hint: Hint, invalid: boolean): void {
  if (invalid) ledger.refuse(aspect);
  else ledger.add(aspect, hint);
}

/** A turn that proposes nothing has nothing to map: neither a mapping that failed nor a neutral stance. */
const silent: Mapping = { aspect_refs: [], mapping: "none", mapping_fail_reason: null };

function isMapped({ mapping, mapping_fail_reason }: Mapping): boolean {
  return mapping !== "none" || mapping_fail_reason !== null;
}

function listPatchPoints(debate: PatchDebate, stage1: Stage1, matcher: AspectMatcher, ledger: Ledger): RebuttalPoint[] {
  const voices = new Set(keepOwnVoices(debate.rounds.flatMap(({ turns }) => turns)));
  const points = debate.rounds.flatMap(({ turns }) =>
    turns.map((turn): RebuttalPoint => {
      const votes = listTurnVotes(turn, matcher);
      const direct = votes.filter((vote) => typeof vote.aspect === "string");
      const isVoice = voices.has(turn);
      for (const { aspect, hint, invalid } of isVoice ? direct : [])
        if (typeof aspect === "string") record(ledger, aspect, hint, invalid);
      const hint = votes.find((vote) => vote.hint.polarity_hint !== null)?.hint;
      const isSilent = turn.proposed_edits.length === 0 && matcher.terms.length > 0;
      const mapping = isSilent
        ? silent
        : mapTurn(
            direct.map((vote) => vote.aspect as string),
            hint?.polarity_hint ?? null,
            { terms: matcher.terms, sentiments: stage1.aspect_sentiments },
          );
      if (isVoice && mapping.mapping === "fallback" && hint)
        for (const aspect of mapping.aspect_refs) ledger.add(aspect, hint);
      return {
        speaker: turn.agent,
        stance: "patch",
        round: turn.round,
        message: "",
        key_points: turn.proposed_edits.map(describeEdit),
        ...mapping,
        weight: isVoice ? (hint?.weight ?? 0) : 0,
        polarity_hint: hint?.polarity_hint ?? null,
        provenance_hint: `source:${turn.agent}/patch`,
      };
    }),
  );
  for (const { aspect, hint, invalid } of debate.summary ? listJudgeVotes(debate.summary, matcher) : [])
    if (typeof aspect === "string") record(ledger, aspect, hint, invalid);
  return points;
}

function describeEdit(edit: PatchDebate["rounds"][number]["turns"][number]["proposed_edits"][number]): string {
  const { op, target, value } = edit;
  return [op, target.aspect_ref, target.polarity, value].filter((part) => part !== null && part !== "").join(" ");
}

function listStancePoints(
  debate: StanceDebate,
  stage1: Stage1,
  matcher: AspectMatcher,
  ledger: Ledger,
): RebuttalPoint[] {
  const place = { terms: matcher.terms, sentiments: stage1.aspect_sentiments };
  const points = debate.rounds.flatMap(({ turns }) =>
    turns.map((turn: StanceTurn): RebuttalPoint => {
      const hint = toStanceHint(turn);
      const mapping = mapTurn(matcher.named([turn.message, ...turn.key_points].join("\n")), hint.polarity_hint, place);
      for (const aspect of mapping.aspect_refs) ledger.add(aspect, hint);
      const { weight, polarity_hint, provenance_hint } = hint;
      return {
        speaker: turn.agent,
        stance: turn.stance,
        round: turn.round,
        message: turn.message,
        key_points: turn.key_points,
        ...mapping,
        weight,
        polarity_hint,
        provenance_hint,
      };
    }),
  );
  const discussed = [...new Set(points.flatMap((point) => point.aspect_refs))];
  for (const { aspect, hint } of debate.summary ? toJudgeHints(debate.summary, discussed, matcher) : [])
    ledger.add(aspect, hint);
  return points;
}

function listSynonyms(terms: readonly string[], matcher: AspectMatcher, language: Language): Record<string, string[]> {
  return Object.fromEntries(
    terms.flatMap((term) => {
      const group = matcher.group(term);
      return group === null ? [] : [[term, synonymsOf(group, language).filter((word) => word !== term)]];
    }),
  );
}

function countMappings(points: readonly RebuttalPoint[]): ReviewContext["mapping_stats"] {
  const stats = { direct: 0, fallback: 0, none: 0 };
  for (const { mapping } of points.filter(isMapped)) stats[mapping] += 1;
  return stats;
}

function countFailures(points: readonly RebuttalPoint[]): ReviewContext["mapping_fail_reasons"] {
  const reasons = { no_aspects: 0, no_match: 0, neutral_stance: 0, fallback_used: 0 };
  for (const { mapping_fail_reason } of points) if (mapping_fail_reason) reasons[mapping_fail_reason] += 1;
  return reasons;
}
