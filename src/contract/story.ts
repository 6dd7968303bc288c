import * as z from "zod";
import { promptLanguages } from "./prompt.ts";

/** What became of something that was said: it stands, it is contested, its speaker gave it up, or it was left behind. */
const StandingSchema = z.enum(["stands", "contested", "conceded", "dropped"]);
export type Standing = z.infer<typeof StandingSchema>;

/** One thing that a turn says, in the pack's words: a claim, a critique, a hypothesis, an edit, an answer. */
const PointSchema = z.strictObject({
  id: z.string(),
  /** What it is called in the debate: C1, K2, log_3. */
  name: z.string(),
  text: z.string(),
  tags: z.array(z.string()).optional(),
  standing: StandingSchema.optional(),
  status: z.string().optional(),
  why: z.string().optional(),
  score: z.strictObject({ label: z.string(), value: z.number(), most: z.number() }).optional(),
  change: z.strictObject({ before: z.string(), after: z.string() }).optional(),
  repeats: z.string().optional(),
  answers: z.array(z.string()).optional(),
  uses: z.array(z.string()).optional(),
  more: z.array(z.strictObject({ label: z.string(), text: z.string() })).optional(),
});
export type Point = z.infer<typeof PointSchema>;

const StoryTurnSchema = z.strictObject({
  turn: z.string(),
  speaker: z.string(),
  does: z.string(),
  says: z.string(),
  points: z.array(PointSchema),
});
export type StoryTurn = z.infer<typeof StoryTurnSchema>;

/** Something that was quoted or cited, with the words around it; `struck` says why it does not count. */
const ExhibitSchema = z.strictObject({
  id: z.string(),
  source: z.string(),
  place: z.string(),
  quote: z.string(),
  before: z.string().optional(),
  after: z.string().optional(),
  struck: z.string().optional(),
});
export type Exhibit = z.infer<typeof ExhibitSchema>;

export const PositionSchema = z.strictObject({
  round: z.int(),
  role: z.string(),
  answer: z.string(),
  item: z.string().optional(),
  turn: z.string().optional(),
  right: z.boolean().optional(),
});
export type PositionItem = z.infer<typeof PositionSchema>;

/** A debate as it is told: stages in their order with their turns, what was quoted, and who stood where. */
export const StorySchema = z.strictObject({
  subject: z.string().optional(),
  language: z.enum(promptLanguages).optional(),
  stages: z.array(z.strictObject({ title: z.string(), turns: z.array(StoryTurnSchema) })),
  exhibits: z.array(ExhibitSchema),
  positions: z.array(PositionSchema).optional(),
  names: z.record(z.string(), z.string()).optional(),
});
export type Story = z.infer<typeof StorySchema>;
export type Stage = Story["stages"][number];
