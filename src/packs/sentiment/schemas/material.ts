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
  /** The words that evaluate, with the sign they have where they stand. */
  opinions: z.array(z.strictObject({ ...PlaceSchema.shape, polarity: PolaritySchema })).max(most),
});

export const MaterialSchema = z.strictObject({
  /** The text that is debated: in composed letters and without markup. */
  text: z.string(),
  language_code: LanguageCodeSchema,
  clauses: places,
  /** Where it negates, contrasts or may be ironic. */
  turns: places,
  /** Where the text itself rates something as average. */
  neutral_cues: places,
  /** Sentences that speak to whoever analyses the text: material, and no evidence of anything. */
  orders: places,
  /** How the text is built, as episodes are filed. */
  structure: z.enum(structures),
  /** Endings that a term may carry. */
  particles: z.array(z.string()).max(100),
  /** The words of each group of aspects that the text names. */
  synonyms: z.record(z.string(), z.array(z.string())),
  witness: WitnessSchema,
  /** The episodes of memory that bear on the text, at most three. */
  episodes: z.array(EpisodeSchema).max(3),
  /** Episodes that were left out because they hold words of this text. */
  refused_episodes: z.int().nonnegative(),
});
export type Material = z.infer<typeof MaterialSchema>;
