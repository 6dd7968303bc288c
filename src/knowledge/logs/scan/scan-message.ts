import { classifyAtom } from "./classify-atom.ts";
import { findFlags, hashPrime, hashStart } from "./known-words.ts";
import { kinds, markOf, marks, type TokenKind } from "./token-kind.ts";

/** Longer messages end in one variable tail: it bounds the work on a giant line. */
export const maxScanned = 4096;
const maxTokens = 512;

/**
 * The tokens of one message as ranges of it, with a hash of their text and, for words, what they are known as; the arrays
 * are reused from scan to scan.
 */
export type Scan = {
  count: number;
  kind: Uint8Array;
  start: Int32Array;
  end: Int32Array;
  hash: Int32Array;
  flags: Uint8Array;
};

export function createScan(): Scan {
  const size = maxTokens + 1;
  return {
    count: 0,
    kind: new Uint8Array(size),
    start: new Int32Array(size),
    end: new Int32Array(size),
    hash: new Int32Array(size),
    flags: new Uint8Array(size),
  };
}

/** Splits a message into words, delimiters and variable-looking atoms; every character but spaces is in one token. */
export function scanMessage(text: string, scan: Scan): void {
  scan.count = 0;
  const end = Math.min(text.length, maxScanned);
  let position = 0;
  while (position < end && scan.count < maxTokens) {
    const code = text.charCodeAt(position);
    if (code <= 32 || code === 127) position += 1;
    else if (findMark(code) !== 0) position = readAtom(text, position, end, scan);
    else position = push(scan, kinds.delimiter, position, position + 1, Math.imul(hashStart ^ code, hashPrime));
  }
  if (position < text.length) push(scan, kinds.value, position, text.length, 0);
}

const onlyLetters = marks.letter | marks.hexLetter;

/** Reads one atom with its marks and hash, and pushes it with its kind; returns where it ended. */
function readAtom(text: string, from: number, limit: number, scan: Scan): number {
  let seen = 0;
  let hash = hashStart;
  let position = from;
  let code = 32;
  for (; position < limit; position += 1) {
    code = text.charCodeAt(position);
    const mark = findMark(code);
    if (mark === 0) {
      if (code === 32 || !belongs(code, text, from, position, seen)) break;
      if (code === 58) seen |= marks.colon;
      else if (code === 91) {
        position = text.indexOf("]", position);
        seen |= marks.digit;
      }
    } else if (mark === marks.dot && text.charCodeAt(position + 1) === 46) break;
    else seen |= mark;
    hash = Math.imul(hash ^ code, hashPrime);
  }
  const mayOpen = position < limit && (code === 58 || code === 63);
  if (mayOpen && opensAddress(text, position, seen)) return pushAddress(text, from, position, limit, scan);
  if ((seen & ~onlyLetters) === 0 && seen !== 0) return push(scan, kinds.word, from, position, hash, text);
  if (seen === marks.digit) return push(scan, kinds.number, from, position, hash);
  return pushAtom(text, from, position, seen, scan, hash);
}

/** Pushes an atom that is neither plain letters nor plain digits; a full stop at its end is a token of its own. */
function pushAtom(text: string, from: number, to: number, seen: number, scan: Scan, hash: number): number {
  if (to === from) return pushRange(text, scan, kinds.delimiter, from, findDotsEnd(text, from));
  if (to - from === 1 || text.charCodeAt(to - 1) !== 46) {
    return push(scan, classifyAtom(seen, text, from, to), from, to, hash, text);
  }
  const end = to - 1;
  const rest = text.lastIndexOf(".", end - 1) < from ? seen & ~marks.dot : seen;
  return pushRange(text, scan, rest === marks.digit ? kinds.number : classifyAtom(rest, text, from, end), from, end);
}

/** Whether a delimiter is part of the atom that it stands in. */
function belongs(code: number, text: string, from: number, position: number, seen: number): boolean {
  if (code === 58) return keepsColon(text, from, position, seen);
  if (code === 91) return isHostList(text, position);
  return code === 39 && isLetter(text.charCodeAt(position - 1)) && isLetter(text.charCodeAt(position + 1));
}

