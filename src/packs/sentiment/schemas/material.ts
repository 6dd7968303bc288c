/** The material of a sentiment debate: everything a program read in the text. */
import * as z from "zod";
import { EpisodeSchema, structures } from "./debate.ts";
import { LanguageCodeSchema, PolaritySchema } from "./stage1.ts";

const PlaceSchema = z.strictObject({ start: z.int().nonnegative(), end: z.int().nonnegative() });
/** The most places a program marks in a text. */
export const mostPlaces = 2000;
const places = z.array(PlaceSchema).max(mostPlaces);

/** An offline reader's opinion, with its version: a witness that raises doubts and can reject a quote, but decides nothing. */
const WitnessSchema = z.strictObject({
  reader: z.string(),
  aspects: z.array(z.strictObject({ ...PlaceSchema.shape, polarity: PolaritySchema.nullable() })).max(mostPlaces),
  opinions: z.array(z.strictObject({ ...PlaceSchema.shape, polarity: PolaritySchema })).max(mostPlaces),
});

export const MaterialSchema = z.strictObject({
  text: z.string(),
  language_code: LanguageCodeSchema,
  /** The text is neither Korean nor English but was read as if it were. */
  is_foreign: z.boolean().optional(),
  clauses: places,
  turns: places,
  neutral_cues: places,
  orders: places,
  structure: z.enum(structures),
  particles: z.array(z.string()).max(100),
  synonyms: z.record(z.string(), z.array(z.string())),
  witness: WitnessSchema,
  episodes: z.array(EpisodeSchema).max(3),
  /** Episodes left out because they contain words of this text. */
  refused_episodes: z.int().nonnegative(),
});
export type Material = z.infer<typeof MaterialSchema>;
