import { isKorean, listTerms, remember, splitWords, termOf } from "../../../text/search.ts";
import { splitText } from "../../../text/split-text.ts";
import { isSameValue, readValues } from "../../../text/values.ts";
import { choicesOf, type Question } from "../schemas/case.ts";
import type { Material, Passage, Quote } from "../schemas/debate.ts";
import { answerWords } from "./words.ts";

/** A checked quote; `supported` ones are widened to whole sentences, under their true source. */
export type CheckedQuote = { status: "supported" | "misattributed" | Flaw; quote: Quote; why: string };
type Flaw = "stitched" | "invented" | "too_short" | "off_point" | "denied" | "withdrawn" | "order";

export type QuoteContext = { question: Question; material: Material; found: readonly Passage[] };

/**
 * Checks a quote: its words must occur in the shown text, in order and in one place. It is widened to its sentences,
 * which must bear on the answer, not deny it, not be withdrawn by what follows, and give no orders (question spec
 * §4.2).
 */
export function checkQuote(given: Quote, answer: string | null, context: QuoteContext): CheckedQuote {
  const fragments = splitFragments(given.quote);
  const name = `"${given.quote}"`;
  if (fragments.join("").replaceAll(/[^\p{L}\p{N}]/gu, "").length < 4)
    return { status: "too_short", quote: given, why: `${name} is too short to be a quote; quote the sentence` };
  const shown = [...context.material.passages, ...context.found];
  const place = findPlace(fragments, shown, given.source);
  if (!place) return { ...explainMissing(given, fragments, shown, context.material), quote: given };
  const quote = { source: place.source, quote: place.text };
  const flaw = answer === null ? null : findFlaw(quote, answer, place.next, context);
  if (flaw) return { ...flaw, quote };
  if (place.source === given.source) return { status: "supported", quote, why: "" };
  return { status: "misattributed", quote, why: `${name} is in "${place.source}", not in "${given.source}"` };
}

/** The fault of a quote that occurs where it is cited; null if there is none. */
function findFlaw(
  { source, quote: text }: Quote,
  answer: string,
  next: string,
  { question, material }: QuoteContext,
): Pick<CheckedQuote, "status" | "why"> | null {
  if (material.orders.some((order) => order.source === source && text.includes(order.quote)))
    return { status: "order", why: `"${text}" tells its reader what to answer; that is not evidence` };
  const said = wordAnswer(answer, question);
  if (!bearsOn(text, said, question))
    return { status: "off_point", why: `"${text}" has nothing to do with "${answer}"` };
  if (isDenied(text, said)) return { status: "denied", why: `"${text}" denies "${answer}"` };
  if (answerWords.withdrawn.test(next) && !answerWords.withdrawn.test(said))
    return { status: "withdrawn", why: `"${text}" is withdrawn by what follows it: "${next}"` };
  return null;
}

function wordAnswer(answer: string, { choices }: Question): string {
  const choice = choicesOf(choices).find(({ key }) => key.toLowerCase() === answer.trim().toLowerCase());
  return choice ? choice.text : answer;
}

function bearsOn(text: string, answer: string, { question }: Question): boolean {
  const own = listTerms(answer);
  const asked = new Set(listTerms(question));
  const terms = listTerms(text);
  const shares = (wanted: Iterable<string>): boolean =>
    [...wanted].some((term) => terms.some((one) => isAlike(one, term)));
  const values = readValues(answer).values;
  const inText = readValues(text).values.map((value) => ({ ...value, bound: null }));
  if (values.some((value) => inText.some((one) => isSameValue(one, { ...value, bound: null })))) return true;
  const news = own.filter((term) => !asked.has(term));
  if (shares(news)) return true;
  const isShort = (values.length > 0 || news.length > 0) && own.length <= 4;
  return isOtherScript(text, answer) || (!isShort && shares([...asked, ...own]));
}

export function isOtherScript(a: string, b: string): boolean {
  return isKorean(a) !== isKorean(b);
}

function isAlike(a: string, b: string): boolean {
  return a === b || (a.length > 5 && b.length > 5 && a.slice(0, 5) === b.slice(0, 5));
}

/** The reach of a negation within its clause, in words. */
const denialReach = 4;

/** True when every word of the answer that occurs in the quote is negated in its clause: "and not frost", "nobody blamed the frost". */
export function isDenied(text: string, answer: string): boolean {
  const wanted = new Set(listTerms(answer));
  const isDenial = (word: string): boolean => answerWords.denials.has(word);
  if (wanted.size === 0 || wanted.size > 4 || splitWords(answer).some(isDenial)) return false;
  const clauses = text.replaceAll(/n['’]t\b/g, " not").split(/[,;:.!?]|(?<![\p{L}])(?:but|and|tetapi|dan)(?![\p{L}])/u);
  const found = clauses.flatMap((clause) => {
    const words = splitWords(clause);
    const places = words.flatMap((word, index) => (wanted.has(termOf(word) ?? "") ? [index] : []));
    return places.map((place) => words.slice(Math.max(0, place - denialReach), place).some(isDenial));
  });
  return found.length > 0 && found.every(Boolean);
}

type Place = { source: string; text: string; next: string };

const cut = /\s*(?:\[?(?:…|\.{3,})\]?)\s*/;

function splitFragments(quote: string): string[] {
  return quote
    .split(cut)
    .map((fragment) => plain(fragment).replaceAll(/^(?:(?:[-•+]|\(?\d{1,3}[.)])\s+|["'])|["']$/g, ""))
    .filter((fragment) => fragment !== "");
}

function findPlace(fragments: string[], shown: Passage[], source: string): Place | null {
  const ordered = shown.toSorted((a, b) => Number(b.source === source) - Number(a.source === source));
  for (const passage of ordered) {
    const pieces = piecesOf(passage.text);
    const texts = pieces.map(({ text }) => `${plain(text)} `);
    let end = 0;
    const spans = fragments.map((fragment) => {
      const at = texts.join("").indexOf(fragment, end);
      end = at < 0 ? Infinity : at + fragment.length;
      return { at, end };
    });
    if (end === Infinity) continue;
    let done = 0;
    const hits = texts.flatMap((text, index) => {
      const from = done;
      done += text.length;
      return spans.some((span) => from < span.end && done > span.at) ? [index] : [];
    });
    const next = pieces[(hits.at(-1) ?? 0) + 1];
    return {
      source: passage.source,
      text: hits.map((at) => pieces[at]?.text).join(" … "),
      next: next && next.kind !== "heading" ? next.text : "",
    };
  }
  return null;
}

const piecesOf = remember(200, splitText);

function explainMissing(
  { source, quote }: Quote,
  fragments: string[],
  shown: Passage[],
  { files }: Material,
): Pick<CheckedQuote, "status" | "why"> {
  const texts = shown.map(({ text }) => plain(text));
  const sentences = fragments
    .flatMap((fragment) => fragment.split(/(?<=[.!?;:,])\s/))
    .filter((part) => part.length > 3);
  if (sentences.length > 1 && sentences.every((part) => texts.some((text) => text.includes(part))))
    return { status: "stitched", why: `"${quote}" is joined from several places; quote each one separately` };
  const isKnown = files.some((file) => file.source === source);
  const why = isKnown ? `nothing that was shown of "${source}" says "${quote}"` : `there is no document "${source}"`;
  return { status: "invented", why };
}

function plain(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[‘’‚]/g, "'")
    .replaceAll(/[–—−]/g, "-")
    .replaceAll(/[*_`|#>]+/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase();
}
