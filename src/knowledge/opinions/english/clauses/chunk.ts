import type { Token } from "../words/token.ts";

export type ChunkKind =
  | "noun"
  | "verb"
  | "adjective"
  | "adverb"
  | "preposition"
  | "conjunction"
  | "mark"
  | "subordinator"
  | "relative";

/** A run of tokens that works as one unit; `to` is exclusive, `head` is the token that stands for it. */
export type Chunk = { kind: ChunkKind; from: number; to: number; head: number };

const relatives = new Set(["which", "who", "whom", "whose", "where", "that"]);
const contrasts = new Set([
  "but",
  "yet",
  "although",
  "though",
  "while",
  "whereas",
  "however",
  "except",
  "despite",
  "nevertheless",
  "nonetheless",
]);
const subordinators = new Set([
  "because",
  "since",
  "when",
  "whenever",
  "if",
  "unless",
  "until",
  "as",
  "so",
  "whether",
  "once",
  "cause",
  "cuz",
]);

/** Cuts tagged tokens into noun, verb, adjective and other chunks (a finite-state shallow parse). */
export function chunkTokens(tokens: readonly Token[]): Chunk[] {
  const chunks: Chunk[] = [];
  let at = 0;
  while (at < tokens.length) {
    const chunk =
      nounChunk(tokens, at) ?? verbChunk(tokens, at) ?? describing(tokens, at) ?? single(tokens, at, chunks);
    chunks.push(chunk);
    at = chunk.to;
  }
  return chunks;
}

const isNoun = (token: Token | undefined) => token?.pos === "NOUN" || token?.pos === "PROPN";
const isDeterminer = (token: Token | undefined) =>
  token?.pos === "DET" || (token?.pos === "PRON" && /^(my|our|your|his|her|its|their|thier|ur)$/.test(token.lower));
const isParticiple = (token: Token | undefined) => token?.pos === "VERB" && /(ed|en|ing|t|n)$/.test(token.lower);
const joins = (token: Token | undefined) =>
  token !== undefined && (token.lower === "-" || token.lower === "/" || token.lower === "'s" || token.lower === "&");

function nounChunk(tokens: readonly Token[], from: number): Chunk | undefined {
  let at = from;
  const first = tokens[at];
  if (!first || measureEnd(tokens, from) > from) return undefined;
  if (first.pos === "PRON" && !isDeterminer(first) && !relatives.has(first.lower))
    return { kind: "noun", from, to: from + 1, head: from };
  if (/^(all|both|such|half|what)$/.test(first.lower) && isDeterminer(tokens[at + 1])) at += 1;
  const determined = isDeterminer(tokens[at]);
  if (determined) at += 1;
  const end = nominal(tokens, at, determined);
  if (end === undefined)
    return determined && first.pos === "DET" && !relatives.has(first.lower)
      ? { kind: "noun", from, to: at, head: at - 1 }
      : undefined;
  return { kind: "noun", from, to: end, head: end - 1 };
}

/** The end of modifiers plus nouns from `from`, or undefined when no noun closes them. */
function nominal(tokens: readonly Token[], from: number, determined: boolean): number | undefined {
  let at = from;
  let end: number | undefined;
  while (at < tokens.length) {
    const token = tokens[at];
    const next = tokens[at + 1];
    if (isNoun(token)) {
      at += 1;
      end = at;
    } else if (
      end !== undefined &&
      joins(token) &&
      (isNoun(next) || next?.pos === "ADJ" || isParticiple(next)) &&
      touches(tokens, at)
    ) {
      at += 1;
    } else if (token?.pos === "ADJ" || token?.pos === "NUM" || (joins(token) && token?.lower === "-" && at > from)) {
      if (end !== undefined && token.pos === "ADJ" && tokens[at - 1]?.lower !== "-") break;
      at += 1;
    } else if (
      token?.pos === "ADV" &&
      end === undefined &&
      (next?.pos === "ADJ" ||
        (next?.pos === "ADV" && determined) ||
        (isParticiple(next) && determined) ||
        (next?.lower === "-" && determined))
    ) {
      at += 1;
    } else if (
      isParticiple(token) &&
      (determined || (end === undefined && at > from)) &&
      (isNoun(next) || next?.pos === "ADJ")
    ) {
      at += 1;
    } else if (
      end === undefined &&
      at > from &&
      (token?.lower === "," || token?.lower === "and") &&
      tokens[at - 1]?.pos === "ADJ" &&
      next?.pos === "ADJ" &&
      closesWithNoun(tokens, at + 1)
    ) {
      at += 1;
    } else break;
  }
  return end;
}

