import { type AtomCounts, digitKind, wordKind } from "./atom-kind.ts";
import { flagsOf, hashPrime, hashStart } from "./known-words.ts";
import { classes, classOf, kinds, type TokenKind } from "./token-kind.ts";

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

/** Splits a message into words, delimiters and variable looking atoms; every character but spaces is in one token. */
export function scanMessage(text: string, scan: Scan): void {
  scan.count = 0;
  const end = Math.min(text.length, maxScanned);
  let position = 0;
  while (position < end && scan.count < maxTokens) {
    const code = text.charCodeAt(position);
    const cls = classAt(code);
    if (cls === classes.space) position += 1;
    else if (cls === classes.letter) position = readWord(text, position, end, scan);
    else if (cls === classes.digit) position = readNumber(text, position, end, scan);
    else if (cls === classes.joiner) position = readAtom(text, position, end, scan);
    else position = pushHashed(scan, kinds.delimiter, position, position + 1, Math.imul(hashStart ^ code, hashPrime));
  }
  if (position < text.length) push(text, scan, kinds.value, position, text.length);
}

/** Most tokens are plain words: letters only up to a space or delimiter. Anything else is an atom. */
function readWord(text: string, from: number, limit: number, scan: Scan): number {
  let hash = hashStart;
  let position = from;
  let cls: number = classes.letter;
  let code = 0;
  while (position < limit) {
    code = text.charCodeAt(position);
    cls = classAt(code);
    if (cls !== classes.letter) break;
    hash = Math.imul(hash ^ code, hashPrime);
    position += 1;
  }
  const isPlain =
    position === limit || cls === classes.space || (cls === classes.delimiter && code !== 58 && code !== 39);
  return isPlain ? pushHashed(scan, kinds.word, from, position, hash, text) : readAtom(text, from, limit, scan);
}

/** Digits only up to a space or delimiter. */
function readNumber(text: string, from: number, limit: number, scan: Scan): number {
  let hash = hashStart;
  let position = from;
  let cls: number = classes.digit;
  let code = 0;
  while (position < limit) {
    code = text.charCodeAt(position);
    cls = classAt(code);
    if (cls !== classes.digit) break;
    hash = Math.imul(hash ^ code, hashPrime);
    position += 1;
  }
  const isPlain = position === limit || cls === classes.space || (cls === classes.delimiter && code !== 58);
  return isPlain ? pushHashed(scan, kinds.number, from, position, hash) : readAtom(text, from, limit, scan);
}

function classAt(code: number): number {
  return code < 128 ? (classOf[code] as number) : classes.letter;
}

const counts: AtomCounts = {
  letters: 0,
  digits: 0,
  nonHexLetters: 0,
  dots: 0,
  slashes: 0,
  backslashes: 0,
  dashes: 0,
  colons: 0,
};

/** Reads one atom, counting its characters on the way, and pushes it with its kind; returns where it ended. */
function readAtom(text: string, from: number, limit: number, scan: Scan): number {
  counts.letters = counts.digits = counts.nonHexLetters = 0;
  counts.dots = counts.slashes = counts.backslashes = counts.dashes = counts.colons = 0;
  let position = from;
  for (; position < limit; position += 1) {
    const code = text.charCodeAt(position);
    const cls = classAt(code);
    if (cls === classes.letter) countLetter(code);
    else if (cls === classes.digit) counts.digits += 1;
    else if (cls === classes.joiner) {
      if (code === 46 && text.charCodeAt(position + 1) === 46) break;
      countJoiner(code);
    } else if (code === 58) {
      if (isUrl(text, position)) return push(text, scan, kinds.url, from, urlEnd(text, position, limit));
      if (!colonBelongs(text, from, position)) break;
      counts.colons += 1;
    } else if (code === 63 && counts.slashes > 0 && counts.letters > 0) {
      return push(text, scan, kinds.path, from, urlEnd(text, position, limit));
    } else if (code !== 39 || !isApostrophe(text, position)) break;
  }
  if (position === from) return push(text, scan, kinds.delimiter, from, dotsEnd(text, from));
  const end = trimEnd(text, from, position);
  return push(
    text,
    scan,
    end - from === 0 ? kinds.delimiter : atomKind(text, from, end),
    from,
    Math.max(end, from + 1),
  );
}

function countLetter(code: number): void {
  counts.letters += 1;
  const lower = code | 32;
  if (lower < 97 || lower > 102) counts.nonHexLetters += 1;
}

