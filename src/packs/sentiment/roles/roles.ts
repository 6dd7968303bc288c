import type { Block, Prompt } from "../../../contract/prompt.ts";
import type { Problem } from "../../../contract/turn.ts";
import type { AnyRole, Role } from "../../../engine/role.ts";
import type { SentimentConfig } from "../config/config.ts";
import { readPrompt } from "../prompts/read-prompts.ts";
import { listStage1Terms } from "../rules/matcher.ts";
import { roundOff } from "../rules/tuples.ts";
import {
  type PatchJudgeReply,
  PatchJudgeReplySchema,
  type PatchTurn,
  PatchTurnReplySchema,
  type StanceSummary,
  StanceSummarySchema,
  type StanceTurn,
  type StanceTurnReply,
  StanceTurnReplySchema,
} from "../schemas/debate.ts";
import type {
  AteInput,
  AtsaInput,
  PatchJudgeInput,
  PatchSpeakerInput,
  ReviewInput,
  SentimentExperts,
  StanceJudgeInput,
  StanceSpeakerInput,
  ValidatorInput,
} from "../schemas/inputs.ts";
import type { Material } from "../schemas/material.ts";
import { AteReplySchema, AtsaReplySchema, type Stage1, ValidatorReplySchema } from "../schemas/stage1.ts";
import {
  AteReviewReplySchema,
  AtsaReviewReplySchema,
  type Hint,
  type ReviewContext,
  ValidatorReviewReplySchema,
} from "../schemas/stage2.ts";
import {
  type Grounded,
  groundAspectReviews,
  groundAspects,
  groundJudge,
  groundRisks,
  groundSentimentReviews,
  groundSentiments,
  groundSpeech,
  groundTurn,
  groundValidator,
  type Strike,
  toProblems,
} from "./ground.ts";

/** Set by salvage so that strikes are counted; no player can set it. */
type Struck = { struck?: Strike[] };

export type GroundedRole<I, O extends object, K extends O = O> = Role<I, O & Struck> & {
  ground(reply: O, input: I): Grounded<K>;
};

function defineGrounded<I, O extends object, K extends O = O>(
  role: Omit<GroundedRole<I, O, K>, "check" | "salvage"> & { reject?(reply: O): Problem[] },
): GroundedRole<I, O, K> {
  const { reject, ...rest } = role;
  return {
    ...rest,
    check: (reply, input) => [...(reject?.(reply) ?? []), ...toProblems(role.ground(reply, input).strikes)],
    salvage: (reply, _problems, input) => {
      const kept = role.ground(reply, input);
      return { ...kept.reply, struck: kept.strikes };
    },
  };
}

function writePrompt(instructions: string, { language_code }: Material, blocks: Block[], own: Block[] = []): Prompt {
  const language = { label: "LANGUAGE", text: language_code };
  return { instructions: readPrompt(instructions), blocks: [language, ...blocks], own };
}

const taskOf = (name: string): Block[] => [{ label: "TASK", text: readPrompt(name) }];

export function createRoles(experts: SentimentExperts) {
  return { ...createStage1Roles(experts), ...createDebateRoles(experts), ...createReviewRoles(experts) };
}
export type SentimentRoles = ReturnType<typeof createRoles>;

function createStage1Roles(experts: SentimentExperts) {
  const listAspects = ({ material, aspects }: AtsaInput): Block[] => [
    { label: "TEXT", text: material.text },
    { label: "ASPECTS", json: aspects.map(({ term, span }) => ({ term, span })) },
  ];
  return {
    ate: defineGrounded({
      name: "ate",
      reply: AteReplySchema,
      prompt: ({ material }: AteInput) =>
        writePrompt("stage1", material, [{ label: "TEXT", text: material.text }], taskOf("ate_stage1")),
      ground: groundAspects,
      expert: (input) => experts.extractAspects(input),
    }),
    atsa: defineGrounded({
      name: "atsa",
      reply: AtsaReplySchema,
      prompt: (input: AtsaInput) => writePrompt("stage1", input.material, listAspects(input), taskOf("atsa_stage1")),
      ground: groundSentiments,
      expert: (input) => experts.judgeSentiments(input),
    }),
    validator: defineGrounded({
      name: "validator",
      reply: ValidatorReplySchema,
      prompt: (input: ValidatorInput) => {
        const sentiments = input.aspect_sentiments.map(({ aspect_ref, polarity, evidence, confidence }) => {
          return { aspect_ref, polarity, evidence, confidence };
        });
        const blocks = [...listAspects(input), { label: "ASPECT_SENTIMENTS", json: sentiments }];
        return writePrompt("stage1", input.material, blocks, taskOf("validator_stage1"));
      },
      ground: groundValidator,
      expert: (input) => experts.validate(input),
    }),
  };
}

