import type { Persona } from "../schemas/config.ts";
import type { Round } from "../schemas/decision.ts";
import type { Question } from "../schemas/question.ts";
import type { Judgement, Speech } from "../schemas/reply.ts";

/** What a debate is about and who takes part; the same from its first turn to its last. */
export type Brief = { question: Question; passages: number; speakers: Record<string, Persona> };

/** What everyone is given: the brief, and the rounds so far. */
export type JudgeInput = Brief & { history: Round[] };

export type Task = "opening" | "revision" | "rebuttal";

/** What a speaker is given; `own` is the number of its own answer in the last round of `history`. */
export type SpeakerInput = JudgeInput & { own: number | null; task: Task };

/** Which speaker an expert plays: the place in the order of the speakers, and the side it takes. */
export type Part = { place: number; stance: Persona["stance"] };

/** The programs that can play the roles. */
export type QuestionExperts = {
  speak(input: SpeakerInput, part: Part): Speech;
  judge(input: JudgeInput): Judgement;
};
