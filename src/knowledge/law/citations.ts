import { escapePattern } from "../../text/format.ts";
import { readFileSync } from "node:fs";
import * as z from "zod";
import type { Knowledge } from "./items.ts";

/** A provision named in a question. `known: false` means that it is not in this knowledge base, not that it does not exist. */
export type CitedProvision = { text: string; id: string | null; known: boolean };

type Span = { start: number; end: number; text: string };
type Article = Span & { article: string; paragraph: number | null };
type LawReference = Span & { key: string | null; isName: boolean };
type Decision = Span & { id: string | null };

const paragraph = String.raw`(?:\s*(?:,\s*)?(?:ayat|paragraph|para\.?)\s*\(?\d{1,2}\)?|\(\d{1,2}\))`;
const detail = String.raw`(?:\s*(?:,\s*)?(?:sub|huruf|angka|butir|letter|point)\s+\(?[\p{L}\d]{1,3}\)?)*`;
const number = String.raw`\d{1,6}(?!\d)(?:\s?[A-Za-z](?![\p{L}\p{N}]))?`;
const joint = String.raw`\s*(?:,\s*dan|,|dan|and|serta|jo\.?|-|–|s\.?d\.?|sampai(?: dengan)?|to)\s*`;
const articleList = new RegExp(
  String.raw`\b(?:Pasal(?:-pasal)?|Psl\.?|Articles?|Arts?\.?)\s*(${number}${paragraph}?${detail}(?:${joint}${number}(?!\s*(?:/|Tahun|of\b))${paragraph}?${detail})*)`,
  "giu",
);
const eachArticle = new RegExp(`(${number})(${paragraph})?${detail}`, "giu");

function findArticles(text: string): Article[] {
  return [...text.matchAll(articleList)].flatMap(({ 0: whole, 1: numbers = "", index }) => {
    const from = index + whole.length - numbers.length;
    return [...numbers.matchAll(eachArticle)].map((match, at): Article => {
      const [start, end] = [at === 0 ? index : from + match.index, from + match.index + match[0].length];
      return {
        start,
        end,
        text: at === 0 ? text.slice(start, end) : `Pasal ${match[0].trim()}`,
        article: (match[1] ?? "").replaceAll(/\s/g, "").toLowerCase(),
        paragraph: match[2] ? Number(/\d+/.exec(match[2])?.[0]) : null,
      };
    });
  });
}

const lead = String.raw`(?:(?:putusan|keputusan|penetapan|yurisprudensi|decision|ruling|judg(?:e)?ment)\s+)?(?:(?:of\s+the\s+)?(?:MA|MK|PN|PT|PA|Mahkamah\s+Agung|Mahkamah\s+Konstitusi|Supreme\s+Court|Constitutional\s+Court|Pengadilan\s+\p{L}+)\s+)?(?:RI\s+)?(?:(?:decision|ruling)\s+)?(?:(?:No\.?|Nomor|Number|Reg\.?(?:\s+No\.?)?)\s*)?`;
const decisionForms = [
  String.raw`(?<![\p{L}\p{N}])${lead}(\d{1,5}\s*(?:PK|K)?(?:\s*/\s*\p{L}[\p{L}\d.-]*(?:\s\p{L}+)?)+\s*/\s*\d{4}(?:\s*/\s*\p{L}[\p{L}.]*)?)`,
  String.raw`(?:putusan|decision)\s+(?:of\s+the\s+)?(?:MA|MK|Mahkamah\s+Agung|Mahkamah\s+Konstitusi|Supreme\s+Court|Constitutional\s+Court)\s+(?:RI\s+)?(?:(?:No\.?|Nomor|Number)\s*)?(\d{1,5}\s*(?:/|Tahun|of)\s*\d{4})`,
].map((form) => new RegExp(form, "giu"));

/** Decisions by their numbers, whatever the court: "179 K/Sip/1961", "46/PUU-VIII/2010", "19/Pdt.G/2015/PN.Amp". */
function findDecisions(text: string, { items }: Knowledge): Decision[] {
  if (!/\d/.test(text)) return [];
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
  const find = (number: string): string | null =>
    items.find(({ aliases }) => aliases.some((alias) => plain(alias.replace(/^[^:]*:/u, "")) === plain(number)))?.id ??
    null;
  return keepFirst(
    decisionForms.flatMap((form) =>
      [...text.matchAll(form)].map(({ 0: whole, 1: number = "", index }) => ({
        ...spanOf(index, whole.trim()),
        id: find(number),
      })),
    ),
  );
}

const LawSchema = z.strictObject({ key: z.string(), names: z.array(z.string()) });
const laws = z
  .array(LawSchema)
  .parse(JSON.parse(readFileSync(new URL("../../../data/law/laws.json", import.meta.url), "utf8")));

export function nameLaws(items: { aliases: string[] }[]): string[] {
  return laws
    .filter(({ key }) => holdsLaw(key, items))
    .flatMap(({ names: known }) => known.filter((one) => !/\d/.test(one)));
}

