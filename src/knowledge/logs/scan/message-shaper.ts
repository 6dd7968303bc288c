import type { Scan } from "./scan-message.ts";
import { kinds } from "./token-kind.ts";
import { TokenRuns } from "./token-runs.ts";

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
  private readonly runs = new TokenRuns();
  readonly scan: Scan = this.runs.scan;

  shape(message: string): void {
    this.count = 0;
    this.hash = 0;
    this.check = 0;
    const { runs, scan } = this;
    runs.read(message);
    let token = 0;
    while (token < scan.count) token = this.emit(token);
  }

  /** The shape of the message as texts: words and delimiters as they are, variables as marks. */
  listTexts(): string[] {
    return Array.from({ length: this.count }, (_, at) =>
      this.variable[at] === 1 ? variable : this.runs.text.slice(this.start[at], this.end[at]),
    );
  }

  /** Emits the element that begins at `token` and returns the token after it. */
  private emit(token: number): number {
    const kind = this.scan.kind[token];
    if (kind === kinds.delimiter) return this.emitDelimiter(token);
    if (kind !== kinds.word) return this.emitVariable(token);
    return this.runs.isVariableWord(token) ? this.emitVariable(token) : this.emitText(token);
  }

  private emitDelimiter(token: number): number {
    const code = this.runs.codeAt(token);
    if ((code === 60 || code === 62) && this.runs.isComparedNumber(token)) return this.emitVariable(token);
    this.emitText(token);
    if (code === 58 && this.runs.isPairColon(token)) return this.emitPair(token + 1);
    if (code === 61) return this.emitValue(token + 1);
    if (code === 34 || code === 39 || code === 96) return this.emitQuoted(token + 1, code, 1);
    if (code === 40 || code === 91 || code === 123) return this.emitBracketed(token, code);
    return token + 1;
  }

  /** In `environment:java.home=/usr/lib` the name is a value, and everything behind its `=` is one too. */
  private emitPair(token: number): number {
    const isProperty = this.runs.codeAt(token + 1) === 61 && !this.runs.hasGapBefore(token + 1);
    if (!isProperty) return this.emitValue(token);
    this.emitText(this.pushVariable(token, token, kinds.value));
    const rest = token + 2;
    return rest < this.scan.count ? this.pushVariable(rest, this.scan.count - 1, kinds.value) : this.emitMissing(rest);
  }

  /** After `=` there is always a value: a variable, a word, a quoted text, or nothing. */
  private emitValue(token: number): number {
    if (token >= this.scan.count) return this.emitMissing(token);
    const kind = this.scan.kind[token];
    const gap = this.runs.hasGapBefore(token);
    if (kind === kinds.delimiter) {
      const code = this.runs.codeAt(token);
      if (code === 34 || code === 39) return this.emitQuoted(this.emitText(token), code, 24);
      const closes = code === 44 || code === 59 || code === 41 || code === 93 || code === 125;
      return gap || closes ? this.emitMissing(token) : token;
    }
    const isNextKey = this.runs.codeAt(token + 1) === 61 && !this.runs.hasGapBefore(token + 1);
    if (gap && isNextKey && !this.runs.hasGapBefore(token - 1)) return this.emitMissing(token);
    return kind === kinds.word
      ? this.pushVariable(token, this.runs.findWordEnd(token), kinds.value)
      : this.emitVariable(token);
  }

  /** A quoted single token is a value; after `=` so is a whole quoted phrase. */
  private emitQuoted(token: number, quote: number, longest: number): number {
    const { count, kind } = this.scan;
    let close = token;
    while (close < count && close - token < longest && this.runs.codeAt(close) !== quote) close += 1;
    if (close >= count || this.runs.codeAt(close) !== quote) return token;
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
    if (this.runs.codeAt(token + 1) === close) {
      const isCall = token > 0 && !this.runs.hasGapBefore(token) && this.scan.kind[token - 1] !== kinds.delimiter;
      return isCall ? token + 1 : this.emitMissing(token + 1);
    }
    const end = this.runs.findListEnd(token + 1, close);
    return end < 0 ? token + 1 : this.pushVariable(token + 1, end - 1, kinds.value);
  }

  /** Emits one element for the variable at `token` and everything that continues it: units, dates, lists. */
  private emitVariable(token: number): number {
    let last = this.runs.findVariableEnd(token);
    for (;;) {
      const next = this.runs.findContinuation(last + 1);
      if (next < 0) break;
      last = this.runs.findVariableEnd(next);
    }
    return this.pushVariable(token, last, this.scan.kind[token] ?? 0);
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
    const position = token < this.scan.count ? (this.scan.start[token] ?? 0) : this.runs.text.length;
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
}
