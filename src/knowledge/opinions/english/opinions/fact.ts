import type { Token } from "../words/token.ts";
import { companyWords, toWordSet } from "../words/word-classes.ts";

const abilities = toWordSet("play read support allow let enable recognize handle include");
const idleVerbs = toWordSet(
  "be do say think know want mean believe eat drink order expect need matter mind remember understand realize hesitate",
);

/** Something that does not do what it should, or the lack of a thing, told as a fact: "would not close", "there was no soap". */
export function findFact(tokens: readonly Token[], at: number): { base: number; to: number } | undefined {
  const token = tokens[at] as Token;
  if (/^(not|n't|never|cannot)$/.test(token.lower)) return findNegatedDeed(tokens, at);
  if (/^(wait|take)$/.test(token.lemma)) return findLongTime(tokens, at);
  if (token.lower === "no" && tokens[at + 1] !== undefined) return findAbsence(tokens, at);
  if (token.pos === "VERB" && abilities.has(token.lemma)) return { base: 0.5, to: at + 1 };
  return undefined;
}

/** "waited 40 minutes", "took over an hour": a time that is told is a time that was too long. */
function findLongTime(tokens: readonly Token[], at: number): { base: number; to: number } | undefined {
  for (let next = at + 1; next <= Math.min(at + 6, tokens.length - 1); next += 1) {
    const { lower } = tokens[next] as Token;
    if (/^(minutes?|mins?|hours?|hrs?|weeks?|months?|forever|ages)$/.test(lower)) return { base: -1.5, to: at + 1 };
  }
  return undefined;
}

function findNegatedDeed(tokens: readonly Token[], at: number): { base: number; to: number } | undefined {
  let verb = at + 1;
  while (tokens[verb]?.pos === "ADV") verb += 1;
  const deed = tokens[verb];
  if (deed?.pos !== "VERB") return undefined;
  const modal = tokens[at - 1];
  const able = modal !== undefined && /^(can|could|ca)$/.test(modal.lower);
  if (isCompany(tokens, at) ? !able : idleVerbs.has(deed.lemma) && !able) return undefined;
  return { base: -1, to: verb + 1 };
}

function findAbsence(tokens: readonly Token[], at: number): { base: number; to: number } | undefined {
  const before = tokens[at - 1];
  const has =
    before === undefined ||
    before.pos === "PUNCT" ||
    /^(be|have)$/.test(before.lemma) ||
    /^(but|and|with)$/.test(before.lower);
  return has ? { base: -1, to: at + 1 } : undefined;
}

/** True when the speaker or the company is the nearest subject. */
function isCompany(tokens: readonly Token[], at: number): boolean {
  for (let back = at - 1; back >= Math.max(0, at - 5); back -= 1) {
    const token = tokens[back] as Token;
    if (/^(PRON|NOUN|PROPN)$/.test(token.pos)) return companyWords.has(token.lower);
  }
  return false;
}