function listDebateBlocks({ text }: Material, stage1: Stage1, turns: readonly (PatchTurn | StanceTurn)[]): Block[] {
  const shared = { label: "SHARED_CONTEXT_JSON", json: shareStage1(stage1) };
  return [{ label: "TOPIC", text }, shared, ...turns.map(writeTurn)];
}

function shareStage1(stage1: Stage1) {
  const { aspects, aspect_sentiments, validator } = stage1;
  return {
    stage1: listStage1Terms(stage1).map((term) => {
      const said = aspect_sentiments.filter(({ aspect_ref }) => aspect_ref === term);
      const place = aspects.find((aspect) => aspect.term === term)?.span;
      return {
        aspect_ref: term,
        ...(place && { span: [place.start, place.end] }),
        sentiments: said.map(({ polarity, evidence, confidence }) => ({ polarity, evidence, confidence })),
      };
    }),
    structural_risks: (validator?.structural_risks ?? []).map(({ type, severity, description }) => {
      return { type, severity, description };
    }),
    correction_proposals: (validator?.correction_proposals ?? []).map(({ proposal_type, target_aspect, rationale }) => {
      return { proposal_type, target_aspect, rationale };
    }),
  };
}

function writeTurn(turn: PatchTurn | StanceTurn): Block {
  const label = `HISTORY · round ${turn.round}`;
  if ("proposed_edits" in turn) return { label, json: { agent: turn.agent, proposed_edits: turn.proposed_edits } };
  const { agent, stance, message, key_points } = turn;
  return { label, json: { speaker: agent, stance, message, key_points } };
}

function createDebateRoles(experts: SentimentExperts) {
  const speak = (
    name: string,
    { material, stage1, history, memory, persona }: PatchSpeakerInput | StanceSpeakerInput,
  ) =>
    writePrompt(name, material, listDebateBlocks(material, stage1, history), [
      ...(memory === null ? [] : [{ label: "MEMORY", json: memory }]),
      { label: "PERSONA", json: persona },
    ]);
  const judge = (name: string, { material, stage1, turns }: PatchJudgeInput | StanceJudgeInput) =>
    writePrompt(name, material, listDebateBlocks(material, stage1, turns));
  return {
    patchSpeaker: (key: string) =>
      defineGrounded({
        name: key,
        reply: PatchTurnReplySchema,
        prompt: (input: PatchSpeakerInput) => speak("debate_speaker", input),
        ground: groundTurn,
        expert: (input) => experts.speakPatch(input),
      }),
    patchJudge: defineGrounded<PatchJudgeInput, PatchJudgeReply>({
      name: "judge",
      reply: PatchJudgeReplySchema,
      prompt: (input) => judge("debate_judge", input),
      ground: groundJudge,
      expert: (input) => experts.judgePatch(input),
    }),
    stanceSpeaker: (key: string) =>
      defineGrounded<StanceSpeakerInput, StanceTurnReply>({
        name: key,
        reply: StanceTurnReplySchema,
        prompt: (input) => speak("stance_speaker", input),
        reject: (reply) => checkFilled("message", reply.message),
        ground: groundSpeech,
        expert: (input) => experts.speakStance(input),
      }),
    stanceJudge: defineGrounded<StanceJudgeInput, StanceSummary>({
      name: "judge",
      reply: StanceSummarySchema,
      prompt: (input) => judge("stance_judge", input),
      reject: (reply) => checkFilled("rationale", reply.rationale),
      ground: (reply, { personas }) => {
        const winner = reply.winner?.trim().toLowerCase();
        const known = Object.entries(personas).find(([key, { name }]) =>
          [key, name.toLowerCase()].includes(winner ?? ""),
        );
        const strikes =
          reply.winner === null || known ? [] : [{ code: "unknown_speaker", what: reply.winner, path: ["winner"] }];
        return { reply: { ...reply, winner: known?.[1].name ?? null }, strikes };
      },
      expert: (input) => experts.judgeStance(input),
    }),
  };
}