const types = String.raw`(?:UU|U\.U\.|Undang[- ]?Undang(?: Republik Indonesia| RI)?|Perppu|PP|Peraturan Pemerintah|Perpres|Peraturan Presiden|Keppres|Keputusan Presiden|Inpres|Permen[A-Za-z]*|Peraturan Menteri|Perda|Peraturan Daerah|Qanun|PERMA|SEMA|POJK|PBI|Law|Act|Government Regulation|Presidential Regulation|Ministerial Regulation|Regional Regulation)`;
const title = String.raw`(?:(?:[ -](?!No\b|Nomor\b|Number\b|Tahun\b|Pasal\b|of\b)[\p{L}.&/]+){0,6}?)`;
const numbered = new RegExp(
  String.raw`\b(${types})${title}(?:[ ,]+(?:No\.?|Nomor|Number|Nr\.?))?[ .]*(\d{1,4})(?:\s*/\s*|,?\s+(?:Tahun|Th\.?|of|Year)\s+)(\d{4})\b`,
  "giu",
);
const word = String.raw`(?:\p{Lu}[\p{L}\d.-]*|\d\.\d|dan|di|atas|tentang|untuk|and|on|of the)`;
const titled = new RegExp(
  String.raw`\b(?:(?:${types}|Regulation|[A-Z]{2,6} Regulation)(?:[ -]+${word}){1,10}(?:[ ,]+(?:(?:[Tt]ahun|[Yy]ear|of)\s+)?\d{4})?|KUHP|KUHAP|KUHD|HIR|RBg|Commercial Code|Code of Criminal Procedure)`,
  "gu",
);
const names = laws
  .flatMap(({ key, names: known }) => known.map((one) => ({ key, one })))
  .toSorted((a, b) => b.one.length - a.one.length)
  .map(({ key, one }) => ({
    key,
    pattern: new RegExp(
      String.raw`(?<![\p{L}\p{N}])${escapePattern(one)}(?![\p{L}\p{N}])`,
      one === one.toUpperCase() ? "gu" : "giu",
    ),
  }));

export function findLaws(text: string): LawReference[] {
  const byNumber = [...text.matchAll(numbered)].map((match): LawReference => {
    const [whole, type = "", no = "", year = ""] = match;
    const kind = /^(?:uu|u\.u\.|undang|law|act)/i.test(type)
      ? "UU"
      : /^(?:pp|peraturan pem|government)/i.test(type)
        ? "PP"
        : type;
    const named = laws.find((law) => law.names.some((one) => one.toLowerCase() === whole.trim().toLowerCase()));
    const key = named?.key ?? `${kind}-${Number(no)}-${year}`;
    return { ...spanOf(match.index, whole.trim()), key, isName: false };
  });
  const byName = names.flatMap(({ key, pattern }) =>
    [...text.matchAll(pattern)].map((match) => ({ ...spanOf(match.index, match[0]), key, isName: true })),
  );
  const byTitle = [...text.matchAll(titled)].map((match) => ({
    ...spanOf(match.index, match[0].trim()),
    key: null,
    isName: false,
  }));
  return keepFirst<LawReference>([...byNumber, ...byName, ...byTitle]).toSorted((a, b) => a.start - b.start);
}

/** Finds the provisions a question names, and whether each is in the knowledge base (law spec §2.5). */
export function findCitedProvisions(query: string, knowledge: Knowledge): CitedProvision[] {
  const references = findLaws(query);
  // "UU 56/Prp/1960" is a law.
  const decisions = findDecisions(query, knowledge).filter((one) => !references.some((law) => overlaps(law, one)));
  const bound = findArticles(query).map((article) => ({ article, law: findLawFor(article, references, query) }));
  const unused = references.filter((law) => !law.isName && !bound.some((one) => one.law === law));
  const cited = [
    ...bound.map(({ article, law }) => ({ at: article.start, ...lookUp(article, law, knowledge) })),
    ...unused.map(({ start, text, key }) => ({ at: start, text, id: null, known: holdsLaw(key, knowledge.items) })),
    ...decisions.map(({ start, text, id }) => ({ at: start, text, id, known: id !== null })),
  ];
  const sorted = cited.toSorted((a, b) => a.at - b.at).map(({ text, id, known }) => ({ text, id, known }));
  return sorted.filter((one, index) => sorted.findIndex(({ text }) => text === one.text) === index);
}

function findLawFor(article: Article, references: LawReference[], query: string): LawReference | null {
  const before = references.findLast((law) => law.end <= article.start);
  if (before && /^[\s,]*$/.test(query.slice(before.end, article.start))) return before;
  const after = references.find((law) => law.start >= article.end);
  const gap = after ? query.slice(article.end, after.start) : "";
  const isJoined =
    /^(?:[\s,.()\d–-]|dan|and|serta|jo|ayat|huruf|angka|sub|pasal|dari|dalam|pada|di|of|the|in|under|to|sampai|dengan|Indonesian|[a-z]\b)*$/iu;
  if (after && isJoined.test(gap)) return after;
  return before ?? after ?? null;
}

function lookUp(article: Article, law: LawReference | null, knowledge: Knowledge): CitedProvision {
  const text = law === null || article.text.includes(law.text) ? article.text : `${article.text} ${law.text}`;
  const key = law === null ? "KUHPerdata" : law.key;
  if (key === null) return { text, id: null, known: false };
  const whole = knowledge.find(`${key}:${article.article}`);
  if (article.paragraph === null) return { text, id: whole?.id ?? null, known: whole !== null };
  const part = knowledge.find(`${key}:${article.article}(${article.paragraph})`);
  return { text, id: (part ?? whole)?.id ?? null, known: part !== null };
}

function holdsLaw(key: string | null, items: { aliases: string[] }[]): boolean {
  return key !== null && items.some(({ aliases }) => aliases.some((alias) => alias.startsWith(`${key}:`)));
}

function spanOf(start: number, text: string): Span {
  return { start, end: start + text.length, text };
}

function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

function keepFirst<T extends Span>(found: T[]): T[] {
  return found.filter((one, index) => !found.slice(0, index).some((other) => overlaps(one, other)));
}
