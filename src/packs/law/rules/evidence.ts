import { dice } from "../../../text/similar.ts";
import { stemEnglish } from "../../../text/stems.ts";
import { stemTokens } from "../../../text/stem-indonesian.ts";
import type { Language, Material, MaterialItem } from "../schemas/material.ts";
import type { Claim } from "../schemas/messages.ts";

const indexes = new WeakMap<Material, Map<string, MaterialItem>>();

/** The item of the material that an id, one of its aliases or its title means; null when it was not given. */
export function findItem(material: Material, id: string): MaterialItem | null {
  let index = indexes.get(material);
  if (!index) {
    const names = (item: MaterialItem): string[] => [item.title, item.title_en, ...item.aliases, item.id];
    index = new Map(material.evidence.flatMap((item) => names(item).map((name) => [writeKey(name), item] as const)));
    indexes.set(material, index);
  }
  return index.get(writeKey(id)) ?? null;
}

/** "Pasal 1320 KUHPerdata" and "KUHPerdata Pasal 1320" are one name. */
function writeKey(name: string): string {
  const plain = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}:|()/-]+/gu, " ")
    .trim();
  const [, article, law] = /^((?:pasal|art|article) \S+) (.+)$/u.exec(plain) ?? [];
  return law === undefined ? plain : `${law} ${article ?? ""}`;
}

/** The ids in their stable form, each once; unknown ones are left as they are. */
export function resolveIds(material: Material, ids: string[]): string[] {
  return [...new Set(ids.map((id) => findItem(material, id)?.id ?? id))];
}

export function titleOf(item: MaterialItem, language: Language): string {
  return language === "en" ? item.title_en : item.title;
}

export function statementOf(item: MaterialItem, language: Language): string {
  return language === "en" ? item.statement_en : item.statement;
}

const joining = new Set(
  "yang dengan untuk dari pada atau oleh dalam tidak adalah menurut harus dapat boleh bila jika karena sebagai klaim hukum law that this with from under shall must does which claim have been they their very wrong salah sekali".split(
    " ",
  ),
);

/** The content words of a text as stems; whoever speaks may write in either language. */
function termsOf(text: string): Set<string> {
  const words = [...text.toLowerCase().matchAll(/[\p{L}\p{N}]{4,}/gu)]
    .map(([word]) => word)
    .filter((word) => !joining.has(word));
  return new Set(
    words.flatMap((word) => [...stemTokens(word), stemEnglish(word)]).filter((stem) => !joining.has(stem)),
  );
}

const minShared = 2;
const minShare = 0.2;

/** Whether two texts speak of the same: two content words in common, and a fifth of those of the shorter (law spec §4.1). */
export function bearsOn(text: string, others: string[]): boolean {
  const about = termsOf(text);
  return others.some((other) => {
    const words = termsOf(other);
    const shared = about.intersection(words).size;
    return shared >= minShared && shared >= minShare * Math.min(about.size, words.size);
  });
}

/** The share of a text's content words that another has. */
export function shareTerms(text: string, other: string): number {
  const about = termsOf(text);
  return about.size === 0 ? 0 : about.intersection(termsOf(other)).size / about.size;
}

/** Whether an item bears on what is said: that it was retrieved for the same question is not enough. */
export function itemBearsOn(material: Material, id: string, said: string[]): boolean {
  const item = findItem(material, id);
  return item !== null && (bearsOn(item.statement, said) || bearsOn(item.statement_en, said));
}

const same = 0.9;

/** Whether two claims say the same in nearly the same words. */
export function isSameClaim(a: Pick<Claim, "statement">, b: Pick<Claim, "statement">): boolean {
  return dice(stemTokens(a.statement), stemTokens(b.statement), 1) >= same;
}

const fractions: [RegExp, string][] = [
  [/\b(?:setengah|separuh|seperdua|half)\b/giu, "1/2"],
  [/\b(?:sepertiga|one[- ]third|a third)\b/giu, "1/3"],
  [/\b(?:dua ?pertiga|two[- ]thirds?)\b/giu, "2/3"],
  [/\b(?:seperempat|one[- ]quarter|a quarter)\b/giu, "1/4"],
  [/\b(?:tiga ?perempat|three[- ]quarters?)\b/giu, "3/4"],
  [/\b(?:seperenam|one[- ]sixth)\b/giu, "1/6"],
  [/\b(?:seperdelapan|one[- ]eighth)\b/giu, "1/8"],
];
const provision =
  /\b(?:pasal|psl|articles?|arts?|ayat|para(?:graph)?|huruf|no(?:mor|mber)?|tahun|uu|pp|law|perda|putusan|decision|year)\b\.?\s*\(?[\d/]+[a-z]?\)?(?:\s*(?:[-,/]|dan|and|jo\.?|tahun|of)\s*\(?\d+[a-z]?\)?)*/giu;

