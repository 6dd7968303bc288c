import { remember } from "../../../text/search.ts";
import { countWords, rankWords, readValues, type Value } from "../../../text/values.ts";
import type { Material, MaterialItem } from "../schemas/material.ts";
import type { Claim } from "../schemas/messages.ts";
import { findItem } from "./evidence.ts";

/** A figure or provision in a text: any of its keys makes it known, and as a source it makes all it `gives` known. */
type Mark = { text: string; keys: string[]; gives: string[] };

const year = String.raw`((?:1[89]|20)\d\d)\b`;
const article = String.raw`\d+[a-z]?\b(?:\s*(?:ayat|paragraph|para\.?)\s*\(?\d+\)?|\s*\(\d+\))?`;
const joint = String.raw`\s*(?:,|dan|and|serta|jo\.?|juncto|&|-|–|to|sampai(?: dengan)?|s\.?d\.?)\s*`;
const articles = new RegExp(
  String.raw`\b(?:pasal(?:-pasal)?|psl|articles?|arts?)\b\.?\s*(?:ke-?\s*)?${article}(?:${joint}${article}(?!\s*(?:[/%]|tahun|of\b|persen|per ?cent|years?|bulan|months?|hari|days?)))*`,
  "giu",
);
const decision = new RegExp(
  String.raw`\b(\d+)\s*(?:k|pk)?\s*(?:\/\s*\p{L}[\p{L}\d.-]*(?:\s\p{Lu}\p{L}+)?\s*)+\/\s*${year}`,
  "giu",
);
const numberedLaw = new RegExp(
  String.raw`(?:\b(?:uu|pp|perda|law)\s*(?:no\.?|nomor)?\s*)?\b(\d+)(?:\s*\/\s*|,?\s+(?:tahun|th\.?|of)\s+)${year}`,
  "giu",
);
const roman =
  /\b(?:pasal|psl|articles?|arts?|ayat|paragraphs?|bab|chapters?)\b\.?\s*\(?((?=[ivxl])(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3}))\b/giu;
const capitals = String.raw`(?:\s+\p{Lu}[\p{L}-]+)+`;
const namedLaw = new RegExp(
  String.raw`(?<!\bKitab\s+)\b(?:UU|Undang-[Uu]ndang|(?:Law|Act)(?=\s+on))(?:\s+(?:tentang|on))?(${capitals})|((?:\p{Lu}[\p{L}-]+\s+)+)(?:Act|(Law))\b`,
  "gu",
);
const place =
  /(?<=[A-Z]-?)\d[\w/-]*|\b(?:ayat|paragraph|para|huruf|angka|butir|buku|book|bab|chapter)\b\.?\s*\(?\d+[a-z]?\)?/gu;

const list = (words: Record<string, number>, least: number): string =>
  Object.keys(words)
    .filter((name) => (words[name] ?? 0) >= least)
    .join("|");
const counts = list(countWords, 1);
const spelledShare = new RegExp(
  String.raw`\b(?:(se|${counts})[ -]?per[ -]?(${counts})|(an?|${counts})[ -](${list(rankWords, 3)})s?)\b`,
  "giu",
);
const foreignDigits = /(?:(?!\d)\p{Nd})+/gu;

function readShare([, over = "", under = "", enOver = "", enUnder = ""]: string[]): number {
  const [most, least] = [over || enOver, under || enUnder].map((name) => name.toLowerCase()) as [string, string];
  return (countWords[most] ?? 1) / (countWords[least] ?? rankWords[least] ?? 1);
}

const writeAmount = (amount: number, measure: string): string => `${Number(amount.toPrecision(6))} ${measure}`;

/** Numbers with a unit are compared in its base unit, others as they stand. */
function writeValue(value: Value): Pick<Mark, "keys" | "gives"> {
  const years = value.kind === "date" ? value.readings.flatMap(({ year }) => year ?? []) : [];
  const { readings, measure, factor } = value.kind === "number" ? value : { readings: years, measure: null, factor: 1 };
  const bare = readings.map((one) => writeAmount(one, ""));
  const open = readings.map((one) => writeAmount(one, "of anything"));
  if (measure === null) return { keys: bare, gives: [...bare, ...open] };
  const measured = readings.map((one) => writeAmount(one * factor, measure));
  return { keys: [...measured, ...open], gives: [...measured, ...bare] };
}

function listNames(name: string, kind: "law" | "body"): string[] {
  const words = name.toLowerCase().match(/\p{L}[\p{L}-]+/gu) ?? [];
  const own = words.filter((one) => !/^(?:nomor|no|number|tahun|republik|indonesian?|ri)$/u.test(one));
  return own.length === 0 || own[0] === "dasar" ? [] : [`${kind} ${own.join(" ")}`];
}

/** A law is known by its name whatever precedes it ("The Marriage Law"), a body of law ("Balinese Adat Law") by its subject. */
function isKnown(key: string, ground: Ground): boolean {
  const [kind = "", ...words] = key.split(" ");
  if (ground.has(key) || (kind !== "law" && kind !== "body")) return ground.has(key);
  const isNamed = words.some((_, at) =>
    ["law", "body"].some((one) => ground.has(`${one} ${words.slice(at).join(" ")}`)),
  );
  return isNamed || (kind === "body" && ground.has(`word ${words.at(-1)}`));
}

