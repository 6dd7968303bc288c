import * as z from "zod";
import { promptLanguages } from "./prompt.ts";

/** What became of something that was said: it stands, it is contested, its speaker gave it up, or it was left behind. */
export const StandingSchema = z.enum(["stands", "contested", "conceded", "dropped"]);
export type Standing = z.infer<typeof StandingSchema>;

/** One thing that a turn says, in the pack's words: a claim, a critique, a hypothesis, an edit, an answer. */
export const PointSchema = z.strictObject({
  /** Unique in its run: what others answer. */
  id: z.string(),
  /** What it is called in the debate: C1, K2, log_3. */
  name: z.string(),
  text: z.string(),
  /** A few words on its kind: a severity, a category. */
  tags: z.array(z.string()).optional(),
  standing: StandingSchema.optional(),
  /** What became of it in the pack's words, and why. */
  status: z.string().optional(),
  why: z.string().optional(),
  score: z.strictObject({ label: z.string(), value: z.number(), most: z.number() }).optional(),
  /** What it changes: an edit, a claim that was reworded. */
  change: z.strictObject({ before: z.string(), after: z.string() }).optional(),
  /** The point that it repeats unchanged. */
  repeats: z.string().optional(),
  /** The points that it answers. */
  answers: z.array(z.string()).optional(),
  /** The exhibits that it rests on. */
  uses: z.array(z.string()).optional(),
  /** What else it says, for those who want to read on. */
  more: z.array(z.strictObject({ label: z.string(), text: z.string() })).optional(),
});
export type Point = z.infer<typeof PointSchema>;

/** A turn as it is told. */
export const ToldTurnSchema = z.strictObject({
  turn: z.string(),
  speaker: z.string(),
  /** What the speaker does in this turn: answers, criticises, judges. */
  does: z.string(),
  says: z.string(),
  points: z.array(PointSchema),
});
export type ToldTurn = z.infer<typeof ToldTurnSchema>;

/** Something that was quoted or cited, with the words around it; `struck` says why it does not count. */
export const ExhibitSchema = z.strictObject({
  id: z.string(),
  /** The text, document or log that it is from. */
  source: z.string(),
  /** Where in there: a line, an article. */
  place: z.string(),
  quote: z.string(),
  before: z.string().optional(),
  after: z.string().optional(),
  struck: z.string().optional(),
});
export type Exhibit = z.infer<typeof ExhibitSchema>;

/** Where a role stood in a round; `item` names what the position is about when a case has several. */
export const PositionSchema = z.strictObject({
  round: z.int(),
  role: z.string(),
  answer: z.string(),
  item: z.string().optional(),
  /** The turn in which it was taken. */
  turn: z.string().optional(),
  /** Whether it was right, where a person has said what is right. */
  right: z.boolean().optional(),
});
export type PositionItem = z.infer<typeof PositionSchema>;

/**
 * A debate as it is told: stages in their order, each with its turns; what was quoted, in the order of the documents;
 * and who stood where, for a pack whose answers alone do not say it.
 */
export const StorySchema = z.strictObject({
  /** What the debate is about, in one line: the question, the sentence, the incident. */
  subject: z.string().optional(),
  /** The language of the case. */
  language: z.enum(promptLanguages).optional(),
  stages: z.array(z.strictObject({ title: z.string(), turns: z.array(ToldTurnSchema) })),
  exhibits: z.array(ExhibitSchema),
  positions: z.array(PositionSchema).optional(),
  /** What roles are called, also those that have not spoken. */
  names: z.record(z.string(), z.string()).optional(),
});
export type Story = z.infer<typeof StorySchema>;
export type Stage = Story["stages"][number];