function checkFilled(field: string, value: string): Problem[] {
  if (value.trim() !== "") return [];
  return [{ code: "empty", message: `${field} must not be empty`, severity: "reject", path: [field] }];
}

function createReviewRoles(experts: SentimentExperts) {
  const prompt = (task: string) => (input: ReviewInput) => {
    const digest = input.review_context === null ? [] : [digestDebate(input.review_context)];
    const blocks = [...listDebateBlocks(input.material, input.stage1, []), ...digest];
    return writePrompt("stage2", input.material, blocks, taskOf(task));
  };
  return {
    ateReview: defineGrounded({
      name: "ate_review",
      reply: AteReviewReplySchema,
      prompt: prompt("ate_stage2"),
      ground: groundAspectReviews,
      expert: (input) => experts.reviewAspects(input),
    }),
    atsaReview: defineGrounded({
      name: "atsa_review",
      reply: AtsaReviewReplySchema,
      prompt: prompt("atsa_stage2"),
      ground: groundSentimentReviews,
      expert: (input) => experts.reviewSentiments(input),
    }),
    validatorReview: defineGrounded({
      name: "validator_review",
      reply: ValidatorReviewReplySchema,
      prompt: prompt("validator_stage2"),
      ground: groundRisks,
      expert: (input) => experts.reviewValidation(input),
    }),
  };
}

function digestDebate(context: ReviewContext): Block {
  const { summary, review_guidance, fallback_mapping_policy } = context;
  const omitted = ["final_patch", "sentence_evidence_spans"];
  const concluded = Object.entries(summary ?? {}).filter(([key]) => !omitted.includes(key));
  const votes = Object.entries(context.aspect_hints).map(([aspect, hints]) => [aspect, sumVotes(hints)]);
  const rebuttal_points = context.rebuttal_points.map(({ speaker, stance, key_points, aspect_refs }) => {
    return { speaker, stance, key_points, aspect_refs };
  });
  return {
    label: "DEBATE_REVIEW_CONTEXT",
    json: {
      summary: Object.fromEntries(concluded),
      rebuttal_points,
      aspect_votes: Object.fromEntries(votes),
      review_guidance,
      fallback_mapping_policy,
    },
  };
}

function sumVotes(votes: readonly Hint[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { removal, polarity_hint, weight } of votes) {
    const side = removal ? "removal" : (polarity_hint ?? "none");
    sums[side] = roundOff((sums[side] ?? 0) + weight);
  }
  return sums;
}

/** Roles played under a config, without those switched off (sentiment spec §1). */
export function listRoles(roles: SentimentRoles, config: SentimentConfig): AnyRole[] {
  const { protocol, enable_debate, debate } = config;
  const isPatch = debate.style === "patch";
  const reviews = protocol === "debate";
  const debates = reviews && enable_debate;
  const votes = protocol === "vote" && isPatch;
  const speakers = debate.order.map((key): AnyRole => (isPatch ? roles.patchSpeaker(key) : roles.stanceSpeaker(key)));
  return [
    roles.ate,
    roles.atsa,
    ...(reviews || votes ? [roles.validator] : []),
    ...(debates || votes ? speakers : []),
    ...(debates ? [isPatch ? roles.patchJudge : roles.stanceJudge] : []),
    ...(reviews ? [roles.ateReview, roles.atsaReview, roles.validatorReview] : []),
  ];
}
