import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { GaruWasm, initSync } from "garu-ko/pkg/garu_wasm.js";
import { remember } from "../../../text/search.ts";
import { breakRuns } from "../../../text/split-text.ts";
import { readData } from "../reading/language.ts";
import { findStem, openKoreanLexicon } from "./lexicon.ts";

export type Morpheme = { index: number; text: string; pos: string; start: number; end: number; word: number };

type Word = { text: string; start: number; end: number; morphemes: { text: string; pos: string }[] };

const longestPiece = 80;
const longestWord = 30;

export const readMorphemes: (text: string) => readonly Morpheme[] = remember(64, analyseText);

function analyseText(text: string): Morpheme[] {
  const morphemes: Morpheme[] = [];
  let words = 0;
  for (const piece of cutPieces(text)) {
    for (const word of groupByWord(piece.text, analysePiece(piece.text)).map(readBare)) {
      placeWord({ ...word, start: word.start + piece.start, end: word.end + piece.start }, words, morphemes);
      words += 1;
    }
  }
  return morphemes;
}

function cutPieces(text: string): { text: string; start: number }[] {
  const found: { text: string; start: number }[] = [];
  for (const match of text.matchAll(/[^\n\r]*?(?:[.!?…]+(?=\s|$)|$|[\n\r])/g)) {
    let start = match.index;
    let rest = match[0];
    while (rest.length > longestPiece) {
      const space = rest.lastIndexOf(" ", longestPiece);
      const cut = space > 0 ? space + 1 : longestWord;
      found.push({ text: rest.slice(0, cut), start });
      rest = rest.slice(cut);
      start += cut;
    }
    if (rest.trim() !== "") found.push({ text: rest, start });
  }
  return found;
}

/** Groups morphemes by word, and converts code point offsets to UTF-16. */
function groupByWord(piece: string, raw: readonly RawMorpheme[]): Word[] {
  const points = Array.from(piece);
  const offsets: number[] = [0];
  for (const point of points) offsets.push((offsets.at(-1) as number) + point.length);
  const words: Word[] = [];
  for (const morpheme of raw) {
    const start = offsets[morpheme.start] ?? piece.length;
    const end = offsets[morpheme.end] ?? piece.length;
    let word = words.at(-1);
    if (!word || word.start !== start) {
      word = { text: piece.slice(start, end), start, end, morphemes: [] };
      words.push(word);
    }
    word.morphemes.push({ text: morpheme.text, pos: morpheme.pos });
  }
  return words.map((word) => ({ ...word, morphemes: recoverWord(word.text, word.morphemes) }));
}

function placeWord(word: Word, index: number, into: Morpheme[]): void {
  let cursor = 0;
  const bare = word.start + word.text.replace(/[^\p{L}\p{N}]+$/u, "").length;
  for (const { text, pos } of word.morphemes) {
    const at = word.text.indexOf(text, cursor);
    const exact = at >= 0;
    const start = word.start + (exact ? at : Math.min(cursor, word.text.length - 1));
    const end = exact ? start + text.length : Math.max(bare, start + 1);
    into.push({ index: into.length, text, pos, start, end: Math.max(end, start + 1), word: index });
    if (exact) cursor = at + text.length;
  }
}

/**
 * A word analysed as nouns only is analysed again alone, then with the word before it: in context the analyser splits
 * "단추가" and "낡았어도" wrongly.
 */
function readBare(word: Word, at: number, all: readonly Word[]): Word {
  const isBare = word.morphemes.every(({ pos }) => /^(NN|S)/.test(pos));
  if (!isBare || !/^[가-힣]{3,}/.test(word.text)) return word;
  const read = (before: string) => groupByWord(before + word.text, analysePiece(before + word.text)).at(-1);
  const found = [read(""), read(`${all[at - 1]?.text ?? ""} `)].find(
    (one) => one?.text === word.text && one.morphemes.some(({ pos }) => /^(J|E)/.test(pos)),
  );
  return found ? { ...word, morphemes: found.morphemes } : word;
}

