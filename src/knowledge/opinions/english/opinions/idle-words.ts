import { findWordValue, openLexicon } from "../words/lexicon.ts";
import type { Token } from "../words/token.ts";

const verbOnly = new Set(["like", "love", "hate", "enjoy", "mean", "lie", "lies", "treat", "cut"]);

/** True where a word of the lexicon evaluates nothing: "as well", "kind of", "I mean", "right next to", "hard drive". */
export function isIdle(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at] as Token;
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  const word = token.lower;
  if (!/^\p{L}/u.test(word)) return !openLexicon().words.has(word);
  const rule = rules[word];
  if (rule?.(before, after, token)) return true;
  if (
    token.pos === "PROPN" &&
    at > 0 &&
    /^[A-Z]/.test(token.text) &&
    (findWordValue(token) ?? 0) < 3 &&
    before?.pos === "PROPN"
  )
    return true;
  if (
    token.pos === "ADP" ||
    token.pos === "SCONJ" ||
    token.pos === "AUX" ||
    token.pos === "DET" ||
    token.pos === "PRON"
  )
    return word !== "worth" && word !== "fun";
  return verbOnly.has(word) && word === "like" && token.pos !== "VERB";
}

type Rule = (before: Token | undefined, after: Token | undefined, token: Token) => boolean;

const describes = (token: Token | undefined) =>
  token?.pos === "ADJ" || token?.pos === "ADV" || (token?.pos === "VERB" && token.lower.endsWith("ed"));