/** "battery-life", "lobster/mango": a joint stands close to the word before it. */
function touches(tokens: readonly Token[], at: number): boolean {
  const gap = (tokens[at]?.start ?? 0) - (tokens[at - 1]?.end ?? 0);
  return gap === 0 || tokens[at]?.lower === "&" || tokens[at]?.lower === "'s";
}

function closesWithNoun(tokens: readonly Token[], from: number): boolean {
  let at = from;
  while (tokens[at]?.pos === "ADJ" || tokens[at]?.pos === "ADV") at += 1;
  return isNoun(tokens[at]);
}

function verbChunk(tokens: readonly Token[], from: number): Chunk | undefined {
  let at = from;
  let head: number | undefined;
  while (at < tokens.length) {
    const token = tokens[at];
    if (token?.pos === "VERB" || token?.pos === "AUX") {
      if (token.pos === "AUX" && head !== undefined && tokens[head]?.pos === "VERB") break;
      head = at;
      at += 1;
    } else if (token?.pos === "PART" && token.lower !== "'s") at += 1;
    else if (token?.pos === "ADV" && verbAhead(tokens, at)) at += 1;
    else break;
  }
  return head === undefined ? undefined : { kind: "verb", from, to: head + 1, head };
}

function verbAhead(tokens: readonly Token[], from: number): boolean {
  let at = from;
  while (tokens[at]?.pos === "ADV" || (tokens[at]?.pos === "PART" && tokens[at]?.lower !== "'s")) at += 1;
  return tokens[at]?.pos === "VERB" || tokens[at]?.pos === "AUX";
}

/** "a bit slow", "a tad small": a measure before an adjective is a degree, not a thing. */
function measureEnd(tokens: readonly Token[], from: number): number {
  const measured = tokens[from]?.lower === "a" && /^(bit|tad|little|touch|lot)$/.test(tokens[from + 1]?.lower ?? "");
  return measured && (tokens[from + 2]?.pos === "ADJ" || tokens[from + 2]?.pos === "ADV") ? from + 2 : from;
}

function describing(tokens: readonly Token[], from: number): Chunk | undefined {
  let at = measureEnd(tokens, from);
  let adjective: number | undefined;
  while (at < tokens.length) {
    const token = tokens[at];
    if (token?.pos === "ADJ") adjective = at;
    else if (token?.pos !== "ADV" || contrasts.has(token.lower) || subordinators.has(token.lower)) break;
    at += 1;
  }
  if (at === from) return undefined;
  return { kind: adjective === undefined ? "adverb" : "adjective", from, to: at, head: adjective ?? at - 1 };
}

function single(tokens: readonly Token[], at: number, before: readonly Chunk[]): Chunk {
  const token = tokens[at] as Token;
  return { kind: singleKind(token, before.at(-1)), from: at, to: at + 1, head: at };
}

function singleKind(token: Token, before: Chunk | undefined): ChunkKind {
  if (contrasts.has(token.lower) || token.pos === "CCONJ") return "conjunction";
  if (relatives.has(token.lower))
    return before?.kind === "noun" || before?.kind === "mark" ? "relative" : "subordinator";
  if (token.pos === "SCONJ" || (subordinators.has(token.lower) && token.pos !== "ADP")) return "subordinator";
  if (token.pos === "ADP" || token.pos === "PART") return "preposition";
  if (token.pos === "PUNCT" || token.pos === "SYM") return "mark";
  return "adverb";
}
