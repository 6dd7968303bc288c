import { createRequire } from "node:module";
import { extname } from "node:path";
import type { Model, WinkMethods } from "wink-nlp";
import { remember } from "../../../text/search.ts";
import { breakRuns } from "../../../text/split-text.ts";

/** A word or mark of the text; `start` and `end` are UTF-16 indices. */
export type Token = {
  index: number;
  text: string;
  lower: string;
  lemma: string;
  pos: string;
  start: number;
  end: number;
  sentence: number;
};

let tagger: WinkMethods | undefined;

function loadTagger(): WinkMethods {
  const require = createRequire(import.meta.url);
  const ownEnding = extname(new URL(import.meta.url).pathname);
  const { default: startTagger } = require(`./tagger${ownEnding}`) as typeof import("./tagger.ts");
  return startTagger(require("wink-eng-lite-web-model") as Model, ["sbd", "pos"]);
}

export function tokenize(text: string): Token[] {
  return tagged(text).map((token) => ({ ...token }));
}

const tagged = remember(64, tagText);

function tagText(text: string): Token[] {
  tagger ??= loadTagger();
  const { its } = tagger;
  const plainText = text.replace(sentenceStart, (found) => found.toLowerCase());
  const document = tagger.readDoc(breakRuns(plainText));
  const values = document.tokens().out();
  const tags = document.tokens().out(its.pos) as string[];
  const lemmas = document.tokens().out(its.lemma as typeof its.pos) as string[];
  const tokens: Token[] = [];
  let at = 0;
  for (const [position, value] of values.entries()) {
    const start = plainText.indexOf(value, at);
    if (start < 0) continue;
    at = start + value.length;
    const raw = text.slice(start, at);
    const plain = raw.toLowerCase().replaceAll("’", "'");
    const lower = plain === "'t" ? "n't" : plain;
    tokens.push({
      index: tokens.length,
      text: raw,
      lower,
      lemma: (lemmas[position] ?? plain).toLowerCase(),
      pos: tags[position] ?? "X",
      start,
      end: at,
      sentence: 0,
    });
  }
  return countSentences(mendTags(joinParticles(tokens)));
}

/** A capital at the start of a sentence makes the tagger see names ("Great lectures"). */
const sentenceStart = /(?<=^|[.!?]\s+)[A-Z](?=[a-z]+\s)/g;

/** "check-in" is one noun. */
function joinParticles(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const [first, dash] = joined.slice(-2);
    const isGlued = dash?.text === "-" && first?.end === dash.start && dash.end === token.start;
    if (!isGlued || token.pos !== "ADP" || !first || !/^(NOUN|VERB|PROPN)$/.test(first.pos)) joined.push(token);
    else {
      const lower = `${first.lower}-${token.lower}`;
      joined.splice(-2, 2, { ...first, text: `${first.text}-${token.text}`, lower, lemma: lower, end: token.end });
    }
  }
  return joined.map((token, index) => ({ ...token, index }));
}

const determiner = /^(the|a|an|this|that|these|those|my|your|his|her|its|our|their)$/;

/** Corrects nouns and verbs that the tagger confuses, by the words beside them. */
function mendTags(tokens: Token[]): Token[] {
  const posAt = (at: number) => tokens[at]?.pos ?? "";
  for (const [at, token] of tokens.entries()) {
    const [before, after] = [posAt(at - 1), posAt(at + 1)];
    const isHead = /^(AUX|VERB)$/.test(after) || (token.pos === "VERB" && /^(PUNCT|CCONJ|)$/.test(after));
    let start = at;
    while (start > 0 && /^(ADJ|ADV|NUM)$/.test(posAt(start - 1))) start -= 1;
    const isIntroduced = determiner.test(tokens[start - 1]?.lower ?? "");
    /**
     * "The lectures are", "the new remote is", "great lectures;": a phrase opened by a determiner or adjective ends in
     * a noun.
     */
    if (/^(VERB|ADJ|NUM)$/.test(token.pos) && isHead && (isIntroduced || (token.pos === "VERB" && before === "ADJ")))
      token.pos = "NOUN";
    /** "the sleeves fit like", "the refill costs more": of two nouns that differ in number, the second is the verb. */
    const isNumbered = token.lower.endsWith("s") !== (tokens[at - 1]?.lower.endsWith("s") ?? false);
    const isPredicate = /^(ADV|ADJ|DET|PRON|NUM)$/.test(after) || /^(like|than|as)$/.test(tokens[at + 1]?.lower ?? "");
    if (token.pos === "NOUN" && before === "NOUN" && posAt(at - 2) !== "NOUN" && isNumbered && isPredicate)
      token.pos = "VERB";
  }
  return tokens;
}

function countSentences(tokens: Token[]): Token[] {
  let sentence = 0;
  for (const [index, token] of tokens.entries()) {
    token.sentence = sentence;
    const next = tokens[index + 1];
    if (/^([.!?]+|\.{2,}|…)$/.test(token.text) && next && !/^[.!?)\]"'”]/.test(next.text)) sentence += 1;
  }
  return tokens;
}