const rules: Record<string, Rule> = {
  well: (before, after) =>
    before?.lower === "as" ||
    before?.lower === "oh" ||
    before === undefined ||
    before.pos === "PUNCT" ||
    after?.lower === "as" ||
    after?.lower === "over",
  kind: (_before, after, token) =>
    after?.lower === "of" || after?.lower === "enough" || (token.pos === "NOUN" && after?.pos !== "PUNCT"),
  mean: (before) => before?.pos === "PRON" || before?.pos === "PART" || before?.pos === "AUX",
  means: () => true,
  pretty: (_before, after) => describes(after) || after?.lower === "much" || after?.pos === "VERB",
  super: (_before, after) => describes(after),
  fucking: (_before, after) => describes(after),
  right: (_before, after, token) =>
    token.pos !== "ADJ" ||
    /^(away|now|next|here|there|in|on|at|before|after|out|off|down|up|across|side|hand|corner|click)$/.test(
      after?.lower ?? "",
    ),
  hard: (_before, after, token) =>
    /^(drive|disk|disc|drives|disks|cover|case|shell|cider|rock|liquor|copy|boiled|working)$/.test(
      after?.lower ?? "",
    ) ||
    (token.pos === "ADV" && after?.lower !== "to"),
  free: (_before, after) => /^(to|from|of)$/.test(after?.lower ?? ""),
  fine: (_before, after) => /^(dining|print|tuning|wine|wines)$/.test(after?.lower ?? ""),
  fun: () => false,
  good: (before, after) =>
    after?.lower === "luck" || after?.lower === "bye" || (before?.lower === "for" && after?.pos === "PUNCT"),
  nice: (_before, after) => after?.lower === "try",
  cool: (before, after, token) => (token.pos === "VERB" && before?.lemma !== "be") || after?.lower === "down",
  fresh: (_before, after) => after?.lower === "out",
  special: (_before, _after, token) => token.pos === "NOUN",
  specials: () => true,
  standard: (_before, _after, token) => token.pos === "NOUN",
  average: (before, after) => after?.lower === "price" || after?.lower === "of" || before?.lower === "on",
  plus: (before) => before?.pos !== "DET" && before?.pos !== "ADJ",
  con: (before) => before?.pos !== "DET" && before?.pos !== "ADJ",
  pro: (before) => before?.pos !== "DET",
  minus: (before) => before?.pos !== "DET" && before?.pos !== "ADJ",
  light: (_before, _after, token) => token.pos !== "ADJ",
  hot: (_before, after) => /^(dog|dogs|spot|pot|sauce|keys?|tub|pockets?|chocolate)$/.test(after?.lower ?? ""),
  sweet: (_before, after) =>
    /^(potato|potatoes|tea|corn|bread|breads|basil|sausage|plantain|plantains)$/.test(after?.lower ?? ""),
  sour: (_before, after) => /^(cream|patch|mix)$/.test(after?.lower ?? ""),
  hang: (_before, after) => after?.lower === "out" || after?.lower === "around",
  hanging: (_before, after) => after?.lower === "out",
  break: (_before, after) => after?.lower === "in" || after?.lower === "the",
  late: (_before, after) => /^(night|nights|dinner|lunch|nite|night's)$/.test(after?.lower ?? ""),
  wrong: (before) => before?.lower === "go" || before?.lower === "went",
  short: (_before, after) => /^(ribs|rib|on|of|term)$/.test(after?.lower ?? ""),
  long: (before, after, token) =>
    token.pos === "ADV" ||
    after?.lower === "as" ||
    after?.lower === "island" ||
    before?.lower === "so" ||
    before?.lower === "as",
  little: (before, after) => before?.lower === "a" || describes(after) || after?.lower === "bit",
  high: (_before, after) => /^(school|end|street|chair|chairs|def|definition|speed|tech)$/.test(after?.lower ?? ""),
  low: (_before, after) => /^(carb|fat|key|end|cal)$/.test(after?.lower ?? ""),
  cold: (_before, after) => /^(cuts?|brew|stone|noodles?|sesame|appetizers?)$/.test(after?.lower ?? ""),
  dry: (_before, after) => /^(cleaning|cleaner|aged|rub|ice|martini|wine|sherry|vermouth)$/.test(after?.lower ?? ""),
  raw: (_before, after) =>
    /^(bar|fish|oysters?|tuna|food|materials?|images?|format|file|mode)$/.test(after?.lower ?? ""),
  fast: (_before, after) => after?.lower === "food" || after?.lower === "forward",
  slow: (_before, after) => after?.lower === "roasted" || after?.lower === "cooked",
  old: () => true,
  full: (_before, after) => after?.lower !== "flavored" && after?.lower !== "bodied",
  bar: () => true,
  miss: (before) => /^(n't|not|never)$/.test(before?.lower ?? ""),
  return: () => true,
  returned: () => true,
  thanks: (_before, after) => after?.lower === "to",
  hope: (_before, after) => after?.lower !== ".",
  crisp: () => false,
  tender: (_before, _after, token) => token.pos === "NOUN" || token.pos === "VERB",
  treat: (_before, _after, token) => token.pos === "VERB",
  rock: (_before, _after, token) => token.pos !== "VERB",
  fire: (_before, _after, token) => token.pos !== "ADJ",
  star: () => true,
  stars: () => true,
  hit: (before, _after, token) => token.pos === "VERB" || before?.pos !== "DET",
  win: (_before, _after, token) => token.pos === "VERB",
  sound: (_before, _after, token) => token.pos !== "ADJ",
  sounds: () => true,
  burn: (_before, _after, token) => token.pos === "VERB",
  noise: (_before, after) =>
    after?.lower === "reduction" ||
    after?.lower === "level" ||
    after?.lower === "cancelling" ||
    after?.lower === "canceling",
  smell: (_before, after, token) => token.pos === "VERB" || describes(after) || after?.pos === "AUX",
  concern: (before) => before?.lower === "only",
  worry: (_before, after) => after?.lower === "free",
  complex: (_before, _after, token) => token.pos === "NOUN",
  static: () => false,
  bug: () => false,
  please: () => true,
  surprise: (_before, _after, token) => token.pos !== "NOUN",
  order: () => true,
  dead: (_before, after) => after?.lower === "on" || after?.lower === "sea",
  die: (_before, after) => after?.lower === "for" || after?.lower === "hard",
};
