/** Analyses English texts: tokens, clauses, noun phrases, opinion words with negation and degree, and their targets. */
import {
  type Attachment,
  buildStructure,
  findClause,
  type Nominee,
  type Opinion,
  type Range,
  type Structure,
  type Word,
} from "../reading/reading.ts";
import { findPhrase, findWordValue, isIdle, openVocabulary } from "./lexicon.ts";
import { type Token, tokenize } from "./token.ts";

type Phrase = Range & { head: number; clause: number; link: string; governed: boolean };
type Clause = Range & { verb: number };
type Analysis = { text: string; tokens: Token[]; clauses: Clause[]; phrases: Phrase[]; opinions: Opinion[] };

const contrast = /^(but|yet|although|though|while|whereas|however|except|despite|nevertheless|nonetheless)$/;
const hardMark = /^(;|:|\(|\)|\[|\]|--+|—|–|\.{2,}|…|[.!?]+|\*+)$/;
const joins = /^(and|or|so|because|since|when|if|which|who|that|as|until|unless|,)$/;
const speaker = /^(i|we|you|me|us|my|our|everyone|anyone|someone|people|friends?|husband|wife|family|kids|there)$/;

function analyse(text: string): Analysis {
  const tokens = tokenize(text);
  const clauses = splitClauses(tokens);
  const clauseOf = (at: number) => findClause(clauses, at);
  const opinions = findOpinions(text, tokens).map((opinion) => ({ ...opinion, clause: clauseOf(opinion.from) }));
  return { text, tokens, clauses, phrases: findPhrases(tokens, clauseOf), opinions };
}

const isVerb = (token: Token | undefined) => token?.pos === "VERB" || token?.pos === "AUX";
const isNoun = (token: Token | undefined) => token?.pos === "NOUN" || token?.pos === "PROPN";

function splitClauses(tokens: readonly Token[]): Clause[] {
  const clauses: Clause[] = [];
  let from = 0;
  let verb = -1;
  const close = (to: number) => {
    if (to > from) clauses.push({ from, to, verb });
    [from, verb] = [to, -1];
  };
  for (const [at, token] of tokens.entries()) {
    const isNew = at > 0 && tokens[at - 1]?.sentence !== token.sentence;
    const isStatement = joins.test(token.lower) && verb >= 0 && startsStatement(tokens, at + 1);
    if (isNew || hardMark.test(token.text) || contrast.test(token.lower) || isStatement) close(at);
    if (isVerb(token) && verb < 0 && tokens[at - 1]?.lower !== "to") verb = at;
  }
  close(tokens.length);
  return clauses;
}

function startsStatement(tokens: readonly Token[], from: number): boolean {
  let named = false;
  for (let at = from; at < Math.min(tokens.length, from + 9); at += 1) {
    const token = tokens[at] as Token;
    if (isVerb(token)) return named;
    if (isNoun(token) || token.pos === "PRON") named = true;
    else if (hardMark.test(token.text) || contrast.test(token.lower) || (named && joins.test(token.lower)))
      return false;
  }
  return false;
}

function findPhrases(tokens: readonly Token[], clauseOf: (at: number) => number): Phrase[] {
  const phrases: Phrase[] = [];
  let at = 0;
  while (at < tokens.length) {
    let to = at;
    /** A word after a noun that is not one starts another phrase: "the screen two days later". */
    while (isNoun(tokens[to]) || (/^(ADJ|NUM)$/.test(tokens[to]?.pos ?? "") && !(to > at && isNoun(tokens[to - 1]))))
      to += 1;
    while (to > at && !isNoun(tokens[to - 1])) to -= 1;
    if (to === at) {
      at += 1;
      continue;
    }
    let before = at - 1;
    while (/^(DET|PRON|ADV|ADJ)$/.test(tokens[before]?.pos ?? "")) before -= 1;
    const { pos: kind = "start", lower = "" } = tokens[before] ?? {};
    const governed = kind === "ADP";
    phrases.push({
      from: at,
      to,
      head: to - 1,
      clause: clauseOf(to - 1),
      link: governed ? lower : kind,
      governed,
    });
    at = to;
  }
  return phrases;
}

