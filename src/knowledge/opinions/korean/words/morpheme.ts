import { analysePiece, type RawMorpheme } from "./analyser.ts";
import { remember } from "../../../../text/remember.ts";
import { recoverWord } from "./recover.ts";

/** A morpheme with its place in the raw text (exact for what is written as it is, else that of its word). */
export type Morpheme = { index: number; text: string; pos: string; start: number; end: number; word: number };

type Word = { text: string; start: number; end: number; morphemes: { text: string; pos: string }[] };

const longestPiece = 80;
const longestWord = 30;

/** The morphemes of a text of any length, analysed piece by piece; the last texts are remembered. */
export const readMorphemes: (text: string) => readonly Morpheme[] = remember(64, analyseText);

function analyseText(text: string): Morpheme[] {
  const morphemes: Morpheme[] = [];
  let words = 0;
  for (const piece of cutPieces(text)) {
    for (const word of groupByWord(piece.text, analysePiece(piece.text))) {
      placeWord({ ...word, start: word.start + piece.start, end: word.end + piece.start }, words, morphemes);
      words += 1;
    }
  }
  return morphemes;
}

/** Cuts at line ends and sentence ends, and longer pieces at spaces. */
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

/** Groups morphemes by their word and turns code point offsets into UTF-16 ones. */
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
