/** The languages that can be read. */
export type LanguageCode = "ko" | "en";

/** What the rules know of a language (sentiment spec §2); one file per language, e.g. `ko.ts` exporting `korean`. */
export type Language = {
  code: LanguageCode;
  /** Particles that a term may carry at its end. Korean 은, 는, 이, 가…; English none. */
  particles: readonly string[];
  contrast_markers: readonly string[];
  negation_cues: readonly string[];
  irony_cues: readonly string[];
  /** Words by which a text itself rates something as average: 보통, average, so-so. */
  neutral_cues: readonly string[];
  /** How cues are found: as whole words (English) or anywhere (Korean). */
  cue_match: "word" | "substring";
  /** Words for one and the same aspect, by group: price, delivery, service, quality, taste, design, performance… */
  aspect_synonyms: Readonly<Record<string, readonly string[]>>;
};
