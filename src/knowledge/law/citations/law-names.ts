import { readFileSync } from "node:fs";
import * as z from "zod";
import { mentionsIn } from "../mentions/mentions.ts";
import { wordsOf } from "../mentions/words.ts";

const LawSchema = z.strictObject({
  /** The prefix of the aliases of its articles: `UU-1-1974:35`. */
  key: z.string(),
  names: z.array(z.string()),
  /** Words of its title, in both languages. */
  title: z.string(),
});
export type Law = z.infer<typeof LawSchema>;

const file = new URL("../../../../data/law/laws.json", import.meta.url);

/** The laws of which the knowledge base holds something. */
export const laws: Law[] = z.array(LawSchema).parse(JSON.parse(readFileSync(file, "utf8")));

/** The law of this key (`UU-1-1974`), or null when the knowledge base holds nothing of it. */
export function lawOf(key: string): Law | null {
  return laws.find((law) => law.key.toLowerCase() === key.toLowerCase()) ?? null;
}

/**
 * True when what follows "tentang" cannot belong to this law: it shares no word with its title and names nothing
 * that this knowledge base knows. "UU 1/1974 tentang harta bersama" describes an article; "… tentang kripto" is forged.
 */
export function titleIsForeign(law: Law, about: string): boolean {
  const title = new Set(wordsOf(law.title));
  const words = wordsOf(about.toLowerCase());
  return (
    words.length > 0 &&
    !words.some((word) => title.has(word)) &&
    mentionsIn(about).every(({ concept }) => concept.generic)
  );
}