/** Lists figures and provisions. With `small`, also a bare 0 or 1, which says nothing except beside another figure. */
export function listMarks(text: string, small = false): Mark[] {
  const found: Mark[] = [];
  let rest = text.normalize("NFKC").replaceAll("⁄", "/");
  const take = (pattern: RegExp, keysOf: (match: string[]) => string[]): void => {
    rest = rest.replaceAll(pattern, (...match: unknown[]) => {
      const groups = match.filter((one): one is string => typeof one === "string" || one === undefined);
      for (const key of keysOf(groups)) found.push({ text: groups[0] ?? "", keys: [key], gives: [key] });
      return " ";
    });
  };
  const listArticles = ([whole = ""]: string[]): string[] => {
    const bare = whole.replaceAll(/(?:ayat|paragraph|para\.?)\s*\(?\d+\)?|\(\d+\)/giu, " ");
    return [...bare.matchAll(/\d+[a-z]?/giu)].map(([number]) => `art ${number.toLowerCase()}`);
  };
  take(articles, listArticles);
  take(roman, ([, numeral = ""]) => [`roman ${numeral.toLowerCase()}`]);
  for (const pattern of [decision, numberedLaw]) take(pattern, ([, number, of]) => [`${number}/${of}`]);
  take(namedLaw, ([, after, before = "", body]) => listNames(after ?? before, body ? "body" : "law"));
  rest = rest.replaceAll(place, " ");
  take(spelledShare, (match) => [writeAmount(readShare(match), "share")]);
  take(/\b(\d{1,3})\/(\d{1,3})\b/gu, ([, over, under]) => [writeAmount(Number(over) / Number(under), "share")]);
  take(foreignDigits, ([digits]) => [`${digits} unread`]);
  for (const value of readValues(rest).values) {
    const marks = writeValue(value);
    const isTrifle = marks.keys.length === 0 || (!small && /^[01] $/.test(marks.keys[0] ?? ""));
    if (!isTrifle) found.push({ text: rest.slice(value.at, value.at + value.length), ...marks });
  }
  return found;
}

export type Ground = ReadonlySet<string>;

export function collectGround(texts: string[]): Ground {
  return new Set(texts.flatMap(listKeys));
}

/** Sources are read anew for every claim that cites them. */
const listKeys = remember(500, (text): string[] => [
  ...listMarks(text)
    .flatMap(({ gives }) => gives)
    .flatMap((key) => [key, ...(/^\d+\/\d{4}$/.test(key) ? key.split("/").map((one) => `${one} `) : [])]),
  ...[...text.matchAll(/:(\d+[a-z]?)\b/giu)].map(([, number = ""]) => `art ${number.toLowerCase()}`),
  ...[...text.matchAll(/(?:pasal|articles?|arts?\.?)\s*(\d+)\s*[-–]\s*(\d+)/giu)].flatMap(([, from, to]) =>
    Array.from({ length: Math.min(50, Math.max(0, Number(to) - Number(from))) }, (_, at) => `art ${Number(from) + at}`),
  ),
  ...[...text.toLowerCase().matchAll(/\p{L}{3,}/gu)].map(([one]) => `word ${one}`),
]);

export function listTexts(item: MaterialItem): string[] {
  const { title, title_en, statement, statement_en, scope, scope_en, source, id, aliases } = item;
  return [title, title_en, statement, statement_en, scope ?? "", scope_en ?? "", source ?? "", id, ...aliases];
}

const grounds = new WeakMap<Material, Ground>();

export function groundOf(material: Material, query: string): Ground {
  let ground = grounds.get(material);
  if (!ground) {
    const items = material.evidence.flatMap(listTexts);
    const named = [...material.laws, ...material.cited.map(({ text }) => text)];
    grounds.set(material, (ground = collectGround([query, ...named, ...items])));
  }
  return ground;
}

export function findForeign({ statement, assumptions, evidence }: Claim, material: Material, query: string): string[] {
  const rules = material.evidence.filter(({ kind }) => kind === "rule");
  const sources = [...evidence.flatMap((id) => findItem(material, id) ?? []), ...rules];
  const ground = collectGround([query, ...material.laws, ...sources.flatMap(listTexts)]);
  return findInvented([statement, ...assumptions].join("\n"), ground);
}

/** Figures and provisions of a text that its ground does not have. */
export function findInvented(text: string, ground: Ground): string[] {
  const foreign = listMarks(text).filter(({ keys }) => !keys.some((key) => isKnown(key, ground)));
  return [...new Set(foreign.map((one) => one.text.trim()))];
}

/** True when figures of a source's statement are put together that stand in different clauses of it: "three quarters for one child". */
export function mixesFigures(clause: string, { statement, statement_en }: MaterialItem): boolean {
  const groups = [statement, statement_en].map((text) =>
    text.split(/[,;:]\s/u).map((part) => new Set(listMarks(part, true).flatMap(({ gives }) => gives))),
  );
  const holds = (group: Ground, { keys }: Mark): boolean => keys.some((key) => group.has(key));
  const own = listMarks(clause, true).filter((mark) => groups.flat().some((group) => holds(group, mark)));
  return own.length > 0 && !groups.flat().some((group) => own.every((mark) => holds(group, mark)));
}

/** The texts of claims and of the sources they cite. */
export function listSaid(claims: Claim[], query: string, material: Material): string[] {
  const items = claims.flatMap(({ evidence }) => evidence.flatMap((id) => findItem(material, id) ?? []));
  return [query, ...claims.flatMap((one) => [one.statement, ...one.assumptions]), ...items.flatMap(listTexts)];
}