/** `node-[0-63,65]`, as cluster tools write many hosts at once, is one name. */
function isHostList(text: string, bracket: number): boolean {
  if (text.charCodeAt(bracket - 1) !== 45 || !isDigit(text.charCodeAt(bracket + 1))) return false;
  const close = text.indexOf("]", bracket);
  return close > 0 && close < maxScanned && /^[\d, -]+$/.test(text.slice(bracket + 1, close));
}

/** A colon stays inside clock times, MAC and IPv6 addresses, `address:port`, `host.name:port` and `C:\\`. */
function keepsColon(text: string, from: number, colon: number, seen: number): boolean {
  const next = text.charCodeAt(colon + 1);
  const length = colon - from;
  if (next === 92) return length === 1 && (seen & ~onlyLetters) === 0;
  const hasLetters = (seen & onlyLetters) !== 0;
  const isHexOnly = (seen & (marks.letter | marks.joiner)) === 0;
  if (next >= 48 && next <= 57) {
    const hasDigits = (seen & marks.digit) !== 0;
    if (hasDigits && !hasLetters) return true;
    if (hasDigits && isHexOnly && (length === 2 || (seen & marks.colon) !== 0)) return true;
    if ((seen & (marks.dot | marks.slash | marks.colon)) === marks.dot) return isPortOfHost(text, from, colon);
  }
  return isHexOnly && isHexGroup(text, colon, length, (seen & marks.colon) !== 0);
}

const codeFile = /\.(?:c|cc|cpp|h|hpp|java|py|go|js|ts|rb|cs|rs|php|pl|kt|scala|sh|m|mm|swift|xml|conf|log)$/i;

function isPortOfHost(text: string, from: number, colon: number): boolean {
  let end = colon + 1;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end - colon <= 6 && !isLetter(text.charCodeAt(end)) && !codeFile.test(text.slice(from, colon));
}

/** Two hex digits, a colon, two hex digits, and so on: a hardware address. */
function isHexGroup(text: string, colon: number, length: number, inChain: boolean): boolean {
  if (!inChain && length !== 2) return false;
  if (!isHex(text.charCodeAt(colon + 1)) || !isHex(text.charCodeAt(colon + 2))) return false;
  return inChain || text.charCodeAt(colon + 3) === 58;
}

/** `://` after a scheme, or `?` after a path: the rest up to a space, quote or bracket belongs to it. */
function opensAddress(text: string, position: number, seen: number): boolean {
  const code = text.charCodeAt(position);
  if ((seen & onlyLetters) === 0) return false;
  if (code === 63) return (seen & marks.slash) !== 0;
  if (code !== 58 || (seen & marks.slash) !== 0) return false;
  return text.charCodeAt(position + 1) === 47 && text.charCodeAt(position + 2) === 47;
}

const addressStop = /[\s"'<>()[\]{}|,;]/g;

function pushAddress(text: string, from: number, position: number, limit: number, scan: Scan): number {
  const kind = text.charCodeAt(position) === 63 ? kinds.path : kinds.url;
  addressStop.lastIndex = position;
  let end = Math.min(addressStop.exec(text)?.index ?? limit, limit);
  while (end > position && (text.charCodeAt(end - 1) === 46 || text.charCodeAt(end - 1) === 58)) end -= 1;
  return pushRange(text, scan, kind, from, Math.max(end, position + 1));
}

function findDotsEnd(text: string, from: number): number {
  let end = from + 1;
  while (text.charCodeAt(end) === 46) end += 1;
  return end;
}

function findMark(code: number): number {
  return code < 128 ? (markOf[code] as number) : marks.letter;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

function isHex(code: number): boolean {
  const lower = code | 32;
  return isDigit(code) || (lower >= 97 && lower <= 102);
}

function pushRange(text: string, scan: Scan, kind: TokenKind, start: number, end: number): number {
  let hash = hashStart;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), hashPrime);
  return push(scan, kind, start, end, hash, text);
}

function push(scan: Scan, kind: TokenKind, start: number, end: number, hash: number, text = ""): number {
  const at = scan.count;
  scan.kind[at] = kind;
  scan.start[at] = start;
  scan.end[at] = end;
  scan.hash[at] = hash;
  scan.flags[at] = kind === kinds.word ? findFlags(hash, text, start, end) : 0;
  scan.count = at + 1;
  return end;
}
