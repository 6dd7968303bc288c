import { isMonth, isPlaceholder, isUnit, isWeekday, isZone } from "./known-words.ts";
import type { Scan } from "./scan-message.ts";
import { kinds } from "./token-kind.ts";

/** Marks a variable in a shape's key. */
export const variable = "\u0001";
/** Stands between the elements of a shape's key. */
export const separator = "\u0002";

const maxSlots = 256;

/** The variable parts of one message as ranges of it, in order; the arrays are reused. */
export type Slots = { count: number; start: Int32Array; end: Int32Array };

export function createSlots(): Slots {
  return { count: 0, start: new Int32Array(maxSlots), end: new Int32Array(maxSlots) };
}

let text = "";
let scan: Scan;
let slots: Slots;
let key = "";

/**
 * Reduces a scanned message to its key: its words and delimiters with every run of variable parts as one mark, so that
 * messages with the same words stand together whatever their values and however long their lists are.
 */
export function shapeKey(message: string, scanned: Scan, into: Slots): string {
  text = message;
  scan = scanned;
  slots = into;
  slots.count = 0;
  key = "";
  let token = 0;
  while (token < scan.count) token = emit(token);
  return key;
}

/** Emits the element that begins at `token` and returns the token after it. */
function emit(token: number): number {
  const kind = scan.kind[token] ?? 0;
  if (kind === kinds.delimiter) return emitDelimiter(token);
  if (kind !== kinds.word) return emitVariable(token);
  const word = wordAt(token);
  if (isPlaceholder(word)) return emitVariable(token);
  if (isDateAt(token, word)) return emitVariable(token);
  key += word + separator;
  return token + 1;
}

function emitDelimiter(token: number): number {
  const code = codeAt(token);
  if ((code === 60 || code === 62) && isComparedNumber(token)) return emitVariable(token);
  key += text.slice(scan.start[token], scan.end[token]) + separator;
  if (code === 61) return emitValue(token + 1);
  if (code === 34 || code === 39 || code === 96) return emitQuoted(token + 1, code);
  if (code === 40 || code === 91 || code === 123) emitIfEmpty(token, code);
  return token + 1;
}

/** After `=` there is always a value: a variable, a word, a quoted text, or nothing. */
function emitValue(token: number): number {
  if (token >= scan.count) return emptySlot(token, token);
  const kind = scan.kind[token];
  const gap = gapBefore(token);
  if (kind === kinds.delimiter) {
    const code = codeAt(token);
    if (code === 34 || code === 39) return emitQuoted(emitMark(token), code, 24);
    if (gap || code === 44 || code === 59 || code === 41 || code === 93 || code === 125) return emptySlot(token, token);
    return token;
  }
  if (gap && !gapBefore(token - 1) && codeAt(token + 1) === 61 && !gapBefore(token + 1)) return emptySlot(token, token);
  if (kind !== kinds.word) return emitVariable(token);
  pushSlot(scan.start[token] ?? 0, scan.end[token] ?? 0);
  return token + 1;
}

/** A quoted single token is a value; after `=` so is a whole quoted phrase. */
function emitQuoted(token: number, quote: number, longest = 1): number {
  let close = token;
  while (close < scan.count && close - token <= longest && codeAt(close) !== quote) close += 1;
  if (close >= scan.count || codeAt(close) !== quote || close - token > longest) return token;
  pushSlot(scan.start[token] ?? 0, close > token ? (scan.end[close - 1] ?? 0) : (scan.start[token] ?? 0));
  emitMark(close);
  return close + 1;
}

function emitMark(token: number): number {
  key += text.slice(scan.start[token], scan.end[token]) + separator;
  return token + 1;
}

/** `()` or `[]` standing free is a value that is missing; right after a word it is a call. */
function emitIfEmpty(token: number, open: number): void {
  const close = codeAt(token + 1);
  if (close !== open + (open === 40 ? 1 : 2)) return;
  if (token > 0 && !gapBefore(token) && (scan.kind[token - 1] ?? 0) !== kinds.delimiter) return;
  emptySlot(token + 1, token);
}

