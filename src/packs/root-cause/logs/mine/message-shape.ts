import { isMonth, isPlaceholder, isUnit, isWeekday, isZone } from "./known-words.ts";
import type { Scan } from "./scan-message.ts";
import { kinds } from "./token-kind.ts";

/** Marks a variable in a shape's key. */
export const variable = "\u0001";
/** Stands between the elements of a shape's key. */
export const separator = "\u0002";

const maxElements = 1100;

/**
 * The elements of one message as ranges of it, in order; the arrays are reused. `tokens` is how many tokens an element
 * spans, `kind` the kind of its first token (a placed value has kind `value`).
 */
export type Elements = {
  count: number;
  start: Int32Array;
  end: Int32Array;
  variable: Uint8Array;
  kind: Uint8Array;
  tokens: Uint16Array;
};

export function createElements(): Elements {
  return {
    count: 0,
    start: new Int32Array(maxElements),
    end: new Int32Array(maxElements),
    variable: new Uint8Array(maxElements),
    kind: new Uint8Array(maxElements),
    tokens: new Uint16Array(maxElements),
  };
}

let text = "";
let scan: Scan;
let elements: Elements;
let key = "";

/**
 * Reduces a scanned message to its key: its words and delimiters with every run of variable parts as one mark, so that
 * messages with the same words stand together whatever their values and however long their lists are.
 */
export function shapeKey(message: string, scanned: Scan, into: Elements): string {
  text = message;
  scan = scanned;
  elements = into;
  elements.count = 0;
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
  return emitText(token);
}

function emitDelimiter(token: number): number {
  const code = codeAt(token);
  if ((code === 60 || code === 62) && isComparedNumber(token)) return emitVariable(token);
  emitText(token);
  if (code === 61 || (code === 58 && isPairColon(token))) return emitValue(token + 1);
  if (code === 34 || code === 39 || code === 96) return emitQuoted(token + 1, code);
  if (code === 40 || code === 91 || code === 123) return emitBracketed(token, code);
  return token + 1;
}

/** `key:value` inside a message; the first words of a message may be a label such as `ERROR:`. */
function isPairColon(token: number): boolean {
  if (token < 2 || token + 1 >= scan.count || gapBefore(token) || gapBefore(token + 1)) return false;
  if (scan.kind[token - 1] !== kinds.word || scan.kind[token + 1] !== kinds.word) return false;
  const after = codeAt(token + 2);
  return after !== 58 && after !== 40;
}

/** After `=` there is always a value: a variable, a word, a quoted text, or nothing. */
function emitValue(token: number): number {
  if (token >= scan.count) return emptySlot(token, token);
  const kind = scan.kind[token];
  const gap = gapBefore(token);
  if (kind === kinds.delimiter) {
    const code = codeAt(token);
    if (code === 34 || code === 39) return emitQuoted(emitText(token), code, 24);
    if (gap || code === 44 || code === 59 || code === 41 || code === 93 || code === 125) return emptySlot(token, token);
    return token;
  }
  if (gap && !gapBefore(token - 1) && codeAt(token + 1) === 61 && !gapBefore(token + 1)) return emptySlot(token, token);
  if (kind !== kinds.word) return emitVariable(token);
  return pushVariable(token, token, kinds.value);
}

/** A quoted single token is a value; after `=` so is a whole quoted phrase. */
function emitQuoted(token: number, quote: number, longest = 1): number {
  let close = token;
  while (close < scan.count && close - token <= longest && codeAt(close) !== quote) close += 1;
  if (close >= scan.count || codeAt(close) !== quote || close - token > longest) return token;
  if (close === token) emptySlot(token, token);
  else pushVariable(token, close - 1, close - token === 1 ? quotedKind(token) : kinds.value);
  return emitText(close);
}

function quotedKind(token: number): number {
  const kind = scan.kind[token] ?? 0;
  return kind === kinds.word || kind === kinds.delimiter ? kinds.value : kind;
}