/** The figures of a text in one form: "setengah", "50 %" and "1/2" are the same; numbers of provisions are no figures. */
export function listFigures(text: string): string[] {
  let rest = text
    .replaceAll(/(?<=[A-Z]-?)\d[\w/-]*|\b\d+\s*(?:K|PK)\/\S+|\b\d+\/PUU\S*/gu, " ")
    .replaceAll(provision, " ");
  const found: string[] = [];
  for (const [pattern, figure] of fractions) rest = rest.replaceAll(pattern, () => (found.push(figure), " "));
  for (const [, number = "", percent] of rest.matchAll(/(\d+(?:[.,/]\d+)?)\s*(%|persen|per ?cent)?/giu)) {
    const plain = number.replace(",", ".");
    found.push(percent === "%" || percent ? (plain === "50" ? "1/2" : plain === "25" ? "1/4" : `${plain}%`) : plain);
  }
  return found.filter((figure) => figure !== "1" && figure !== "0");
}

/** Figures of a claim that neither what it cites, nor a rule's conclusion, nor the question has. */
export function findForeignFigures({ statement, evidence }: Claim, material: Material, query: string): string[] {
  const rules = material.evidence.filter(({ kind }) => kind === "rule");
  const sources = [...evidence.flatMap((id) => findItem(material, id) ?? []), ...rules];
  const texts = sources.flatMap((item) => [...textsOf(item), item.scope ?? "", item.scope_en ?? ""]);
  const known = new Set([...texts, query].flatMap(listFigures));
  return [...new Set(listFigures(statement))].filter((figure) => !known.has(figure));
}

/** What a text may name: the provisions of its sources, and of what others already said. */
export type Ground = ReadonlySet<string>;
const grounds = new WeakMap<Material, Ground>();

/** What whoever speaks on the case may name: what was retrieved, and what the question names. */
export function groundOf(material: Material, query: string): Ground {
  let ground = grounds.get(material);
  if (!ground) {
    const items = material.evidence.flatMap((item) => [...textsOf(item), item.source, ...item.aliases]);
    grounds.set(material, (ground = collectGround([query, ...material.cited.map(({ text }) => text), ...items])));
  }
  return ground;
}

/** What an item says, in both languages. */
export function textsOf({ title, title_en, statement, statement_en }: MaterialItem): string[] {
  return [title, title_en, statement, statement_en];
}

/** The provisions that texts name, as articles of aliases too. */
export function collectGround(texts: string[]): Ground {
  const aliases = texts.flatMap((one) =>
    [...one.matchAll(/[:-](\d+[a-z]?)\b/giu)].map(([, article = ""]) => `art ${article.toLowerCase()}`),
  );
  return new Set([...texts.flatMap(listProvisions).map(({ key }) => key), ...aliases]);
}

const named =
  /\b(?:pasal|psl\.?|articles?|art\.?)\s*(\d+[a-z]?)|\b(?:uu|undang-undang|pp|perpu|perppu|perda|permen|law|act|regulation)\s*(?:no(?:mor|\.)?\s*)?(\d+)\s*(?:\/|\s+(?:tahun|of)\s+)(\d{4})|\b(\d+)\s*k\/\w+\/(\d{4})|\b(\d+)\/puu-\w+\/(\d{4})/giu;

function listProvisions(text: string): { text: string; key: string }[] {
  return [...text.matchAll(named)].map(([whole, article, no, year, decision, of, review, at]) => ({
    text: whole,
    key: article ? `art ${article.toLowerCase()}` : `${no ?? decision ?? review}/${year ?? of ?? at}`,
  }));
}

/** Provisions that a text names and its ground does not: invented, or at least not from here. */
export function findInvented(text: string, ground: Ground): string[] {
  return listProvisions(text)
    .filter(({ key }) => !ground.has(key))
    .map((one) => one.text);
}

/** A text without the sentences that cite what is not there. */
export function strikeInvented(text: string, ground: Ground): string {
  const sentences = text.split(/(?<!\b(?:jo|no|art|psl|hlm|dst|dll|prof|dr)\.)(?<=[.!?])\s+(?=\p{Lu})|\n+/iu);
  return sentences
    .filter((sentence) => findInvented(sentence, ground).length === 0)
    .join("\n")
    .trim();
}
