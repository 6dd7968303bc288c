import { wordFlags } from "./known-words.ts";
import { createScan, type Scan, scanMessage } from "./scan-message.ts";
import { kinds } from "./token-kind.ts";

/** Marks a variable among the texts of a shape. */
export const variable = "\u0001";

const maxElements = 1100;
const variableHash = 0x2545f491;

/**
 * Reduces messages to their shape: words and delimiters with every run of variable parts as one element, so that messages
 * with the same words have the same shape whatever their values and however long their lists are. The fields describe the
 * message shaped last; an element is a range of it, `tokens` is how many tokens it spans and `kind` what its first token
 * is (a value by its place has kind `value`). Equal shapes have equal hashes.
 */
export class MessageShaper {
  count = 0;
  hash = 0;
  check = 0;
  readonly start = new Int32Array(maxElements);
  readonly end = new Int32Array(maxElements);
  readonly variable = new Uint8Array(maxElements);
  readonly kind = new Uint8Array(maxElements);
  readonly tokens = new Uint16Array(maxElements);
  /** A hash of the element's first token. */
  readonly tokenHash = new Int32Array(maxElements);
  readonly scan: Scan = createScan();
  private text = "";

  shape(message: string): void {
    this.text = message;
    this.count = 0;
    this.hash = 0;
    this.check = 0;
    scanMessage(message, this.scan);
    const { scan } = this;
    let token = 0;
    while (token < scan.count) token = this.emit(token);
  }

  /** The shape of the message as texts: words and delimiters as they are, variables as marks. */
  texts(): string[] {
    return Array.from({ length: this.count }, (_, at) =>
      this.variable[at] === 1 ? variable : this.text.slice(this.start[at], this.end[at]),
    );
  }

  /** Emits the element that begins at `token` and returns the token after it. */
  private emit(token: number): number {
    const kind = this.scan.kind[token];
    if (kind === kinds.delimiter) return this.emitDelimiter(token);
    if (kind !== kinds.word) return this.emitVariable(token);
    return this.isVariableWord(token) ? this.emitVariable(token) : this.emitText(token);
  }

  /** Placeholders are values wherever they are, month names before a number are dates. */
  private isVariableWord(token: number): boolean {
    const flags = this.scan.flags[token] ?? 0;
    if (flags === 0) return false;
    return (flags & wordFlags.placeholder) !== 0 || this.isDateAt(token, flags);
  }

  private emitDelimiter(token: number): number {
    const code = this.codeAt(token);
    if ((code === 60 || code === 62) && this.isComparedNumber(token)) return this.emitVariable(token);
    this.emitText(token);
    if (code === 58 && this.isPairColon(token)) return this.emitPair(token + 1);
    if (code === 61) return this.emitValue(token + 1);
    if (code === 34 || code === 39 || code === 96) return this.emitQuoted(token + 1, code, 1);
    if (code === 40 || code === 91 || code === 123) return this.emitBracketed(token, code);
    return token + 1;
  }

  /** `key:value` inside a message; the first words of a message may be a label such as `ERROR:`. */
  private isPairColon(token: number): boolean {
    const { kind, count } = this.scan;
    if (token < 2 || token + 1 >= count || this.gapBefore(token) || this.gapBefore(token + 1)) return false;
    if (kind[token - 1] !== kinds.word || kind[token + 1] !== kinds.word) return false;
    const after = this.codeAt(token + 2);
    return after !== 58 && after !== 40;
  }

  /** In `environment:java.home=/usr/lib` the name is a value, and everything behind its `=` is one too. */
  private emitPair(token: number): number {
    const isProperty = this.codeAt(token + 1) === 61 && !this.gapBefore(token + 1);
    if (!isProperty) return this.emitValue(token);
    this.emitText(this.pushVariable(token, token, kinds.value));
    const rest = token + 2;
    return rest < this.scan.count ? this.pushVariable(rest, this.scan.count - 1, kinds.value) : this.emitMissing(rest);
  }

  /** After `=` there is always a value: a variable, a word, a quoted text, or nothing. */
  private emitValue(token: number): number {
    if (token >= this.scan.count) return this.emitMissing(token);
    const kind = this.scan.kind[token];
    const gap = this.gapBefore(token);
    if (kind === kinds.delimiter) {
      const code = this.codeAt(token);
      if (code === 34 || code === 39) return this.emitQuoted(this.emitText(token), code, 24);
      const closes = code === 44 || code === 59 || code === 41 || code === 93 || code === 125;
      return gap || closes ? this.emitMissing(token) : token;
    }
    const isNextKey = this.codeAt(token + 1) === 61 && !this.gapBefore(token + 1);
    if (gap && isNextKey && !this.gapBefore(token - 1)) return this.emitMissing(token);
    return kind === kinds.word
      ? this.pushVariable(token, this.endOfWord(token), kinds.value)
      : this.emitVariable(token);
  }