/** A bracket opens a missing value (`()`), a list of words (`[a, b]`), or an ordinary part of the message. */
function emitBracketed(token: number, open: number): number {
  const close = open + (open === 40 ? 1 : 2);
  if (codeAt(token + 1) === close) {
    const isCall = token > 0 && !gapBefore(token) && scan.kind[token - 1] !== kinds.delimiter;
    return isCall ? token + 1 : emptySlot(token + 1, token + 1);
  }
  const end = wordListEnd(token + 1, close);
  if (end < 0) return token + 1;
  return pushVariable(token + 1, end - 1, kinds.value);
}

/** Where a list of at least two words between commas closes, else -1. */
function wordListEnd(first: number, close: number): number {
  let token = first;
  for (; token + 1 < scan.count; token += 2) {
    const after = codeAt(token + 1);
    if (scan.kind[token] !== kinds.word || (after !== 44 && after !== close)) return -1;
    if (after === close) return token > first ? token + 1 : -1;
  }
  return -1;
}

function emptySlot(at: number, next: number): number {
  const position = at < scan.count ? (scan.start[at] ?? 0) : text.length;
  key += variable + separator;
  record(position, position, kinds.value, 0, 1);
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
  return pushVariable(token, last, scan.kind[token] ?? 0);
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
  if (last + 1 >= scan.count) return last;
  if (scan.kind[last] === kinds.path && text.startsWith("HTTP/", scan.start[last + 1])) return last + 1;
  if (scan.kind[last + 1] !== kinds.word) return last;
  const word = wordAt(last + 1);
  if (scan.kind[last] === kinds.number && (isUnit(word) || isMonth(word)) && codeAt(last + 2) !== 61) return last + 1;
  return isZone(word) ? last + 1 : last;
}

/** Where a list goes on at `token`: the next variable behind one or two list delimiters, or behind a space when alike. */
function continuation(token: number): number {
  let next = token;
  while (next < scan.count && next - token < 2 && scan.kind[next] === kinds.delimiter && isListDelimiter(next))
    next += 1;
  if (next >= scan.count || codeAt(next + 1) === 61) return -1;
  const kind = scan.kind[next] ?? 0;
  if (kind === kinds.delimiter) return -1;
  if (kind === kinds.word) {
    const word = wordAt(next);
    if (!isPlaceholder(word) && !isDateAt(next, word)) return -1;
  }
  return next > token || areAlike(token - 1, next) ? next : -1;
}

/** Variables that are alike make a list without commas: `1 2 3`, `blk_1 blk_2`, `12 Jul 10:00:01`. */
function areAlike(one: number, other: number): boolean {
  const kind = kindGroup(one);
  if (kind !== kindGroup(other)) return false;
  return kind !== kinds.glued || (idPrefix(one) !== "" && idPrefix(one) === idPrefix(other));
}

function kindGroup(token: number): number {
  const kind = scan.kind[token] ?? 0;
  return kind === kinds.hex || kind === kinds.time || kind === kinds.uuid || kind === kinds.word ? kinds.number : kind;
}

/** The letters that an id such as `blk_-38` begins with; nothing for other glued tokens. */
function idPrefix(token: number): string {
  return /^([A-Za-z]+)[_-]*\d[\w-]*$/.exec(wordAt(token))?.[1] ?? "";
}

function isListDelimiter(token: number): boolean {
  if ((scan.end[token] ?? 0) - (scan.start[token] ?? 0) > 1) return false;
  const code = codeAt(token);
  return (
    code === 44 ||
    code === 58 ||
    code === 59 ||
    code === 47 ||
    code === 45 ||
    code === 124 ||
    code === 35 ||
    code === 43 ||
    code === 64
  );
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

function emitText(token: number): number {
  const start = scan.start[token] ?? 0;
  const end = scan.end[token] ?? 0;
  key += text.slice(start, end) + separator;
  record(start, end, scan.kind[token] ?? 0, 1, 0);
  return token + 1;
}

function pushVariable(first: number, last: number, kind: number): number {
  key += variable + separator;
  record(scan.start[first] ?? 0, scan.end[last] ?? 0, kind, last - first + 1, 1);
  return last + 1;
}

function record(start: number, end: number, kind: number, tokens: number, isVariable: number): void {
  const at = Math.min(elements.count, maxElements - 1);
  elements.start[at] = start;
  elements.end[at] = end;
  elements.kind[at] = kind;
  elements.tokens[at] = tokens;
  elements.variable[at] = isVariable;
  elements.count = at + 1;
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
