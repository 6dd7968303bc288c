import { readFileSync } from "node:fs";
import * as z from "zod";
import { findMentions } from "../mentions/mentions.ts";
import { splitWords } from "../mentions/words.ts";

const LawSchema = z.strictObject({
  /** The prefix of the aliases of its articles: `UU-1-1974:35`. */
  key: z.string(),
  names: z.array(z.string()),
  /** Words of its title, in both languages. */
  title: z.string(),
});
export type Law = z.infer<typeof LawSchema>;

const file = new URL("../../../../data/law/laws.json", import.meta.url);

/** The laws of which the knowledge base has at least one provision. */
export const laws: Law[] = z.array(LawSchema).parse(JSON.parse(readFileSync(file, "utf8")));

/** The law of this key (`UU-1-1974`), or null when the knowledge base has no provision of it. */
export function findLaw(key: string): Law | null {
  return laws.find((law) => law.key.toLowerCase() === key.toLowerCase()) ?? null;
}

/**
 * True when what follows "tentang" cannot belong to this law: it shares no word with its title and names nothing
 * that this knowledge base knows. "UU 1/1974 tentang harta bersama" describes an article; "… tentang kripto" is forged.
 */
export function isForeignTitle(law: Law, about: string): boolean {
  const title = new Set(splitWords(law.title));
  const words = splitWords(about.toLowerCase());
  return (
    words.length > 0 &&
    !words.some((word) => title.has(word)) &&
    findMentions(about).every(({ concept }) => concept.generic)
  );
}
