import * as z from "zod";
import { promptLanguages } from "./prompt.ts";

/** The fate of a point: it stands, is contested, was given up by its speaker, or was dropped. */
const StandingSchema = z.enum(["stands", "contested", "conceded", "dropped"]);
export type Standing = z.infer<typeof StandingSchema>;

/** One point of a turn, in the pack's words: a claim, a critique, a hypothesis, an edit, an answer. */
const PointSchema = z.strictObject({
  id: z.string(),
  /** Its name in the debate: C1, K2, log_3. */
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

/** A quote or citation with its context; `struck` says why it does not count. */
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

/** A debate as a story: stages with their turns, quotes, and positions. */
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