  /** A value that begins with a word goes on to the next space, comma, bracket, quote or `=`: `name=Popup:317f46`. */
  private endOfWord(token: number): number {
    const { count, kind } = this.scan;
    let last = token;
    while (last + 1 < count && !this.gapBefore(last + 1)) {
      if (kind[last + 1] === kinds.delimiter && !this.isListDelimiter(last + 1)) break;
      if (this.codeAt(last + 1) === 44 || this.codeAt(last + 1) === 59) break;
      last += 1;
    }
    while (last > token && kind[last] === kinds.delimiter) last -= 1;
    return last;
  }

  /** A quoted single token is a value; after `=` so is a whole quoted phrase. */
  private emitQuoted(token: number, quote: number, longest: number): number {
    const { count, kind } = this.scan;
    let close = token;
    while (close < count && close - token < longest && this.codeAt(close) !== quote) close += 1;
    if (close >= count || this.codeAt(close) !== quote) return token;
    if (close === token) this.emitMissing(token);
    else {
      const inner = kind[token] ?? 0;
      const isAtom = close - token === 1 && inner !== kinds.word && inner !== kinds.delimiter;
      this.pushVariable(token, close - 1, isAtom ? inner : kinds.value);
    }
    return this.emitText(close);
  }

  /** A bracket opens a missing value (`()`), a list of words (`[a, b]`), or an ordinary part of the message. */
  private emitBracketed(token: number, open: number): number {
    const close = open + (open === 40 ? 1 : 2);
    if (this.codeAt(token + 1) === close) {
      const isCall = token > 0 && !this.gapBefore(token) && this.scan.kind[token - 1] !== kinds.delimiter;
      return isCall ? token + 1 : this.emitMissing(token + 1);
    }
    const end = this.wordListEnd(token + 1, close);
    return end < 0 ? token + 1 : this.pushVariable(token + 1, end - 1, kinds.value);
  }

  /** Where a list of at least two words between commas closes, else -1. */
  private wordListEnd(first: number, close: number): number {
    const { kind, count } = this.scan;
    for (let token = first; token + 1 < count; token += 2) {
      const after = this.codeAt(token + 1);
      if (kind[token] !== kinds.word || (after !== 44 && after !== close)) return -1;
      if (after === close) return token > first ? token + 1 : -1;
    }
    return -1;
  }

  /** Emits one element for the variable at `token` and everything that continues it: units, dates, lists. */
  private emitVariable(token: number): number {
    let last = this.endOfVariable(token);
    for (;;) {
      const next = this.continuation(last + 1);
      if (next < 0) break;
      last = this.endOfVariable(next);
    }
    return this.pushVariable(token, last, this.scan.kind[token] ?? 0);
  }

  /** The last token of the single variable at `token`, with a unit or the words of a date. */
  private endOfVariable(token: number): number {
    const { kind, flags, count } = this.scan;
    const last = kind[token] === kinds.delimiter ? token + 1 : token;
    const next = last + 1;
    if (next >= count) return last;
    const nextFlags = flags[next] ?? 0;
    if (kind[last] === kinds.word) {
      const isDay = ((flags[last] ?? 0) & wordFlags.weekday) !== 0;
      return isDay && (nextFlags & wordFlags.month) !== 0 ? next : last;
    }
    if (kind[last] === kinds.path && this.text.startsWith("HTTP/", this.scan.start[next])) return next;
    if (nextFlags === 0) return last;
    const measures = kind[last] === kinds.number && (nextFlags & (wordFlags.unit | wordFlags.month)) !== 0;
    if (measures && this.codeAt(next + 1) !== 61) return next;
    return (nextFlags & wordFlags.zone) !== 0 ? next : last;
  }

  /** Where a list goes on at `token`: the next variable behind one or two list delimiters, or a space when alike. */
  private continuation(token: number): number {
    const { kind, count } = this.scan;
    let next = token;
    while (next < count && next - token < 2 && kind[next] === kinds.delimiter && this.isListDelimiter(next)) next += 1;
    if (next >= count || kind[next] === kinds.delimiter || this.codeAt(next + 1) === 61) return -1;
    if (kind[next] === kinds.word && !this.isVariableWord(next)) return -1;
    return next > token || this.areAlike(token - 1, next) ? next : -1;
  }

