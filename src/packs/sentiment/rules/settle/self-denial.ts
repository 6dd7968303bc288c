import { languageOf, readerOf } from "../../../../knowledge/opinions/index.ts";
import type { PatchSummary } from "../../schemas/debate.ts";
import type { CaseTurns } from "../../schemas/case-turns.ts";
import type { Polarity } from "../../schemas/stage1.ts";
import { findTerm } from "../tuples/find-term.ts";

/** What a judge who said two opposite things of a text is taken to have meant. */
export type Meant = { aspect: string; polarity: Polarity };

/**
 * A judge whose only tuple has the opposite polarity of its word on the whole text has said two things ("no residue" is good,
 * and residue is bad). Where both offline readings of the text tie the polarity of that word to the aspect, it is what the
 * judge meant (sentiment spec §6a, step 2); otherwise null.
 */
export function findMeant(
  { text, language_code }: Pick<CaseTurns, "text" | "language_code">,
  { final_tuples, sentence_polarity: word }: PatchSummary,
): Meant | null {
  const [only, ...others] = final_tuples.filter(({ polarity }) => polarity !== "neutral");
  if (only === undefined || others.length > 0 || only.polarity === word) return null;
  if (word !== "positive" && word !== "negative") return null;
  const span = findTerm(text, only.aspect_ref);
  if (span === null) return null;
  const reader = readerOf(languageOf(language_code).code);
  const readings = [...reader.near(text, [span]), ...reader.scoped(text, [span])];
  return readings.every(({ polarity }) => polarity === word) ? { aspect: only.aspect_ref, polarity: word } : null;
}

/** The summary as it was meant. */
export function sayMeant(summary: PatchSummary, meant: Meant | null): PatchSummary {
  if (meant === null) return summary;
  const { aspect, polarity } = meant;
  return {
    ...summary,
    final_patch: summary.final_patch.filter(({ target }) => target.aspect_ref !== aspect),
    final_tuples: summary.final_tuples.map((one) => (one.aspect_ref === aspect ? { ...one, polarity } : one)),
  };
}
