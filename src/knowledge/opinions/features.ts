/** Features of an aspect for the learnt layer: the readings, nearby opinions, and the words around it. */
import { type Features, nameSign, type Place, type Reading, type Structure, type Word } from "./reading/reading.ts";

type Described = {
  structure: Structure;
  place: Place;
  near: Reading;
  scoped: Reading;
  whole: Reading;
  others: readonly Place[];
};

type Growing = Map<string, number>;

const reach = 4;

export function describeAspect(described: Described): Features {
  const { structure, place } = described;
  const features: Growing = new Map([["always", 1]]);
  const { words } = structure;
  addReadings(features, described);
  addSequences(features, described, words);
  addWindow(features, words, place);
  const clause = words.filter(
    ({ clause: own, index }) => own === place.clause && (index < place.from || index >= place.to),
  );
  addBag(features, clause);
  if (structure.reach === "text") addLetters(features, structure, place);
  return features;
}

function addReadings(features: Growing, { structure, near, scoped, whole, others }: Described): void {
  const say = ({ polarity }: Reading) => polarity ?? "none";
  const alone = others.length === 0 ? "alone" : "with others";
  const good = structure.opinions.some((opinion) => opinion.value > 0);
  const bad = structure.opinions.some((opinion) => opinion.value < 0);
  const signs = good && bad ? "mixed" : good ? "positive" : bad ? "negative" : "none";
  const names = [
    `near ${say(near)}`,
    `scoped ${say(scoped)}`,
    `whole ${say(whole)}`,
    `scoped ${say(scoped)} by ${scoped.via}`,
    `readings ${say(near)} ${say(scoped)} ${say(whole)}`,
    `scoped ${say(scoped)} of ${signs} ${alone}`,
  ];
  for (const name of names) features.set(name, 1);
}

function addSequences(features: Growing, { structure, place, others }: Described, words: readonly Word[]): void {
  const holds = ({ from, to }: { from: number; to: number }, at: number) => from <= at && at < to;
  const symbolAt = (at: number) => {
    if (others.some((other) => holds(other, at))) return "aspect";
    const opinion = structure.opinions.find((one) => holds(one, at));
    if (opinion) return nameSign(opinion.value, 0.3) ?? "neutral";
    const word = words[at];
    return word === undefined ? "end" : word.kind === "" ? word.lemma : word.kind;
  };
  for (const [side, first, step] of [
    ["right", place.to, 1],
    ["left", place.from - 1, -1],
  ] as const) {
    let shape: string = side;
    let last = "";
    for (let at = first, length = 0; length <= reach && at >= -1 && at <= words.length; at += step) {
      const symbol = symbolAt(at);
      if (symbol === "aspect" && last === "aspect") continue;
      [shape, last] = [`${shape} ${symbol}`, symbol];
      length += 1;
      features.set(shape, 0.6);
    }
  }
}

function addWindow(features: Growing, words: readonly Word[], place: Place): void {
  features.set(`group ${place.group}`, 0.5);
  for (const word of words.slice(place.from, place.to)) features.set(`aspect ${word.lemma}`, 0.5);
  for (let step = 1; step <= reach; step += 1) {
    const before = words[place.from - step]?.lemma ?? "-";
    const after = words[place.to - 1 + step]?.lemma ?? "-";
    features.set(`before ${step} ${before}`, 0.5);
    features.set(`after ${step} ${after}`, 0.5);
    for (const lemma of [before, after])
      features.set(`around ${lemma}`, Math.max(features.get(`around ${lemma}`) ?? 0, 1 / (1 + 0.3 * step)));
  }
}

/** Words and pairs of neighbours, normalised so that long clauses do not weigh more. */
function addBag(features: Growing, words: readonly Word[]): void {
  const names = new Set<string>();
  for (const [at, { lemma }] of words.entries()) {
    names.add(`clause ${lemma}`);
    const next = words[at + 1];
    if (next !== undefined) names.add(`clause ${lemma} ${next.lemma}`);
  }
  for (const name of names) features.set(name, 2 / Math.sqrt(Math.max(4, names.size)));
}

/** Character n-grams of two to four, for languages that build words from endings: of the aspect's clause, and around it. */
function addLetters(features: Growing, { text, clauses }: Structure, { span, clause }: Place): void {
  const own = clauses[clause] ?? { start: 0, end: text.length };
  const stretches = [
    [
      "letters",
      text.slice(Math.max(own.start, span.start - 240), Math.min(Math.max(own.end, span.end), span.end + 240)),
    ],
    [
      "letters elsewhere",
      `${text.slice(Math.max(0, span.start - 240), own.start)} ${text.slice(own.end, span.end + 240)}`,
    ],
    ["letters before", text.slice(Math.max(0, span.start - 10), span.start)],
    ["letters after", text.slice(span.end, span.end + 16)],
  ] as const;
  for (const [kind, stretch] of stretches) {
    const plain = stretch.toLowerCase().replace(/\s+/g, " ");
    const names = new Set<string>();
    for (let size = 2; size <= 4; size += 1)
      for (let at = 0; at + size <= plain.length; at += 1) names.add(`${kind} ${plain.slice(at, at + size)}`);
    for (const name of names) features.set(name, 2 / Math.sqrt(Math.max(8, names.size)));
  }
}
