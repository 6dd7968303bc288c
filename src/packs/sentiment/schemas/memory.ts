/** Episodic memory on the wire (sentiment spec §3): principles, never raw text or gold. */
import * as z from "zod";
import { LanguageCodeSchema } from "./stage1.ts";

export const structures = ["negation", "contrast", "irony", "none"] as const;

export const EpisodeSchema = z.strictObject({
  id: z.string().min(1),
  language: LanguageCodeSchema,
  structure: z.enum(structures),
  /** A synonym group of the language file, or "other". */
  aspect_group: z.string(),
  principle: z.string().min(1),
  advice: z.enum(["positive", "negative", "abstain"]).nullable(),
  outcome: z.enum(["helped", "harmed", "unknown"]),
});
export type Episode = z.infer<typeof EpisodeSchema>;

export const conditions = ["C1", "C2", "C2_silent"] as const;
