import type { Token } from "./token.ts";

/** A word with its neighbours. */
type Place = { token: Token; tokens: readonly Token[]; before: Token | undefined };

/** Where reviews mislead the tagger: what a word is really, with a sentence in which it is. */
export type Repair = { tag: string; word: string; example: string; applies(place: Place): boolean };

/** The first that applies counts. Each was kept because a score of `npm run bench:sentiment` is lower without it. */
export const repairs: Repair[] = [
  { tag: "VERB", word: "close", example: "The lid would not close.", applies: followsWould },
  {
    tag: "VERB",
    word: "like",
    example: "I like the soup.",
    applies: ({ token, before }) => token.lower === "like" && /^(PRON|PART)$/.test(before?.pos ?? ""),
  },
  {
    tag: "VERB",
    word: "like",
    example: "The kids do like it.",
    applies: ({ token, before }) => token.lower === "like" && before?.lemma === "do",
  },
  {
    tag: "VERB",
    word: "like",
    example: "The kids really like it.",
    applies: ({ token, before }) =>
      token.lower === "like" && before?.pos === "ADV" && !/^(just|exactly)$/.test(before.lower),
  },
  {
    tag: "ADP",
    word: "like",
    example: "It looks just like a radio.",
    applies: ({ token }) => token.lower === "like",
  },
];

/** The same for words that evaluate: a judgement after "is" is an adjective. */
export const opinionRepairs: Repair[] = [
  {
    tag: "ADJ",
    word: "garbage",
    example: "The case is garbage.",
    applies: ({ token, before }) => token.pos === "NOUN" && before?.pos === "AUX" && before.lemma === "be",
  },
];

/** Corrects the tagger where reviews systematically mislead it. */
export function repairTags(tokens: Token[], isOpinion: (token: Token) => boolean): Token[] {
  for (const token of tokens) {
    if (!/^\p{L}/u.test(token.text)) continue;
    const place = { token, tokens, before: tokens[token.index - 1] };
    const repair = repairs.find((one) => one.applies(place));
    const opinion = repair ? undefined : opinionRepairs.find((one) => one.applies(place));
    if (repair) token.pos = repair.tag;
    else if (opinion && isOpinion(token)) token.pos = opinion.tag;
  }
  return tokens;
}

/** "would not close": what follows is a verb. */
function followsWould({ token, tokens, before }: Place): boolean {
  const modal = before?.pos === "PART" ? tokens[token.index - 2] : before;
  return token.pos === "ADJ" && modal?.lower === "would" && modal.pos === "AUX";
}