function emptySlot(at: number, next: number): number {
  const position = at < scan.count ? (scan.start[at] ?? 0) : text.length;
  pushSlot(position, position);
  return next;
}

/** Emits one mark for the variable at `token` and everything that continues it: units, dates, lists. */
function emitVariable(token: number): number {
  let last = endOfVariable(token);
  for (;;) {
    const next = continuation(last + 1);
    if (next < 0) break;
    last = endOfVariable(next);
  }
  pushSlot(scan.start[token] ?? 0, scan.end[last] ?? 0);
  return last + 1;
}

/** The last token of the single variable at `token`, with a unit or the words of a date. */
function endOfVariable(token: number): number {
  let last = token;
  if (scan.kind[last] === kinds.delimiter) last += 1;
  if (scan.kind[last] === kinds.word) {
    const word = wordAt(last);
    if (isWeekday(word) && last + 1 < scan.count && isMonth(wordAt(last + 1))) last += 1;
    return last;
  }
  if (last + 1 >= scan.count || scan.kind[last + 1] !== kinds.word) return last;
  const word = wordAt(last + 1);
  if (scan.kind[last] === kinds.number && (isUnit(word) || isMonth(word)) && codeAt(last + 2) !== 61) return last + 1;
  return isZone(word) ? last + 1 : last;
}

/** Where a list goes on after `token - 1`: the next variable behind at most two list delimiters, else -1. */
function continuation(token: number): number {
  let next = token;
  while (next < scan.count && next - token < 2 && scan.kind[next] === kinds.delimiter && isListDelimiter(next)) next += 1;
  if (next >= scan.count) return -1;
  const kind = scan.kind[next] ?? 0;
  if (kind === kinds.delimiter) return -1;
  if (codeAt(next + 1) === 61) return -1;
  if (kind === kinds.word) {
    const word = wordAt(next);
    return isPlaceholder(word) || isDateAt(next, word) ? next : -1;
  }
  return next;
}

function isListDelimiter(token: number): boolean {
  if ((scan.end[token] ?? 0) - (scan.start[token] ?? 0) > 1) return false;
  const code = codeAt(token);
  return code === 44 || code === 58 || code === 59 || code === 47 || code === 45 || code === 124 || code === 35 || code === 43 || code === 64;
}

/** `Jul 26` and `Tue Jul 26`: month names count as a date only before a number. */
function isDateAt(token: number, word: string): boolean {
  if (isMonth(word)) return scan.kind[token + 1] === kinds.number && token + 1 < scan.count;
  if (!isWeekday(word) || token + 2 >= scan.count || scan.kind[token + 1] !== kinds.word) return false;
  return isMonth(wordAt(token + 1)) && scan.kind[token + 2] === kinds.number;
}

/** `<1 sec`: a comparison sign glued to a number that no bracket closes. */
function isComparedNumber(token: number): boolean {
  if (token + 1 >= scan.count || scan.kind[token + 1] !== kinds.number || gapBefore(token + 1)) return false;
  const after = codeAt(token + 2);
  return after !== 60 && after !== 62 && (token === 0 || gapBefore(token));
}

function pushSlot(start: number, end: number): void {
  key += variable + separator;
  if (slots.count === maxSlots) {
    slots.end[maxSlots - 1] = end;
    return;
  }
  slots.start[slots.count] = start;
  slots.end[slots.count] = end;
  slots.count += 1;
}

function wordAt(token: number): string {
  return text.slice(scan.start[token], scan.end[token]);
}

function codeAt(token: number): number {
  return token < scan.count ? text.charCodeAt(scan.start[token] ?? 0) : 0;
}

function gapBefore(token: number): boolean {
  return token === 0 || (scan.start[token] ?? 0) > (scan.end[token - 1] ?? 0);
}
