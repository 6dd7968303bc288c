/** What each role of the sentiment pack is given, and what the built-in experts answer. */
import type { LanguageCode } from "../../../knowledge/opinions/index.ts";
import type {
  PatchJudgeReply,
  PatchTurn,
  PatchTurnReply,
  Persona,
  StanceSummary,
  StanceTurn,
  StanceTurnReply,
} from "./debate.ts";
import type { DebateOutput } from "./debate-output.ts";
import type {
  Aspect,
  AteReply,
  AtsaReply,
  CorrectionProposal,
  Sentiment,
  Stage1,
  StructuralRisk,
  ValidatorReply,
} from "./stage1.ts";
import type { AteReviewReply, AtsaReviewReply, ReviewContext, ValidatorReviewReply } from "./stage2.ts";

/** ATE: the text alone. */
export type AteInput = { text: string; language_code: LanguageCode };

/** ATSA: the text and the ATE aspects that were kept. */
export type AtsaInput = AteInput & { aspects: Aspect[] };

/** Validator: Stage 1 so far. */
export type ValidatorInput = AtsaInput & { aspect_sentiments: Sentiment[] };

/** [SHARED_CONTEXT_JSON] of every speaker and of the judge. */
export type DebateContext = {
  text: string;
  stage1_aspects: Aspect[];
  stage1_aspect_sentiments: Sentiment[];
  stage1_structural_risks: StructuralRisk[];
  stage1_correction_proposals: CorrectionProposal[];
};

/** A lesson of earlier debates as a speaker sees it. */
export type MemoryLine = {
  principle: string;
  advice: "positive" | "negative" | "abstain" | null;
  aspect_group: string;
};

type SpeakerInput<T> = {
  text: string;
  language_code: LanguageCode;
  context: DebateContext;
  /** All earlier turns of all rounds, in order. */
  history: T[];
  /** The speaker's key in `order`. */
  key: string;
  persona: Persona;
  round: number;
  /** Null unless memory is injected into this very turn. */
  memory: MemoryLine[] | null;
};
export type PatchSpeakerInput = SpeakerInput<PatchTurn>;
export type StanceSpeakerInput = SpeakerInput<StanceTurn>;

type JudgeInput<T> = {
  text: string;
  language_code: LanguageCode;
  context: DebateContext;
  turns: T[];
  personas: Record<string, Persona>;
};
export type PatchJudgeInput = JudgeInput<PatchTurn>;
export type StanceJudgeInput = JudgeInput<StanceTurn>;

/** What a Stage 2 review is about: Stage 1 and what the debate made of it (null when there was no debate). */
export type Reviewed = {
  text: string;
  language_code: LanguageCode;
  stage1: Stage1;
  review_context: ReviewContext | null;
};

/** A Stage 2 reviewer, who is shown the debate itself too. */
export type ReviewInput = Reviewed & { context: DebateContext; debate: DebateOutput | null };

type Awaitable<T> = T | Promise<T>;

/**
 * The programs that play the roles offline, exported as `experts` from `experts/experts.ts`. Null means "nothing to
 * say" and abstains. `speakPatch` and `speakStance` serve every persona: by its key first, else by role, goal and stance.
 */
export type SentimentExperts = {
  extractAspects(input: AteInput): Awaitable<AteReply>;
  judgeSentiments(input: AtsaInput): Awaitable<AtsaReply>;
  validate(input: ValidatorInput): Awaitable<ValidatorReply>;
  speakPatch(input: PatchSpeakerInput): Awaitable<PatchTurnReply | null>;
  judgePatch(input: PatchJudgeInput): Awaitable<PatchJudgeReply>;
  speakStance(input: StanceSpeakerInput): Awaitable<StanceTurnReply | null>;
  judgeStance(input: StanceJudgeInput): Awaitable<StanceSummary>;
  reviewAspects(input: Reviewed): Awaitable<AteReviewReply>;
  reviewSentiments(input: Reviewed): Awaitable<AtsaReviewReply>;
  reviewValidation(input: Reviewed): Awaitable<ValidatorReviewReply>;
};
