import type { Attachment } from "../reading/reading.ts";
import type { Analysis } from "./analyse.ts";
import type { Chunk } from "./clauses/chunk-parts.ts";
import type { Clause } from "./clauses/clause.ts";
import type { EnglishOpinion } from "./opinions/opinion.ts";
import type { Token } from "./words/token.ts";
import { collectionNouns } from "./words/word-classes.ts";

/** The noun chunks joined to `chunk` by "and" or commas, and those "of" it when it is a measure of them. */
export function findCoordinated(analysis: Analysis, clause: Clause, chunk: Chunk): Chunk[] {
  const { tokens } = analysis;
  const found: Chunk[] = [];
  let at = clause.chunks.indexOf(chunk) + 1;
  while (at < clause.chunks.length) {
    let link = clause.chunks[at];
    if (link && tokens[link.from]?.lower === "," && /^(and|&|or)$/.test(tokens[link.to]?.lower ?? ""))
      link = clause.chunks[++at];
    const next = clause.chunks[at + 1];
    const word = link ? (tokens[link.from]?.lower ?? "") : "";
    const measure = word === "of" && collectionNouns.has(tokens[chunk.head]?.lemma ?? "");
    const joined = word === "and" || word === "&" || word === "/" || (word === "," && listGoesOn(analysis, clause, at));
    if (!next || next.kind !== "noun" || !(measure || (joined && isBare(analysis, next)))) break;
    found.push(next);
    at += 2;
  }
  return found;
}

/** True when the noun chunk brings no opinion of its own. */
function isBare(analysis: Analysis, chunk: Chunk): boolean {
  return !analysis.opinions.some((opinion) => opinion.from >= chunk.from && opinion.from < chunk.to);
}

function listGoesOn(analysis: Analysis, clause: Clause, comma: number): boolean {
  for (let at = comma + 1; at < clause.chunks.length; at += 1) {
    const chunk = clause.chunks[at] as Chunk;
    const word = analysis.tokens[chunk.from]?.lower;
    if (word === "and" || word === "&") return clause.chunks[at + 1]?.kind === "noun";
    if (chunk.kind !== "noun" && word !== ",") return false;
  }
  return false;
}

/** The noun chunks that a verb acts on, with the rest of their list. */
export function findObjects(analysis: Analysis, clause: Clause, verb: Chunk): Chunk[] {
  const start = clause.chunks.indexOf(verb) + 1;
  for (let at = start; at < clause.chunks.length; at += 1) {
    const chunk = clause.chunks[at] as Chunk;
    if (chunk.kind === "noun") {
      const head = analysis.tokens[chunk.head] as Token;
      if (head.pos === "PRON" && clause.chunks[at + 1]?.kind === "noun") continue;
      return [chunk, ...findCoordinated(analysis, clause, chunk)];
    }
    const passes =
      chunk.kind === "preposition"
        ? /^(about|of|with|for|up|out|off|to|down)$/.test(analysis.tokens[chunk.from]?.lower ?? "")
        : /^(adverb|adjective|verb)$/.test(chunk.kind);
    if (!passes) return [];
  }
  return [];
}

/** The noun chunks after a preposition that follows `chunk`. */
export function findPhraseObject(analysis: Analysis, clause: Clause, chunk: Chunk, prepositions: RegExp): Chunk[] {
  const at = clause.chunks.indexOf(chunk) + 1;
  const link = clause.chunks[at];
  const object = clause.chunks[at + 1];
  if (!link || !object || object.kind !== "noun") return [];
  if (!prepositions.test(analysis.tokens[link.from]?.lower ?? "")) return [];
  return [object, ...findCoordinated(analysis, clause, object)];
}

/** True for a noun chunk that only says where or when: "at the bar", "during lunch". */
export function isSetting(analysis: Analysis, clause: Clause, chunk: Chunk): boolean {
  const before = clause.chunks[clause.chunks.indexOf(chunk) - 1];
  if (before?.kind !== "preposition") return false;
  return /^(at|in|on|by|near|behind|during|after|before|from|into|around|inside|outside|over|until|through|under|across|off|next)$/.test(
    analysis.tokens[before.from]?.lower ?? "",
  );
}

/** "not as nice as the decor": what the subject falls short of has the quality. */
export function readComparison(analysis: Analysis, opinion: EnglishOpinion): Attachment | null {
  const { tokens } = analysis;
  const clause = analysis.clauses[opinion.clause];
  const chunk = clause?.chunks.find((one) => opinion.from >= one.from && opinion.from < one.to);
  const asked = tokens.slice(Math.max(0, opinion.from - 3), opinion.from).some((token) => token.lower === "as");
  if (!clause || !chunk || !asked || !opinion.negated) return null;
  const other = findPhraseObject(analysis, clause, chunk, /^as$/);
  if (other.length === 0) return null;
  const value = Math.abs(opinion.base);
  const turned = { ...opinion, value, negated: false, valueFor: () => value };
  return { opinion: turned, targets: other, second: [], via: "compared with" };
}
