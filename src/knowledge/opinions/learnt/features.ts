import type { Place, Structure, Word } from "../reading/structure.ts";
import type { Features, Polarity, Reading } from "../reading/reading.ts";

/** What is known of an aspect before anything is learnt: its place, and what each reading says of it. */
export type Described = {
  structure: Structure;
  /** Null for the text as a whole, or a category of it. */
  place: Place | null;
  category: string | null;
  near: Reading;
  scoped: Reading;
  whole: Reading;
  /** True when no other aspect of the text is asked for. */
  alone: boolean;
};

type Growing = Map<string, number>;

/** How far, in words, the plain words around an aspect still count as near. */
const reach = 4;

/** How far, in words, the text around an aspect is looked at. */
const view = 60;

function cut(from: number, to: number, far: number): [number, number] {
  return [Math.max(0, from - far), to + far];
}

/** Describes an aspect by the readings of the program and by the words around it. */
export function describeAspect(described: Described): Features {
  const features: Growing = new Map();
  addReadings(features, described);
  if (described.category !== null) features.set(`category ${described.category.toLowerCase()}`, 1);
  addWords(features, described);
  if (described.structure.reach === "text") addLetters(features, described);
  return features;
}

/** The features that name the aspect's own words. */
export function listAspectFeatures(features: Features): string[] {
  return [...features.keys()].filter((name) => name.startsWith("aspect "));
}

function addReadings(features: Growing, described: Described): void {
  const { structure, place, near, scoped, whole } = described;
  const say = (reading: Reading) => reading.polarity ?? "none";
  features.set("always", 1);
  features.set(`near ${say(near)}`, 1);
  features.set(`scoped ${say(scoped)}`, 1);
  features.set(`scoped ${say(scoped)} by ${scoped.via}`, 1);
  features.set(`whole ${say(whole)}`, 1);
  features.set(`near ${say(near)}, scoped ${say(scoped)}`, 1);
  features.set(`near ${say(near)}, scoped ${say(scoped)}, whole ${say(whole)}`, 1);
  features.set(`${described.alone ? "alone" : "with others"}, scoped ${say(scoped)}, whole ${say(whole)}`, 1);
  features.set(`signs ${findSigns(structure)}`, 1);
  features.set(`scoped ${say(scoped)}, signs ${findSigns(structure)}`, 1);
  features.set("near value", clip(near.value));
  features.set("scoped value", clip(scoped.value));
  features.set("whole value", clip(whole.value));
  features.set(`lexicon ${findNearestWord(structure, place)}`, 1);
  if (scoped.opinions.some((opinion) => opinion.kind === "fact")) features.set(`fact ${say(scoped)}`, 1);
  if (scoped.opinions.some((opinion) => opinion.negated)) features.set(`negated ${say(scoped)}`, 1);
  if (place !== null) addNeighbours(features, structure, place);
  if (place?.setting) features.set("setting", 1);
  for (const { term, negated } of scoped.opinions)
    features.set(`opinion ${negated ? "not " : ""}${term.toLowerCase()}`, 1);
}

/** The nearest opinion on each side of the aspect: what it says, how far away it is, whether in the same clause. */
function addNeighbours(features: Growing, { opinions }: Structure, place: Place): void {
  const before = opinions.findLast((opinion) => opinion.to <= place.from);
  const after = opinions.find((opinion) => opinion.from >= place.to);
  const describe = (opinion: typeof after, gap: number) => {
    if (opinion === undefined) return "none";
    const far = gap <= 1 ? "beside" : gap <= 4 ? "near" : "far";
    return `${nameSign(opinion.valueFor(place.words))} ${far}${opinion.clause === place.clause ? " in the clause" : ""}`;
  };
  const left = describe(before, place.from - (before?.to ?? 0));
  const right = describe(after, (after?.from ?? 0) - place.to);
  features.set(`opinion before ${left}`, 1);
  features.set(`opinion after ${right}`, 1);
  features.set(`opinions ${left}, ${right}`, 1);
}

function nameSign(value: number): Polarity {
  return value === 0 ? "neutral" : value > 0 ? "positive" : "negative";
}