const negators =
  /^(not|n't|no|zero|never|none|nothing|nobody|nowhere|neither|nor|without|hardly|barely|scarcely|rarely|seldom|nt|cannot|(?:do|does|did|is|was|ca|wo|are|were|ai)nt)$/;
const barriers = /^([,;:.!?()]|but|however|although|though|because|while|which|who|if|when|how|--|—|…|\.\.+)$/;
const pseudo = /^(only|just|merely|simply|to|mind|wonder|doubt|matter|mention|least|sure|question)$/;

/** True if a negation precedes the token in the same part of the clause; "not only" and "no doubt" do not count. */
function isNegated(tokens: readonly Token[], index: number): boolean {
  for (let at = index - 1; at >= Math.max(0, index - 7); at -= 1) {
    const { lower } = tokens[at] as Token;
    if (negators.test(lower)) return !(/^(no|not|n't)$/.test(lower) && pseudo.test(tokens[at + 1]?.lower ?? ""));
    if (barriers.test(lower)) return false;
  }
  return false;
}

const wish =
  /\b(wish|wished|if only|(?:should|could|would|might) (?:not |n't |really )*(?:have|'ve)(?: been)?|(?:should|ought to|needs? to|could|would) (?:not |n't |really )*be)\b[^,]{0,25}$/;
const condition = /\b(if|unless|whether|in case)\b[^,]*$/;
const unreal = /(?:^| )(?:would|could|might|'d)(?: |$)/;

/** "If the camera were half as good, I would": a condition in the past tense of a sentence with "would". */
function isUnreal(tokens: readonly Token[], at: number): boolean {
  const own = tokens.filter(({ sentence }) => sentence === tokens[at]?.sentence);
  const from = own.findLastIndex(({ lower, index }) => lower === "if" && index < at);
  const length = own.slice(from + 1).findIndex(({ text }) => text === ",");
  const inside = own.slice(from + 1, length < 0 ? undefined : from + 1 + length);
  const isPast = inside.find(isVerb);
  const rest = own.filter((token) => !inside.includes(token)).map(({ lower }) => lower);
  return (
    from >= 0 &&
    isPast !== undefined &&
    isPast.lower !== isPast.lemma &&
    !isPast.lower.endsWith("s") &&
    unreal.test(rest.join(" "))
  );
}

function findOpinions(text: string, tokens: readonly Token[]): Opinion[] {
  const opinions: Opinion[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    const phrase = findPhrase(tokens, at);
    const base = phrase?.value ?? (isIdle(tokens, at) ? undefined : findWordValue(token));
    if (base === undefined) continue;
    const to = phrase?.end ?? at + 1;
    const negated = isNegated(tokens, at);
    const before = listBefore(tokens, at);
    const plain = !negated ? base : base > 0 ? -Math.min(2, 0.8 * base) : Math.min(1.2, -0.5 * base);
    const isWish = wish.test(before) || (condition.test(before) && isUnreal(tokens, at));
    const value = isWish ? -Math.min(1.5, plain) : plain;
    const { start } = token;
    const end = tokens[to - 1]?.end ?? start;
    const shape = { span: { start, end }, term: text.slice(start, end), from: at, to };
    opinions.push({ ...shape, value, base, clause: 0, negated });
    at = to - 1;
  }
  return opinions;
}

function listBefore(tokens: readonly Token[], index: number): string {
  const own = tokens
    .slice(Math.max(0, index - 12), index)
    .filter((token) => token.sentence === tokens[index]?.sentence);
  return `${own.map((token) => token.lower).join(" ")} `;
}

function attachOpinions({ tokens, clauses, phrases, opinions }: Analysis): Attachment[] {
  const named = phrases.filter(({ head }) => !speaker.test(tokens[head]?.lower ?? ""));
  return opinions.map((opinion): Attachment => {
    const tie = (via: string, targets: Phrase[]) => ({ opinion, targets, via });
    const own = named.filter((phrase) => phrase.clause === opinion.clause);
    const holder = own.find((phrase) => opinion.from >= phrase.from && opinion.to <= phrase.to);
    if (holder && opinion.to <= holder.head) return tie("modifier", [holder]);
    const verb = clauses[opinion.clause]?.verb ?? -1;
    const subjects = own.filter((phrase) => phrase.to <= opinion.from && phrase !== holder && !phrase.governed);
    const subject =
      verb >= 0 && opinion.from >= verb ? subjects.filter((phrase) => phrase.to <= verb) : subjects.slice(-1);
    return subject.length > 0 ? tie("predicate", subject) : tie("unattached", []);
  });
}

/** Every stretch of words that ends a noun phrase may be the aspect: which one is learnt. */
export function nominate(text: string): Nominee[] {
  const analysis = analyse(text);
  const { tokens, phrases, opinions } = analysis;
  const attachments = attachOpinions(analysis);
  const { groups, mentioned } = openVocabulary();
  const judges = (at: number) => opinions.some((one) => one.base !== 0 && one.from <= at && one.to > at);
  return phrases.flatMap((phrase): Nominee[] => {
    let last = phrase.head;
    /** "the noise is gone": a subject is the thing judged, even if it is an opinion word itself. */
    const isSubject = isVerb(tokens[phrase.to]) || (tokens[phrase.to]?.pos === "ADV" && isVerb(tokens[phrase.to + 1]));
    if (!isSubject) while (judges(last) && last > phrase.from && isNoun(tokens[last - 1])) last -= 1;
    const head = tokens[last] as Token;
    if ((judges(last) && !isSubject) || speaker.test(head.lower) || !/^\p{L}[\p{L}\p{N}.'’-]*$/u.test(head.text))
      return [];
    const pair = tokens.slice(Math.max(phrase.from, last - 1), last + 1).map((token) => token.lower);
    const group = groups.get(pair.join(" ")) ?? groups.get(head.lower) ?? groups.get(head.lemma);
    const after = tokens[last + 1];
    /** "btw everytime I call": a bare word before a pronoun names nothing. */
    const isBare =
      !/^(DET|PRON|ADJ|NUM)$/.test(tokens[phrase.from - 1]?.pos ?? "") &&
      !head.lower.endsWith("s") &&
      /^(PRON|DET)$/.test(after?.pos ?? "");
    if (group === undefined && (isBare || mentioned.has(head.lemma) || mentioned.has(head.lower))) return [];
    const via = attachments.find(({ targets }) => targets.includes(phrase))?.via;
    const shared = [
      "always",
      `head ${head.lemma}`,
      `ending ${head.lower.slice(-3)}`,
      `group ${group}`,
      `via ${via}`,
      `group ${group} via ${via}`,
      `link ${phrase.link}`,
      `link ${phrase.link} ${group}`,
      `pos ${head.pos}`,
      `judges ${judges(last)}`,
      `plural ${head.lower !== head.lemma}`,
      `after ${after?.lower}`,
      `after pos ${after?.pos}`,
      `phrases ${phrases.length}`,
    ];
    const why = group === undefined ? "the text judges it" : `a word for ${group}`;
    const starts = tokens.slice(phrase.from, last + 1).filter((token) => /^\p{L}/u.test(token.text) || token === head);
    return starts.map((first): Nominee => {
      const before = tokens[first.index - 1];
      const length = last - first.index;
      const names = [
        ...shared,
        `before pos ${before?.pos} ${group === undefined}`,
        `first ${first.lemma}`,
        `first ${length > 0} ${first.pos} ${judges(first.index)}`,
        `words ${length} of ${last - phrase.from}`,
        `before ${before?.lower}`,
        `before pos ${before?.pos}`,
        ...(first.index > phrase.from
          ? [`without ${before?.lemma}`, `without ${before?.pos} ${judges(first.index - 1)}`]
          : []),
      ];
      const span = { start: first.start, end: head.end };
      return { span, head: head.lemma, why, features: new Map(names.map((name) => [name, 1])) };
    });
  });
}

const kinds: Record<string, Word["kind"]> = {
  NOUN: "noun",
  PROPN: "noun",
  VERB: "verb",
  ADJ: "adjective",
  ADV: "adverb",
  NUM: "number",
};

export function readStructure(text: string): Structure {
  const analysis = analyse(text);
  const { groups } = openVocabulary();
  return buildStructure({
    ...analysis,
    attachments: attachOpinions(analysis),
    reach: "clause",
    read: ({ lemma, pos }) => ({ lemma, kind: kinds[pos] ?? "" }),
    groupOf(covered) {
      const pair = covered.slice(-2).map(({ lower }) => lower);
      const words = [...new Set(covered.flatMap(({ lower, lemma }) => [lower, lemma]))];
      return [pair.join(" "), ...words.slice(-2)].map((word) => groups.get(word)).find((one) => one !== undefined);
    },
  });
}