function countJoiner(code: number): void {
  if (code === 46) counts.dots += 1;
  else if (code === 45) counts.dashes += 1;
  else if (code === 47) counts.slashes += 1;
  else if (code === 92) counts.backslashes += 1;
}

function atomKind(text: string, from: number, end: number): TokenKind {
  const { digits, dots, slashes, backslashes, letters } = counts;
  if (digits === 0 && dots + slashes + backslashes === 0) return letters === 0 ? kinds.delimiter : kinds.word;
  if (letters === 0 && digits === end - from) return kinds.number;
  const atom = text.slice(from, end);
  return digits === 0 ? wordKind(atom, counts) : digitKind(atom, counts);
}

/** A full stop after an atom ends the sentence and is a token of its own. */
function trimEnd(text: string, from: number, end: number): number {
  if (end - from > 1 && text.charCodeAt(end - 1) === 46) {
    counts.dots -= 1;
    return end - 1;
  }
  return end;
}

/** A colon stays inside clock times, MAC and IPv6 addresses, `address:port`, `host.name:port` and `C:\`. */
function colonBelongs(text: string, from: number, colon: number): boolean {
  const next = text.charCodeAt(colon + 1);
  if (next === 92) return colon - from === 1 && counts.letters === 1;
  const length = colon - from;
  if (next >= 48 && next <= 57) {
    if (counts.letters === 0 && counts.digits > 0) return true;
    if (counts.nonHexLetters === 0 && counts.digits > 0 && (length === 2 || counts.colons > 0)) return true;
    if (counts.dots > 0 && counts.slashes === 0 && counts.colons === 0) return isPortOfHost(text, from, colon);
  }
  return counts.nonHexLetters === 0 && isHexGroup(text, colon, length);
}

const codeFile = /\.(?:c|cc|cpp|h|hpp|java|py|go|js|ts|rb|cs|rs|php|pl|kt|scala|sh|m|mm|swift|xml|conf|log)$/i;

function isPortOfHost(text: string, from: number, colon: number): boolean {
  let end = colon + 1;
  while (isDigit(text.charCodeAt(end))) end += 1;
  const after = text.charCodeAt(end);
  if (isLetter(after)) return false;
  return end - colon <= 6 && !codeFile.test(text.slice(from, colon));
}

/** Two hex digits, a colon, two hex digits, a colon or the end of such a chain: a hardware address. */
function isHexGroup(text: string, colon: number, length: number): boolean {
  const inChain = counts.colons > 0;
  if (!inChain && length !== 2) return false;
  if (!isHex(text.charCodeAt(colon + 1)) || !isHex(text.charCodeAt(colon + 2))) return false;
  const after = text.charCodeAt(colon + 3);
  return inChain || after === 58;
}

function isUrl(text: string, colon: number): boolean {
  return (
    counts.letters > 1 && counts.slashes === 0 && text.charCodeAt(colon + 1) === 47 && text.charCodeAt(colon + 2) === 47
  );
}

const urlStop = /[\s"'<>()[\]{}|,;]/g;

function urlEnd(text: string, from: number, limit: number): number {
  urlStop.lastIndex = from;
  let end = Math.min(urlStop.exec(text)?.index ?? limit, limit);
  while (end > from && /[.:]/.test(text[end - 1] ?? "")) end -= 1;
  return end;
}

/** As in `can't`: a quote between letters is no quote. */
function isApostrophe(text: string, position: number): boolean {
  return isLetter(text.charCodeAt(position - 1)) && isLetter(text.charCodeAt(position + 1));
}

function isLetter(code: number): boolean {
  return code < 128 && classOf[code] === classes.letter;
}

function dotsEnd(text: string, from: number): number {
  let end = from + 1;
  while (text.charCodeAt(end) === 46) end += 1;
  return end;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isHex(code: number): boolean {
  const lower = code | 32;
  return isDigit(code) || (lower >= 97 && lower <= 102);
}

function push(text: string, scan: Scan, kind: TokenKind, start: number, end: number): number {
  let hash = hashStart;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), hashPrime);
  return pushHashed(scan, kind, start, end, hash, text);
}

function pushHashed(scan: Scan, kind: TokenKind, start: number, end: number, hash: number, text = ""): number {
  const at = scan.count;
  scan.kind[at] = kind;
  scan.start[at] = start;
  scan.end[at] = end;
  scan.hash[at] = hash;
  scan.flags[at] = kind === kinds.word ? flagsOf(hash, text, start, end) : 0;
  scan.count = at + 1;
  return end;
}
