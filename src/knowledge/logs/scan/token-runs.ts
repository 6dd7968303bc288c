import { wordFlags } from "./known-words.ts";
import { createScan, type Scan, scanMessage } from "./scan-message.ts";
import { kinds } from "./token-kind.ts";

/** The tokens of one message, and where values, dates and lists among them end. */
export class TokenRuns {
  readonly scan: Scan = createScan();
  text = "";

  read(message: string): void {
    this.text = message;
    scanMessage(message, this.scan);
  }

  /** Placeholders are values wherever they are, month names before a number are dates. */
  isVariableWord(token: number): boolean {
    const flags = this.scan.flags[token] ?? 0;
    if (flags === 0) return false;
    return (flags & wordFlags.placeholder) !== 0 || this.isDateAt(token, flags);
  }

  /** `key:value` inside a message; the first words of a message may be a label such as `ERROR:`. */
  isPairColon(token: number): boolean {
    const { kind, count } = this.scan;
    if (token < 2 || token + 1 >= count || this.hasGapBefore(token) || this.hasGapBefore(token + 1)) return false;
    if (kind[token - 1] !== kinds.word || kind[token + 1] !== kinds.word) return false;
    const after = this.codeAt(token + 2);
    return after !== 58 && after !== 40;
  }

  /** A value that begins with a word goes on to the next space, comma, bracket, quote or `=`: `name=Popup:317f46`. */
  findWordEnd(token: number): number {
    const { count, kind } = this.scan;
    let last = token;
    while (last + 1 < count && !this.hasGapBefore(last + 1)) {
      if (kind[last + 1] === kinds.delimiter && !this.isListDelimiter(last + 1)) break;
      if (this.codeAt(last + 1) === 44 || this.codeAt(last + 1) === 59) break;
      last += 1;
    }
    while (last > token && kind[last] === kinds.delimiter) last -= 1;
    return last;
  }

  /** Where a list of at least two words between commas closes, else -1. */
  findListEnd(first: number, close: number): number {
    const { kind, count } = this.scan;
    for (let token = first; token + 1 < count; token += 2) {
      const after = this.codeAt(token + 1);
      if (kind[token] !== kinds.word || (after !== 44 && after !== close)) return -1;
      if (after === close) return token > first ? token + 1 : -1;
    }
    return -1;
  }

  /** The last token of the single variable at `token`, with a unit or the words of a date. */
  findVariableEnd(token: number): number {
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
  findContinuation(token: number): number {
    const { kind, count } = this.scan;
    let next = token;
    while (next < count && next - token < 2 && kind[next] === kinds.delimiter && this.isListDelimiter(next)) next += 1;
    if (next >= count || kind[next] === kinds.delimiter || this.codeAt(next + 1) === 61) return -1;
    if (kind[next] === kinds.word && !this.isVariableWord(next)) return -1;
    return next > token || this.areAlike(token - 1, next) ? next : -1;
  }

  /** Variables that are alike make a list without commas: `1 2 3`, `blk_1 blk_2`, `12 Jul 10:00:01`. */
  areAlike(one: number, other: number): boolean {
    const kind = groupOf(this.scan.kind[one] ?? 0);
    if (kind !== groupOf(this.scan.kind[other] ?? 0)) return false;
    if (kind !== kinds.glued) return true;
    const prefix = findIdPrefix(this.takeWord(one));
    return prefix !== "" && prefix === findIdPrefix(this.takeWord(other));
  }

  isListDelimiter(token: number): boolean {
    if ((this.scan.end[token] ?? 0) - (this.scan.start[token] ?? 0) > 1) return false;
    return listDelimiters[this.codeAt(token)] === 1;
  }

  /** `Jul 26` and `Tue Jul 26`: month names count as a date only before a number. */
  isDateAt(token: number, flags: number): boolean {
    const { kind, count } = this.scan;
    if ((flags & wordFlags.month) !== 0) return token + 1 < count && kind[token + 1] === kinds.number;
    if ((flags & wordFlags.weekday) === 0 || token + 2 >= count) return false;
    return ((this.scan.flags[token + 1] ?? 0) & wordFlags.month) !== 0 && kind[token + 2] === kinds.number;
  }

  /** `<1 sec`: a comparison sign glued to a number that no bracket closes. */
  isComparedNumber(token: number): boolean {
    const { kind, count } = this.scan;
    if (token + 1 >= count || kind[token + 1] !== kinds.number || this.hasGapBefore(token + 1)) return false;
    const after = this.codeAt(token + 2);
    return after !== 60 && after !== 62 && this.hasGapBefore(token);
  }

  takeWord(token: number): string {
    return this.text.slice(this.scan.start[token], this.scan.end[token]);
  }

  codeAt(token: number): number {
    return token < this.scan.count ? this.text.charCodeAt(this.scan.start[token] ?? 0) : 0;
  }

  hasGapBefore(token: number): boolean {
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
function findIdPrefix(word: string): string {
  return /^([A-Za-z]+)[_-]*\d[\w-]*$/.exec(word)?.[1] ?? "";
}
