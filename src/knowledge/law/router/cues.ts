import { readFileSync } from "node:fs";
import * as z from "zod";

const ListsSchema = z.strictObject({
  /** It names a conflict or asks which law wins. */
  clash: z.array(z.string()),
  /** Parties or norms pull apart. */
  opposed: z.array(z.string()),
  /** Those of `opposed` that a party does to another. */
  parties: z.array(z.string()),
  /** It asks what both say or share. */
  harmony: z.array(z.string()),
  /** Words that turn the next few words into their opposite: "tanpa menyebut konflik", "tidak ada pertentangan". */
  negations: z.array(z.string()),
  /** Topics of law and life outside this knowledge base. */
  outside: z.array(z.string()),
});

/** Words that say how a question sets the two bodies of law against each other. */
export type CueKind = "clash" | "opposed" | "harmony";

/** A cue as lower-case words. */
export type Cue = { kind: CueKind; words: string[] };

const file = new URL("../../../../data/law/cues.json", import.meta.url);
const lists = ListsSchema.parse(JSON.parse(readFileSync(file, "utf8")));

/** Every cue, longest first. */
export const cues: Cue[] = (["clash", "opposed", "harmony"] as const)
  .flatMap((kind) => lists[kind].map((phrase) => ({ kind, words: phrase.split(/[\s-]+/) })))
  .toSorted((a, b) => b.words.length - a.words.length);

/** What a party does to another: claims, refuses, sues. */
export const partyCues: ReadonlySet<string> = new Set(lists.parties);

export const negations: ReadonlySet<string> = new Set(lists.negations);

export const outsideTopics: { words: string[] }[] = lists.outside
  .map((phrase) => ({ words: phrase.split(/[\s-]+/) }))
  .toSorted((a, b) => b.words.length - a.words.length);
