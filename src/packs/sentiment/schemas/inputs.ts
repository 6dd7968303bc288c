import type { DebateOutput, Episode, PatchTurn, Persona, StanceTurn, TurnStrike } from "./debate.ts";
import type { Material } from "./material.ts";
import type { Aspect, Sentiment, Stage1 } from "./stage1.ts";
import type { ReviewContext, Stage2 } from "./stage2.ts";

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

export type CaseTurns = {
  text_id: string;
  source: string;
  material: Material;
  stage1: Stage1;
  debate: DebateOutput | null;
  stage2: Stage2 | null;
  strikes: TurnStrike[];
};
