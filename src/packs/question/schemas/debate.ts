import * as z from "zod";
import type { Admits } from "../../../contract/run.ts";
import { sha256 } from "../../../engine/hash.ts";
import { AnswerTypeSchema } from "./case.ts";

const content = z.string().refine((text) => text.trim() !== "", "must not be empty");
const QuoteSchema = z.strictObject({ source: z.string(), quote: content });
export type Quote = z.infer<typeof QuoteSchema>;

export const nameQuote = ({ source, quote }: Quote): string => `${source}:${quote}`;
/** Each quote once. */
export const distinctQuotes = (quotes: readonly Quote[]): Quote[] => [
  ...new Map(quotes.map((quote) => [nameQuote(quote), quote])).values(),
];

const PassageSchema = z.strictObject({
  source: z.string(),
  title: z.string().nullable(),
  date: z.string().nullable(),
  heading: z.string().nullable(),
  text: z.string(),
});
export type Passage = z.infer<typeof PassageSchema>;

const ConflictSchema = z.strictObject({
  a: QuoteSchema,
  b: QuoteSchema,
  /** The source of the later statement; null when dates do not tell. */
  later: z.string().nullable(),
});

const ChangeSchema = z.strictObject({
  by: QuoteSchema,
  changes: QuoteSchema,
  /** The new text; null when the statement no longer holds. */
  now: z.string().nullable(),
});

/** The key of a statement's text in `nearness`. */
export function keyOf(text: string): string {
  return sha256(text).slice(0, 12);
}

/** The documents as shown to everyone: bounded (question spec §4.3). */
export const MaterialSchema = z.strictObject({
  retrieval: z.enum(["grounded", "no_match", "unavailable"]),
  by: z.string(),
  is_whole: z.boolean(),
  files: z.array(z.strictObject({ source: z.string(), title: z.string().nullable(), date: z.string().nullable() })),
  passages: z.array(PassageSchema).meta({
    admit: (source: string, text: string) => ({ source, title: null, date: null, heading: null, text }),
  } satisfies Admits),
  reserve: z.array(PassageSchema),
  conflicts: z.array(ConflictSchema),
  changes: z.array(ChangeSchema),
  orders: z.array(QuoteSchema),
  /** With an embedding model: how near a statement is to the question in meaning, in deviations from the mean; by `keyOf` its text. */
  nearness: z.record(z.string(), z.number()).optional(),
});
export type Material = z.infer<typeof MaterialSchema>;

/** A speaker's reply: reasons first, then the conclusion. `answer` is null if it has none, and `reasoning` says why. */
export const SpeechSchema = z.strictObject({
  reasoning: content.meta({ title: "Why?" }),
  quotes: z.array(QuoteSchema).refine((quotes) => quotes.length <= 100, "more than 100 quotes"),
  answer: content.nullable().meta({ title: "What is the answer?" }),
  short_answer: content.nullable().default(null),
  confidence: z.number().min(0).max(1).meta({ title: "How sure are you, from 0 to 1?" }),
  search: content.nullable().default(null),
});
export type Speech = z.infer<typeof SpeechSchema>;

/** A judge's reply; `winner` is the number of the answer it follows, or null. */
export const JudgementSchema = z.strictObject({
  reasoning: content.meta({ title: "Why?" }),
  winner: z.int().min(1).nullable().meta({ title: "Which side has the better case?" }),
  answer: content.nullable().meta({ title: "What is the answer?" }),
  confidence: z.number().min(0).max(1).meta({ title: "How sure are you, from 0 to 1?" }),
});
export type Judgement = z.infer<typeof JudgementSchema>;

/** Groups of numbered answers that agree; each number is in exactly one group. */
export const SameAnswersSchema = z.strictObject({
  reasoning: content,
  groups: z.array(z.array(z.int().min(1)).min(1)).min(1),
});
export type SameAnswers = z.infer<typeof SameAnswersSchema>;

const CampSchema = z.strictObject({
  canonical: z.string(),
  answer: z.string(),
  speakers: z.array(z.string()),
  confidence: z.number(),
});
export type Camp = z.infer<typeof CampSchema>;

const SaidSchema = SpeechSchema.omit({ search: true }).extend({
  speaker: z.string(),
  canonical: z.string().nullable(),
  program: z.boolean(),
  struck: z.string().nullable(),
});
export type Said = z.infer<typeof SaidSchema>;

const RoundSchema = z.strictObject({
  round: z.int(),
  agreement: z.number(),
  speeches: z.array(SaidSchema),
  silent: z.array(z.string()),
});
export type Round = z.infer<typeof RoundSchema>;

const VoiceSchema = z.strictObject({
  speaker: z.string(),
  /** Its final position, as far as it counts; null for none. */
  answer: z.string().nullable(),
  canonical: z.string().nullable(),
  confidence: z.number(),
  program: z.boolean(),
  state: z.enum(["spoke", "kept", "silent", "none"]),
  other: z.string().nullable(),
});
export type Voice = z.infer<typeof VoiceSchema>;

/** The decision: the answer, everyone's position, and the plain vote of the openings. */
export const QuestionDecisionSchema = z.strictObject({
  question: z.string(),
  answer_type: AnswerTypeSchema,
  answer: z.string().nullable(),
  short_answer: z.string().nullable(),
  canonical: z.string().nullable(),
  confidence: z.number(),
  decided_by: z.enum(["vote", "agreement", "judge", "jury", "single", "program", "nobody"]),
  stop_reason: z.enum(["agreement", "undisputed", "max_rounds", "silence", "certainty", "enough", "fixed", "cut_off"]),
  agreement: z.number(),
  asked: z.int(),
  voices: z.array(VoiceSchema),
  votes: z.array(CampSchema),
  dissent: z.array(CampSchema),
  vote_after_openings: z.string().nullable(),
  rounds: z.array(RoundSchema),
  judgement: JudgementSchema.nullable(),
  sources: z.array(QuoteSchema),
  retrieval: MaterialSchema.shape.retrieval,
});
export type QuestionDecision = z.infer<typeof QuestionDecisionSchema>;
