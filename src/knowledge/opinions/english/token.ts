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
  const document = tagger.readDoc(breakRuns(text));
  const values = document.tokens().out();
  const tags = document.tokens().out(its.pos) as string[];
  const lemmas = document.tokens().out(its.lemma as typeof its.pos) as string[];
  const tokens: Token[] = [];
  let at = 0;
  for (const [position, value] of values.entries()) {
    const start = text.indexOf(value, at);
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
  return countSentences(tokens);
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
