import type { Opinion, Span } from "./reading.ts";

/** Indices of tokens, `to` exclusive. */
export type Range = { from: number; to: number };

/** An opinion with its place among the tokens; `valueFor` re-reads it for the words it describes. */
export type PlacedOpinion = Opinion & Range & { valueFor(words: readonly string[]): number };

/** What an opinion is about: what it describes, what it touches only in passing, and by which relation. */
export type Attachment = { opinion: PlacedOpinion; targets: Range[]; second: Range[]; via: string };

/** Where an aspect stands; a `setting` only says where or when. */
export type Place = Range & { span: Span; clause: number; words: string[]; setting: boolean };

/** A word of the text in its plain form, with the clause it stands in. */
export type Word = { index: number; lemma: string; clause: number };

/** The words of a text, each with the first clause that holds it. */
export function listWords(lemmas: readonly string[], clauses: readonly Range[]): Word[] {
  const holders = new Int32Array(lemmas.length).fill(-1);
  for (const [clause, { from, to }] of clauses.entries())
    for (let at = Math.max(0, from); at < to && at < holders.length; at += 1)
      if (holders[at] === -1) holders[at] = clause;
  return lemmas.map((lemma, index) => ({ index, lemma, clause: holders[index] as number }));
}

/** A text taken apart, as both readings need it in any language. */
export type Structure = {
  text: string;
  words: readonly Word[];
  opinions: PlacedOpinion[];
  attachments: Attachment[];
  /** How far an opinion without a target may go: to the aspects of its clause, or to any aspect of the text. */
  reach: "clause" | "text";
  place(span: Span): Place;
};
