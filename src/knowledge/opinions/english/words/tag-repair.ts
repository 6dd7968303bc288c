import type { Token } from "./token.ts";
import { copulas, determiners, toWordSet } from "./word-classes.ts";

const degrees = toWordSet(
  `very so too really extremely quite pretty rather super incredibly more most not fairly absolutely totally always just
  somewhat insanely ridiculously`,
);
const nounsTaggedAsVerbs =
  /^(service|staff|taste|sound|look|wait|design|play|menu|atmosphere|price|finish|feel|view|drink|drinks|seating|setting|dining|ordering|shipping|packaging|pricing|lighting|waiter|bartender|smell|touch|display|charge|cook|cooks|host|bar|place|interface|keyboard|battery|screen|quality|value|burger|burgers|noodles|dumplings|fries|wings|ribs|shakes|sides|tables|appetizers|starters|decor|ambiance|ambience|crowd|software|hardware|speakers|camera|zoom|dessert|desserts|delivery|presentation|selection|location)$/;
/** Corrects the tagger where reviews systematically mislead it. */
export function repairTags(tokens: Token[], isOpinion: (token: Token) => boolean): Token[] {
  for (const token of tokens) {
    const before = tokens[token.index - 1];
    const after = tokens[token.index + 1];
    if (!/^\p{L}/u.test(token.text)) continue;
    if (determiners.has(token.lower) && token.pos !== "DET" && token.pos !== "PRON" && token.pos !== "SCONJ")
      token.pos = "DET";
    if (token.pos === "ADJ" && followsModal(tokens, token)) token.pos = "VERB";
    else if (token.lower === "like") token.pos = tagLike(before, after);
    else if (
      token.pos === "VERB" &&
      token.lower.endsWith("ing") &&
      /^(enough|no|more|any|some)$/.test(before?.lower ?? "")
    )
      token.pos = "NOUN";
    else if (token.pos === "VERB" && nounsTaggedAsVerbs.test(token.lower) && readsAsNoun(before, after))
      token.pos = "NOUN";
    else if (token.pos !== "ADJ" && token.pos !== "ADV" && isOpinion(token) && readsAsAdjective(token, before, after))
      token.pos = "ADJ";
  }
  return tokens;
}

/** "would not close", "can open": what follows a modal is a verb. */
function followsModal(tokens: readonly Token[], token: Token): boolean {
  const before = tokens[token.index - 1];
  const modal = before?.pos === "PART" ? tokens[token.index - 2] : before;
  return /^(would|will|can|could|ca|wo|does|did|do|must|may|might)$/.test(modal?.lower ?? "") && modal?.pos === "AUX";
}

function tagLike(before: Token | undefined, after: Token | undefined): string {
  if (!before) return after?.pos === "PRON" ? "VERB" : "ADP";
  if (copulas.has(before.lemma) || before.pos === "VERB") return before.lemma === "do" ? "VERB" : "ADP";
  if (before.pos === "PRON" || before.pos === "PART" || before.lemma === "would" || before.lemma === "do")
    return "VERB";
  if (before.pos === "ADV" && !["just", "more", "much", "exactly"].includes(before.lower)) return "VERB";
  return "ADP";
}

function readsAsNoun(before: Token | undefined, after: Token | undefined): boolean {
  const opens =
    !before ||
    ["DET", "ADJ", "PUNCT", "CCONJ", "NOUN", "PROPN", "ADP", "NUM"].includes(before.pos) ||
    determiners.has(before.lower);
  const follows = after !== undefined && (after.pos === "AUX" || copulas.has(after.lemma));
  return opens || follows;
}

function readsAsAdjective(token: Token, before: Token | undefined, after: Token | undefined): boolean {
  if (!before) return false;
  const afterCopula =
    before.pos === "AUX" &&
    before.lemma === "be" &&
    (token.pos === "NOUN" || token.pos === "INTJ" || token.pos === "ADP" || token.pos === "PROPN");
  const afterDegree =
    degrees.has(before.lower) && (token.pos === "NOUN" || token.pos === "INTJ" || token.pos === "VERB");
  const closes = !after || after.pos === "PUNCT" || after.pos === "CCONJ" || after.pos === "ADP";
  return (afterCopula || afterDegree) && closes;
}