type RawMorpheme = { text: string; pos: string; start: number; end: number };

let wasm: GaruWasm | undefined;

function analysePiece(piece: string): RawMorpheme[] {
  wasm ??= load();
  const result = wasm.analyze(breakRuns(piece, 60)) as { tokens: RawMorpheme[] };
  return result.tokens;
}

function load(): GaruWasm {
  const entry = pathToFileURL(createRequire(import.meta.url).resolve("garu-ko"));
  initSync({ module: readFileSync(new URL("../pkg/garu_wasm_bg.wasm", entry)) });
  return new GaruWasm(new Uint8Array(readFileSync(new URL("../models/base.gmdl", entry))));
}

type Part = { text: string; pos: string };

/** Splits a word by our own stems if the analyser took it for an unknown noun ("불친절했고", "더러웠어요"). */
function recoverWord(word: string, parts: Part[]): Part[] {
  if (!looksUnknown(word, parts)) return splitParticle(parts);
  const found = findStem(word);
  if (!found) return splitParticle(parts);
  const marks = parts.filter((part) => /^S[FPSEOW]$/.test(part.pos));
  return [{ text: found.stem, pos: "VA" }, ...readEnding(found.rest), ...marks];
}

/** "파드타이를": splits the particle off a name the analyser does not know. */
function splitParticle(given: Part[]): Part[] {
  const parts = given.map((part, index) =>
    index > 0 && part.pos === "XSN" && /^[이가]$/.test(part.text) ? { ...part, pos: "JKS" } : part,
  );
  const [first, ...rest] = parts;
  if (!first?.pos.startsWith("NN") || first.text.length < 3) return parts;
  const match =
    /^(.{2,}?)(에서는|에서|으로|에게|까지|을|를|은|는)$/.exec(first.text) ?? /^(.{3,})(이|가)$/.exec(first.text);
  if (!match || !agreesWith(match[1] as string, match[2] as string)) return parts;
  const pos = particles[match[2] as string] ?? "JKB";
  return [{ text: match[1] as string, pos: first.pos }, { text: match[2] as string, pos }, ...rest];
}

const particles: Record<string, string> = { 을: "JKO", 를: "JKO", 은: "JX", 는: "JX", 이: "JKS", 가: "JKS" };

/** 을, 은, 이 follow a consonant, 를, 는, 가 a vowel; a syllable has three letters if it ends in a consonant. */
function agreesWith(noun: string, particle: string): boolean {
  const last = noun.at(-1) ?? "";
  if (!/[가-힣]/.test(last)) return false;
  const isClosed = last.normalize("NFD").length === 3;
  return /^(을|은|이)$/.test(particle) ? isClosed : !/^(를|는|가)$/.test(particle) || !isClosed;
}

function looksUnknown(word: string, parts: readonly Part[]): boolean {
  const first = parts[0];
  if (!first || !/^[가-힣]+/.test(word) || openKoreanLexicon().stems.has(first.text)) return false;
  const bare = word.replace(/[^가-힣]+$/, "");
  return (
    first.pos.startsWith("NN") &&
    first.text === bare &&
    bare.length >= 3 &&
    /(요|다|고|서|데|만|며|면|는|은|지|네|죠|음|함|임|한|된|던|까|니|게|해|워|려|져|어|아|야)$/.test(bare)
  );
}

function readEnding(rest: string): Part[] {
  const past = rest.includes("\u11bb") ? [{ text: "었", pos: "EP" }] : [];
  const ending = endings.find(([pattern]) => pattern.test(rest));
  return ending ? [...past, { text: ending[1], pos: ending[2] }] : past;
}

/** Patterns of endings in letters (NFD), each with the ending it stands for and its part of speech. */
const endings = (JSON.parse(readData("ko/endings.json")) as [string, string, string][]).map(
  ([pattern, text, pos]) => [new RegExp(pattern.normalize("NFD")), text, pos] as const,
);