  /** Variables that are alike make a list without commas: `1 2 3`, `blk_1 blk_2`, `12 Jul 10:00:01`. */
  private areAlike(one: number, other: number): boolean {
    const kind = groupOf(this.scan.kind[one] ?? 0);
    if (kind !== groupOf(this.scan.kind[other] ?? 0)) return false;
    if (kind !== kinds.glued) return true;
    const prefix = idPrefix(this.wordAt(one));
    return prefix !== "" && prefix === idPrefix(this.wordAt(other));
  }

  private isListDelimiter(token: number): boolean {
    if ((this.scan.end[token] ?? 0) - (this.scan.start[token] ?? 0) > 1) return false;
    return listDelimiters[this.codeAt(token)] === 1;
  }

  /** `Jul 26` and `Tue Jul 26`: month names count as a date only before a number. */
  private isDateAt(token: number, flags: number): boolean {
    const { kind, count } = this.scan;
    if ((flags & wordFlags.month) !== 0) return token + 1 < count && kind[token + 1] === kinds.number;
    if ((flags & wordFlags.weekday) === 0 || token + 2 >= count) return false;
    return ((this.scan.flags[token + 1] ?? 0) & wordFlags.month) !== 0 && kind[token + 2] === kinds.number;
  }

  /** `<1 sec`: a comparison sign glued to a number that no bracket closes. */
  private isComparedNumber(token: number): boolean {
    const { kind, count } = this.scan;
    if (token + 1 >= count || kind[token + 1] !== kinds.number || this.gapBefore(token + 1)) return false;
    const after = this.codeAt(token + 2);
    return after !== 60 && after !== 62 && this.gapBefore(token);
  }

  private emitText(token: number): number {
    const hash = this.scan.hash[token] ?? 0;
    this.hash = Math.imul(this.hash ^ hash, 0x01000193) + 1;
    this.check = Math.imul(this.check + hash, 0x5bd1e995) ^ (this.check >>> 15);
    return this.record(token, token, this.scan.kind[token] ?? 0, 0);
  }

  private pushVariable(first: number, last: number, kind: number): number {
    this.hashVariable();
    return this.record(first, last, kind, 1);
  }

  /** A value that is not there: it keeps its place, so that `user=` and `user=bob` are alike. */
  private emitMissing(token: number): number {
    this.hashVariable();
    this.record(token, token - 1, kinds.value, 1);
    const at = this.count - 1;
    const position = token < this.scan.count ? (this.scan.start[token] ?? 0) : this.text.length;
    this.start[at] = position;
    this.end[at] = position;
    return token;
  }

  private hashVariable(): void {
    this.hash = Math.imul(this.hash ^ variableHash, 0x01000193) + 1;
    this.check = Math.imul(this.check + variableHash, 0x5bd1e995) ^ (this.check >>> 15);
  }

  private record(first: number, last: number, kind: number, isVariable: number): number {
    const at = Math.min(this.count, maxElements - 1);
    this.start[at] = this.scan.start[first] ?? 0;
    this.end[at] = this.scan.end[last] ?? 0;
    this.kind[at] = kind;
    this.tokens[at] = last - first + 1;
    this.variable[at] = isVariable;
    this.tokenHash[at] = this.scan.hash[first] ?? 0;
    this.count = at + 1;
    return last + 1;
  }

  private wordAt(token: number): string {
    return this.text.slice(this.scan.start[token], this.scan.end[token]);
  }

  private codeAt(token: number): number {
    return token < this.scan.count ? this.text.charCodeAt(this.scan.start[token] ?? 0) : 0;
  }

  private gapBefore(token: number): boolean {
    return token === 0 || (this.scan.start[token] ?? 0) > (this.scan.end[token - 1] ?? 0);
  }
}

const listDelimiters = Uint8Array.from({ length: 65_536 }, (_, code) =>
  ",:;/-|#+@".includes(String.fromCharCode(code)) ? 1 : 0,
);

function groupOf(kind: number): number {
  return kind === kinds.hex || kind === kinds.time || kind === kinds.uuid || kind === kinds.word ? kinds.number : kind;
}

/** The letters that an id such as `blk_-38` begins with; nothing for other glued tokens. */
function idPrefix(word: string): string {
  return /^([A-Za-z]+)[_-]*\d[\w-]*$/.exec(word)?.[1] ?? "";
}
