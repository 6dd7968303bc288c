import { type CaseFile, findCitedProvisions, type Evidence } from "../../../../knowledge/law/index.ts";

/** What a text may speak of: sources, and what others already said on them. */
export type Ground = { sources: Evidence[]; said: string[] };

/** Provisions in a text that neither its ground nor the question names: invented, or at least not from here. */
export function findInvented(text: string, file: CaseFile, ground: Ground): string[] {
  if (findCitedProvisions(text).length === 0) return [];
  const { texts, ids } = getKnown(ground);
  const asked = new Set(file.retrieval.cited.map((one) => one.text.toLowerCase()));
  return findCitedProvisions(takeOut(text, texts))
    .filter((one) => !(one.id !== null && ids.has(one.id)) && !asked.has(one.text.toLowerCase()))
    .map((one) => one.text);
}

/** A text without the sentences that cite what is not there. */
export function strikeInvented(text: string, file: CaseFile, ground: Ground): string {
  const sentences = text.split(sentenceEnd);
  return sentences
    .filter((sentence) => findInvented(sentence, file, ground).length === 0)
    .join("\n")
    .trim();
}

/** A full stop after an abbreviation does not end a sentence. */
const sentenceEnd = /(?<!\b(?:jo|no|art|psl|hlm|dst|dll|prof|dr)\.)(?<=[.!?])\s+(?=\p{Lu})|\n+/iu;

function listTexts({ title, title_en, statement, statement_en, scope, scope_en }: Evidence): string[] {
  return [title, title_en, statement, statement_en, scope ?? "", scope_en ?? ""];
}

type Known = { texts: string[]; ids: Set<string> };
const knownFromGround = new WeakMap<Ground, Known>();

/** What a ground says, longest first, and the provisions it speaks of; read once for each ground. */
function getKnown(ground: Ground): Known {
  let known = knownFromGround.get(ground);
  if (!known) {
    const all = [...ground.sources.flatMap(listTexts), ...ground.said];
    const cited = all.flatMap((one) => findCitedProvisions(one)).flatMap(({ id }) => id ?? []);
    const texts = all.map((one) => one.replace(/[.\s]+$/u, "")).filter((one) => one !== "");
    known = {
      texts: texts.toSorted((a, b) => b.length - a.length),
      ids: new Set([...ground.sources.map(({ id }) => id), ...cited]),
    };
    knownFromGround.set(ground, known);
  }
  return known;
}

/** What is left of a text when everything it repeats is taken out is the writer's own. */
function takeOut(text: string, known: string[]): string {
  return known.reduce((left, one) => left.replaceAll(one, " "), text);
}