/** Whether the opinions of the text agree. */
function findSigns({ opinions }: Structure): string {
  const good = opinions.some((opinion) => opinion.value > 0);
  const bad = opinions.some((opinion) => opinion.value < 0);
  return good && bad ? "mixed" : good ? "positive" : bad ? "negative" : "none";
}

/** The opinion word nearest to the aspect, as the lexicon values it. */
function findNearestWord({ opinions }: Structure, place: Place | null): Polarity | "none" {
  if (place === null) return "none";
  const gap = (one: { from: number; to: number }) =>
    one.to <= place.from ? place.from - one.to : Math.max(0, one.from - place.to);
  const nearest = opinions.toSorted((a, b) => gap(a) - gap(b))[0];
  if (nearest === undefined) return "none";
  return nameSign(nearest.base);
}

function clip(value: number): number {
  return Math.max(-3, Math.min(3, value)) / 3;
}

function addWords(features: Growing, { structure, place }: Described): void {
  const words = markNegated(structure);
  if (place !== null) {
    for (const word of words.slice(place.from, place.to)) features.set(`aspect ${word.lemma}`, 0.5);
    for (let step = 1; step <= reach; step += 1) {
      const before = words[place.from - step];
      const after = words[place.to - 1 + step];
      features.set(`before ${step} ${before?.lemma ?? "-"}`, 0.5);
      features.set(`after ${step} ${after?.lemma ?? "-"}`, 0.5);
      addMost(features, `around ${before?.lemma ?? "-"}`, 1 / (1 + 0.3 * step));
      addMost(features, `around ${after?.lemma ?? "-"}`, 1 / (1 + 0.3 * step));
    }
  }
  const clause = place === null ? [] : words.filter((word) => word.clause === place.clause && isOutside(word, place));
  addBag(features, "clause", clause);
  addBag(features, "text", place === null ? words.slice(0, 2 * view) : words.slice(...cut(place.from, place.to, view)));
}

/** "not a single complaint" speaks of no complaint: a judging word that is negated is another word. */
function markNegated({ words, opinions }: Structure): readonly Word[] {
  const turned = opinions.filter((opinion) => opinion.negated);
  if (turned.length === 0) return words;
  const isTurned = ({ index }: Word) => turned.some(({ from, to }) => index >= from && index < to);
  return words.map((word) => (isTurned(word) ? { ...word, lemma: `not ${word.lemma}` } : word));
}

function isOutside(word: Word, place: Place): boolean {
  return word.index < place.from || word.index >= place.to;
}

function addMost(features: Growing, name: string, value: number): void {
  features.set(name, Math.max(features.get(name) ?? 0, value));
}

/** Words and pairs of neighbours, so weighed that a long text says no more than a short one. */
function addBag(features: Growing, kind: string, words: readonly Word[]): void {
  const names = new Set<string>();
  for (const [at, word] of words.entries()) {
    names.add(`${kind} ${word.lemma}`);
    const next = words[at + 1];
    if (next !== undefined && kind === "clause") names.add(`${kind} ${word.lemma} ${next.lemma}`);
  }
  const share = 1 / Math.sqrt(Math.max(4, names.size));
  for (const name of names) features.set(name, share * 2);
}

/** Stretches of two to four characters: what carries meaning where words are built from endings. */
function addLetters(features: Growing, { structure, place }: Described): void {
  const { text } = structure;
  const { start, end } = place?.span ?? { start: 0, end: 0 };
  addStretches(features, "letters", text.slice(...cut(start, end, 4 * view)));
  if (place === null) return;
  addStretches(features, "letters near", text.slice(Math.max(0, start - 10), start));
  addStretches(features, "letters near", text.slice(end, end + 16));
}

function addStretches(features: Growing, kind: string, text: string): void {
  const plain = text.toLowerCase().replace(/\s+/g, " ");
  const names = new Set<string>();
  for (let size = 2; size <= 4; size += 1)
    for (let at = 0; at + size <= plain.length; at += 1) names.add(`${kind} ${plain.slice(at, at + size)}`);
  const share = 2 / Math.sqrt(Math.max(8, names.size));
  for (const name of names) features.set(name, share);
}
