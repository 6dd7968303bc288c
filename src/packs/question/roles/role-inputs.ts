import type { ReadingLimits } from "../../../knowledge/documents/index.ts";
import type { Persona } from "../schemas/config.ts";
import type { Round } from "../schemas/decision.ts";
import type { Question } from "../schemas/question.ts";
import type { Judgement, SameAnswers, Speech } from "../schemas/reply.ts";

/** How a debate is held: what it may rest on, whether peers have names, whether following the majority is warned of. */
export type Manner = { only_documents: boolean | undefined; anonymous: boolean; anti_conformity: boolean };

/** What a debate is about and who takes part; the same from its first turn to its last. */
export type Brief = {
  question: Question;
  reading: ReadingLimits;
  speakers: Record<string, Persona>;
  manner: Manner;
};

/** What everyone is given: the brief, and the rounds so far. */
export type SharedInput = Brief & { history: Round[] };

/** What a judge is given; one that sees only quotes reads the answers and what they verifiably quote. */
export type JudgeInput = SharedInput & { sight: "all" | "quotes" };

export type Task = "opening" | "revision" | "rebuttal" | "critique";

/** What a speaker is given; `own` is the number of its own answer in the last round of `history`. */
export type SpeakerInput = SharedInput & { own: number | null; task: Task };

/** The answers to be compared, one of each wording that rules know to differ. */
export type SameAnswerInput = { question: Question; answers: string[] };

/** Which speaker an expert plays: the place in the order of the speakers, and the side it takes. */
export type Part = { place: number; stance: Persona["stance"] };

/** The programs that can play the roles. */
export type QuestionExperts = {
  speak(input: SpeakerInput, part: Part): Speech;
  judge(input: JudgeInput): Judgement;
  compare(input: SameAnswerInput): SameAnswers;
};
