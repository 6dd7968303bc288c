import { remember } from "../../../text/search.ts";
import type { Material, MaterialItem } from "../schemas/material.ts";
import type { Claim } from "../schemas/messages.ts";
import { findItem } from "./evidence.ts";

type Mark = { text: string; key: string; isProvision: boolean };

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

const ones = [
  "nol satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas",
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
];
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const parts = "half third quarter fifth sixth seventh eighth ninth tenth".split(" ");
const values = new Map<string, number>([
  ...ones.flatMap((list) => list.split(" ").map((name, value) => [name, value] as const)),
  ...tens.map((name, at) => [name, 10 * (at + 2)] as const),
  ["seratus", 100],
]);
const scales = new Map([
  ["belas", 0],
  ["puluh", 10],
  ["ratus", 100],
  ["hundred", 100],
]);
const numeral = `(?:${[...values.keys(), ...scales.keys()].join("|")})`;
const spelled = new RegExp(String.raw`\b${numeral}(?:[\s-]+${numeral})*\b`, "giu");
const unit =
  /^\s*(?:%|persen|per ?cent|tahun|years?|bulan|months?|minggu|weeks?|hari|days?|ribu|juta|million|kali|times)/iu;
const share = new RegExp(
  String.raw`\b(?:(setengah|separuh|half)|(se|dua|tiga|empat|lima)[ -]?per(dua|tiga|empat|lima|enam|tujuh|delapan|sembilan|sepuluh)|(a|one|two|three|four|five)[ -](third|quarter|fifth|sixth|seventh|eighth|ninth|tenth)s?)\b`,
  "giu",
);

function readSpelled(text: string): number {
  let [whole, last] = [0, 0];
  for (const name of text.toLowerCase().split(/[\s-]+/)) {
    const scale = scales.get(name);
    const value = scale === undefined ? (values.get(name) ?? 0) : scale === 0 ? last + 10 : last * scale;
    whole += scale === undefined ? value : value - last;
    last = value;
  }
  return whole;
}

function readShare([, half, idOver, idUnder = "", enOver, enUnder = ""]: string[]): string {
  if (half) return "1/2";
  const over = values.get((idOver ?? enOver ?? "").toLowerCase()) ?? 1;
  const under = values.get(idUnder.toLowerCase()) ?? parts.indexOf(enUnder.toLowerCase()) + 2;
  return `${over}/${under}`;
}

const shares: Record<string, string> = { "50": "1/2", "25": "1/4", "75": "3/4" };

function writeFigure(number: string, after: string): string {
  const plain = number.replace(",", ".");
  return /^\s*(?:%|persen|per ?cent)/iu.test(after) ? (shares[plain] ?? `${plain}%`) : plain;
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

export function listMarks(text: string): Mark[] {
  const found: Mark[] = [];
  let rest = text.normalize("NFKC").replaceAll("⁄", "/");
  const take = (pattern: RegExp, keysOf: (match: string[]) => string[], isProvision: boolean): void => {
    rest = rest.replaceAll(pattern, (...match: unknown[]) => {
      const groups = match.filter((one): one is string => typeof one === "string" || one === undefined);
      for (const key of keysOf(groups)) found.push({ text: groups[0] ?? "", key, isProvision });
      return " ";
    });
  };
  const listArticles = ([whole = ""]: string[]): string[] => {
    const bare = whole.replaceAll(/(?:ayat|paragraph|para\.?)\s*\(?\d+\)?|\(\d+\)/giu, " ");
    return [...bare.matchAll(/\d+[a-z]?/giu)].map(([number]) => `art ${number.toLowerCase()}`);
  };
  take(articles, listArticles, true);
  take(roman, ([, numeral = ""]) => [`roman ${numeral.toLowerCase()}`], false);
  take(decision, ([, number, of]) => [`${number}/${of}`], true);
  take(numberedLaw, ([, number, of]) => [`${number}/${of}`], true);
  take(namedLaw, ([, after, before = "", body]) => listNames(after ?? before, body ? "body" : "law"), false);
  rest = rest.replaceAll(place, " ");
  take(share, (match) => [readShare(match)], false);
  const add = (written: string, figure: string): void => {
    if (figure !== "0" && figure !== "1") found.push({ text: written, key: figure, isProvision: false });
  };
  for (const match of rest.matchAll(/\d+(?:[.,/]\d+)?/gu))
    add(match[0], writeFigure(match[0], rest.slice(match.index + match[0].length)));
  for (const match of rest.matchAll(spelled)) {
    const after = rest.slice(match.index + match[0].length);
    if (unit.test(after)) add(match[0], writeFigure(String(readSpelled(match[0])), after));
  }
  return found;
}

export type Ground = ReadonlySet<string>;

export function collectGround(texts: string[]): Ground {
  return new Set(texts.flatMap(listKeys));
}

/** Sources are read anew for every claim that cites them. */
const listKeys = remember(500, (text): string[] => [
  ...listMarks(text).flatMap(({ key }) => [key, ...(/^\d+\/\d{4}$/.test(key) ? key.split("/") : [])]),
  ...[...text.matchAll(/:(\d+[a-z]?)\b/giu)].map(([, number = ""]) => `art ${number.toLowerCase()}`),
  ...[...text.matchAll(/(?:pasal|articles?|arts?\.?)\s*(\d+)\s*[-–]\s*(\d+)/giu)].flatMap(([, from, to]) =>
    Array.from({ length: Math.min(50, Math.max(0, Number(to) - Number(from))) }, (_, at) => `art ${Number(from) + at}`),
  ),
  ...[...text.matchAll(spelled)].map(([number]) => String(readSpelled(number))),
  ...[...text.toLowerCase().matchAll(/\p{L}{3,}/gu)].map(([one]) => `word ${one}`),
]);

export function textsOf({ title, title_en, statement, statement_en }: MaterialItem): string[] {
  return [title, title_en, statement, statement_en];
}

function listTexts(item: MaterialItem): string[] {
  return [...textsOf(item), item.scope ?? "", item.scope_en ?? "", item.source ?? "", item.id, ...item.aliases];
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

export function findInvented(text: string, ground: Ground, kind: "any" | "provisions" = "any"): string[] {
  const foreign = listMarks(text).filter(
    ({ key, isProvision }) => !isKnown(key, ground) && (isProvision || kind === "any"),
  );
  return [...new Set(foreign.map((one) => one.text.trim()))];
}
