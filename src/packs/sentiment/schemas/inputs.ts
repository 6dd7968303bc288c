import type {
  DebateOutput,
  Episode,
  PatchJudgeReply,
  PatchTurn,
  PatchTurnReply,
  Persona,
  StanceSummary,
  StanceTurn,
  StanceTurnReply,
  TurnStrike,
} from "./debate.ts";
import type { Material } from "./material.ts";
import type { Aspect, AteReply, AtsaReply, Sentiment, Stage1, ValidatorReply } from "./stage1.ts";
import type { AteReviewReply, AtsaReviewReply, ReviewContext, Stage2, ValidatorReviewReply } from "./stage2.ts";

export type AteInput = { material: Material };

export type AtsaInput = AteInput & { aspects: Aspect[] };

export type ValidatorInput = AtsaInput & { aspect_sentiments: Sentiment[] };

export type MemoryLine = Pick<Episode, "principle" | "advice" | "aspect_group">;

export type SpeakerInput<T> = {
  material: Material;
  stage1: Stage1;
  history: T[];
  key: string;
  persona: Persona;
  round: number;
  /** Null unless memory is injected into this turn. */
  memory: MemoryLine[] | null;
};
export type PatchSpeakerInput = SpeakerInput<PatchTurn>;
export type StanceSpeakerInput = SpeakerInput<StanceTurn>;

type JudgeInput<T> = { material: Material; stage1: Stage1; turns: T[]; personas: Record<string, Persona> };
export type PatchJudgeInput = JudgeInput<PatchTurn>;
export type StanceJudgeInput = JudgeInput<StanceTurn>;

/** A Stage 2 review: Stage 1 and the debate's review context (null without a debate). */
export type ReviewInput = { material: Material; stage1: Stage1; review_context: ReviewContext | null };

type Awaitable<T> = T | Promise<T>;

/** Programs for the roles; null abstains. */
export type SentimentExperts = {
  extractAspects(input: AteInput): Awaitable<AteReply>;
  judgeSentiments(input: AtsaInput): Awaitable<AtsaReply>;
  validate(input: ValidatorInput): Awaitable<ValidatorReply>;
  speakPatch(input: PatchSpeakerInput): Awaitable<PatchTurnReply | null>;
  judgePatch(input: PatchJudgeInput): Awaitable<PatchJudgeReply>;
  speakStance(input: StanceSpeakerInput): Awaitable<StanceTurnReply | null>;
  judgeStance(input: StanceJudgeInput): Awaitable<StanceSummary>;
  reviewAspects(input: ReviewInput): Awaitable<AteReviewReply>;
  reviewSentiments(input: ReviewInput): Awaitable<AtsaReviewReply>;
  reviewValidation(input: ReviewInput): Awaitable<ValidatorReviewReply>;
};

export type CaseTurns = {
  text_id: string;
  source: string;
  material: Material;
  stage1: Stage1;
  debate: DebateOutput | null;
  stage2: Stage2 | null;
  strikes: TurnStrike[];
};
