import type { Material } from "../schemas/material.ts";
import type { Span } from "../schemas/stage1.ts";

type CleanText = { text: string; sourceOf(span: Span): Span };

/** A tag, an entity, or a letter with its marks, which in NFC may be one: a Korean syllable in parts, "e" and its accent. */
const piece =
  /<\/?[a-z][^<>]{0,200}>|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});|[\u1100-\u115f가-힣][\u1160-\u11a7]?[\u11a8-\u11ff]?|.\p{M}*/gisu;
const named: Record<string, string> = { nbsp: " ", amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", hellip: "…" };

/** Removes tags and entities, and composes letters (NFC); `sourceOf` gives the place of a span in the given text. */
export function cleanText(given: string): CleanText {
  let text = "";
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: found, index } of given.matchAll(piece)) {
    const written = readPiece(found);
    for (let at = 0; at < written.length; at += 1) {
      starts.push(index + (written === found ? at : 0));
      ends.push(index + (written === found ? at + 1 : found.length));
    }
    text += written;
  }
  const sourceOf = ({ start, end }: Span) => {
    const from = starts[start] ?? given.length;
    return { start: from, end: end > start ? (ends[end - 1] ?? given.length) : from };
  };
  return { text, sourceOf };
}

function readPiece(found: string): string {
  if (found.length > 2 && found.startsWith("<")) return " ";
  const name = /^&(.+);$/.exec(found)?.[1]?.toLowerCase();
  if (name === undefined) return found.normalize("NFC");
  if (!name.startsWith("#")) return named[name] ?? found;
  const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : " ";
}

/** The occurrence of `term` nearest to `near`, ignoring case if necessary; null if there is none. */
export function findTerm(text: string, term: string, near = 0): Span | null {
  const nearest = listPlaces(text, term).toSorted(
    (a, b) => Math.abs(a.start - near) - Math.abs(b.start - near) || a.start - b.start,
  );
  return nearest[0] ?? null;
}

export function listPlaces(text: string, term: string): Span[] {
  if (term === "") return [];
  const exact = listOccurrences(text, term);
  const lower = text.toLowerCase();
  const found = exact.length > 0 || lower.length !== text.length ? exact : listOccurrences(lower, term.toLowerCase());
  return found.map((start) => ({ start, end: start + term.length }));
}

function listOccurrences(text: string, term: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(term); at !== -1; at = text.indexOf(term, at + 1)) found.push(at);
  return found;
}

export function isInside(text: string, { start, end }: Span): boolean {
  return Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= text.length;
}

export function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

const singles = "'‘’‚‛ʼ`´";
const doubles = '"“”„‟«»「」『』';
const outer = new RegExp(`^[${singles}${doubles}]+|[${singles}${doubles}]+$`, "gu");
const longestQuote = 2000;

/**
 * The words of the text that a quote stands for; null if there are none. Quotation marks and the width of spaces do
 * not matter, since models change them when copying.
 */
export function findQuote(text: string, words: string): string | null {
  const quote = words.normalize("NFC").trim();
  if (quote === "" || text.includes(quote)) return quote;
  const bare = quote.replace(outer, "").trim();
  if (bare === "" || bare.length > longestQuote) return null;
  const pattern = Array.from(bare.replace(/\s+/gu, " "), toPattern).join("");
  return new RegExp(pattern, "u").exec(text)?.[0] ?? null;
}

function toPattern(letter: string): string {
  if (letter === " ") return "\\s+";
  if (singles.includes(letter)) return `[${singles}]`;
  if (doubles.includes(letter)) return `[${doubles}]`;
  return /[\\^$.*+?()[\]{}|/-]/.test(letter) ? `\\x${letter.charCodeAt(0).toString(16).padStart(2, "0")}` : letter;
}

export function listQuoted(words: string): string[] {
  const marked = /["“「『«]([^"”」』»]+)["”」』»]|(?<![\p{L}\p{N}])['‘]([^'‘’]+)['’](?![\p{L}\p{N}])/gu;
  return [...words.matchAll(marked)].map((match) => match[1] ?? match[2] ?? "");
}

const letter = /[\p{L}\p{N}]/u;
const hangul = /\p{Script=Hangul}/u;

type Edged = Pick<Material, "text" | "particles">;

function startsWord({ text }: Edged, at: number): boolean {
  return !letter.test(text.charAt(at - 1)) || !letter.test(text.charAt(at));
}

/** A word ends before punctuation, and in Korean before a particle that ends it. */
function endsWord({ text, particles }: Edged, at: number): boolean {
  if (!letter.test(text.charAt(at)) || !letter.test(text.charAt(at - 1))) return true;
  const rest = /^[\p{L}\p{N}]+/u.exec(text.slice(at))?.[0] ?? "";
  return hangul.test(text.charAt(at)) && particles.includes(rest);
}

