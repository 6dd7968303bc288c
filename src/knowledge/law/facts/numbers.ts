import { readRational, writeRational } from "../rules/rational.ts";
import type { Reading } from "./reading.ts";

const cardinals: Record<string, number> = {
  satu: 1,
  dua: 2,
  tiga: 3,
  empat: 4,
  lima: 5,
  enam: 6,
  tujuh: 7,
  delapan: 8,
  sembilan: 9,
  sepuluh: 10,
  sebelas: 11,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
};
const classifiers = new Set(["orang", "buah", "of", "legitimate", "young", "adult", "sah"]);
const having = /(?:meninggalkan|punya|mempunyai|memiliki|dengan|dan|has|have|had|leaves|leaving|left|with|and)$/u;

/** The number that stands right before a role; "seorang" and "a" count only after words of having. */
export function readNumberBefore({ words }: Reading, at: number): number | null {
  let place = at - 1;
  while (classifiers.has(words[place] ?? "")) place--;
  const word = words[place] ?? "";
  if (words[place - 1] === "salah" || (word === "one" && words[place + 1] === "of")) return null;
  const known = cardinals[word] ?? (/^\d{1,2}$/.test(word) ? Number(word) : null);
  if (known !== null) return known;
  const article = word === "seorang" || word === "a" || word === "an";
  return article && having.test(words[place - 1] ?? "") ? 1 : null;
}

const fractions: [RegExp, string][] = [
  [/dua pertiga|two[- ]thirds?/u, "2/3"],
  [/tiga perempat|three[- ]quarters?/u, "3/4"],
  [/sepertiga|one[- ]third|a third/u, "1/3"],
  [/seperempat|one[- ]quarter|a quarter/u, "1/4"],
  [/seperlima|one[- ]fifth/u, "1/5"],
  [/setengah|separuh|seperdua|one[- ]half|half/u, "1/2"],
  [/seluruh|semua|segala|whole|entire|all (?:of )?(?:his|her|the|their)|everything/u, "1"],
];
const percent = /(\d{1,3}(?:[.,]\d{1,4})?)\s*(?:%|persen|per ?cent)/u;

/** The part of the property that a stretch of text states, as a fraction; null when it states none. */
export function readShare(text: string): string | null {
  const stated = percent.exec(text)?.[1]?.replace(",", ".");
  const value = stated === undefined ? null : readRational(stated);
  if (value) {
    const share = readRational(`${value.numerator}/${value.denominator * 100}`);
    return share && writeRational(share);
  }
  return fractions.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}
