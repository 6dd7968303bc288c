/** What the agents of a sentiment debate are given beside the case: everything that a program read in the text. */
import * as z from "zod";
import { EpisodeSchema, structures } from "./debate.ts";
import { LanguageCodeSchema, PolaritySchema } from "./stage1.ts";

const PlaceSchema = z.strictObject({ start: z.int().nonnegative(), end: z.int().nonnegative() });
const most = 2000;
const places = z.array(PlaceSchema).max(most);

/**
 * What an offline reader says of the text, with the version that said it: a witness, which raises doubts and can take a
 * quote's word, and which decides nothing.
 */
const WitnessSchema = z.strictObject({
  reader: z.string(),
  aspects: z.array(z.strictObject({ ...PlaceSchema.shape, polarity: PolaritySchema.nullable() })).max(most),
  opinions: z.array(z.strictObject({ ...PlaceSchema.shape, polarity: PolaritySchema })).max(most),
});

export const MaterialSchema = z.strictObject({
  text: z.string(),
  language_code: LanguageCodeSchema,
  /** The text is neither Korean nor English and was read as if it were. */
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
  /** Episodes that were left out because they hold words of this text. */
  refused_episodes: z.int().nonnegative(),
});
export type Material = z.infer<typeof MaterialSchema>;