/** Moves each end by at most one character to a word edge; null when the span cuts a word. */
export function snapToWords(material: Edged, span: Span): Span | null {
  const start = [span.start, span.start - 1, span.start + 1].find((at) => at >= 0 && startsWord(material, at));
  const end = [span.end, span.end + 1, span.end - 1].find((at) => endsWord(material, at));
  if (start === undefined || end === undefined || start >= end || end > material.text.length) return null;
  return { start, end };
}

/**
 * True when a term's ends are word edges. For a Korean term one is enough, because words are built from stems, unless
 * it misses only the first syllable.
 */
export function standsAsWord(material: Edged, { start, end }: Span): boolean {
  const [first, last] = [startsWord(material, start), endsWord(material, end)];
  if (!hangul.test(material.text.slice(start, end))) return first && last;
  return first || (last && !startsWord(material, start - 1));
}

/** The place where a term stands as a word, nearest to `near`; null if there is none. */
export function findWord(material: Edged, term: string, near = 0): Span | null {
  const places = listPlaces(material.text, term).filter((place) => standsAsWord(material, place));
  return places.toSorted((a, b) => Math.abs(a.start - near) - Math.abs(b.start - near))[0] ?? null;
}

/** Lower case, without spaces and punctuation; keeps the particle. */
export function toPlainForm(term: string): string {
  return term
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** A term for comparison (sentiment spec §4): plain, without its particle. */
export function toNormalForm(term: string, particles: readonly string[]): string {
  const plain = toPlainForm(term);
  const own = particles.filter((ending) => plain.length > ending.length && plain.endsWith(ending));
  const particle = own.toSorted((a, b) => b.length - a.length)[0];
  return particle === undefined ? plain : plain.slice(0, -particle.length);
}

/** True for words that say something of the aspect besides its name. */
export function saysMore(words: string, aspect: string): boolean {
  return toPlainForm(words.replace(aspect, "")).length >= 2;
}

type Unfit = "evidence_is_an_order" | "evidence_of_another_aspect" | "evidence_says_otherwise";

/**
 * Judges a quote as evidence for an aspect (sentiment spec §4): it gives no orders, lies in a clause of the aspect,
 * and the witness does not read that clause as the opposite.
 */
export function findUnfit(
  material: Material,
  quote: string,
  about: { aspect: string; others: readonly string[]; polarity: string | null },
): Unfit | null {
  const { text, clauses, orders, witness } = material;
  const place = findTerm(text, quote, listPlaces(text, about.aspect)[0]?.start ?? 0);
  if (place === null) return null;
  if (orders.some((order) => overlaps(order, place))) return "evidence_is_an_order";
  const quoted = clauses.filter((clause) => overlaps(clause, place));
  const own = quoted.filter((clause) => !isOfAnother(material, clause, about));
  if (quoted.length > 0 && own.length === 0) return "evidence_of_another_aspect";
  const lies = (one: Span, spans: readonly Span[]) => spans.some((span) => overlaps(one, span));
  const heard = witness.opinions.filter((one) => quoted.length === 0 || lies(one, own));
  const said = heard.filter((one) => overlaps(one, place));
  const opposite = about.polarity === "positive" ? "negative" : about.polarity === "negative" ? "positive" : null;
  const signs = (said.length > 0 ? said : heard).map((one) => one.polarity);
  const isReversed = opposite !== null && signs.length > 0 && signs.every((one) => one === opposite);
  return isReversed ? "evidence_says_otherwise" : null;
}

/** True for a clause that names only other aspects; one that names none goes with the clause before it. */
function isOfAnother(
  { text, clauses }: Material,
  clause: Span,
  { aspect, others }: { aspect: string; others: readonly string[] },
): boolean {
  const own = listPlaces(text, aspect);
  if (own.length === 0 && aspect !== "") return false;
  const foreign = others
    .filter((term) => term !== aspect)
    .flatMap((term) => listPlaces(text, term))
    .filter((span) => !own.some((one) => overlaps(one, span)));
  const names = (spans: readonly Span[], one: Span) => spans.some((span) => overlaps(span, one));
  for (let at = clauses.indexOf(clause); at >= 0; at -= 1) {
    const one = clauses[at] as Span;
    if (names(own, one)) return false;
    if (names(foreign, one)) return true;
    const before = clauses[at - 1];
    if (before === undefined || /[.!?\n]/.test(text.slice(before.start, one.start))) return false;
  }
  return false;
}

/** Sorts by place in the text; "" and terms outside the text come last, ties by name. */
export function sortByPlace<T>(text: string, items: readonly T[], termOf: (item: T) => string): T[] {
  const place = (term: string) => findTerm(text, term)?.start ?? Number.MAX_SAFE_INTEGER;
  return items
    .map((item) => ({ item, term: termOf(item), at: place(termOf(item)) }))
    .sort((a, b) => a.at - b.at || (a.term < b.term ? -1 : a.term > b.term ? 1 : 0))
    .map(({ item }) => item);
}
