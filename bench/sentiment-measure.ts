import type { Aspect } from "../src/packs/sentiment/index.ts";
import { type AspectReading, readerOf } from "../src/knowledge/opinions/index.ts";
import type { Dataset, GoldAspect, Row } from "./sentiment-data.ts";
import { play, type Settings } from "./sentiment-play.ts";
import { type Change, changesOf, type Judged, type TupleSet } from "./sentiment-score.ts";

export const systems = ["majority", "stage 1", "vote", "stage 2", "debate"] as const;

/** What may change Stage 1. */
export const changers = ["vote", "stage 2", "debate"] as const;

export type Measured = {
  name: string;
  lang: string;
  texts: number;
  policy: "explicit" | "mention";
  judged: Judged[];
  tuples: Record<string, { gold: TupleSet; said: TupleSet }[]>;
  changes: (Change & { task: "polarity" | "tuple"; text: string })[];
  seconds: number;
};

/** Runs both tasks on a dataset: polarity of the gold aspects, and aspects with their polarity from the bare text. */
export async function measure(dataset: Dataset, settings: Settings): Promise<Measured> {
  const policy = dataset.hasNeutral && dataset.lang === "en" ? "mention" : "explicit";
  const measured: Measured = {
    name: dataset.name,
    lang: dataset.lang,
    texts: dataset.rows.length,
    policy,
    judged: [],
    tuples: {},
    changes: [],
    seconds: 0,
  };
  const majority = findMajority(dataset.rows);
  for (const system of systems) measured.tuples[system] = [];
  const start = performance.now();
  const about = { measured, majority, settings };
  for (const row of dataset.rows) await endToEnd(row, about);
  measured.seconds = (performance.now() - start) / 1000;
  for (const row of dataset.rows) await givenAspects(row, about);
  return measured;
}

type About = { measured: Measured; majority: string; settings: Settings };

const key = (term: string, polarity: string) => `${term.toLowerCase()}\u0000${polarity}`;

async function endToEnd(row: Row, { measured, majority, settings }: About): Promise<void> {
  const played = await play(row.text, row.lang, { ...settings, neutral_policy: measured.policy });
  const { output, alone, stage1 } = played;
  const gold = new Set(row.aspects.map((aspect) => key(aspect.term ?? "", aspect.polarity)));
  const { stage1_tuples, final_tuples } = output.final_result;
  const places = stage1.aspects.map((aspect) => ({ term: aspect.term, place: aspect.span }));
  const said: Record<string, TupleSet> = {
    majority: new Set(places.map(({ term }) => key(term, majority))),
    "stage 1": new Set(stage1_tuples.map((tuple) => key(tuple.aspect_term, tuple.polarity))),
    "stage 2": new Set(alone.final_result.final_tuples.map((tuple) => key(tuple.aspect_term, tuple.polarity))),
    debate: new Set(final_tuples.map((tuple) => key(tuple.aspect_term, tuple.polarity))),
  };
  said.vote = new Set(votes(row, stage1.aspects, measured.policy).map(([term, polarity]) => key(term, polarity)));
  for (const system of systems) measured.tuples[system]?.push({ gold, said: said[system] as TupleSet });
  recordTupleChanges(row, gold, said, measured);
}

function recordTupleChanges(row: Row, gold: TupleSet, said: Record<string, TupleSet>, measured: Measured): void {
  const [before, after] = [said["stage 1"] as TupleSet, said.debate as TupleSet];
  const shown = (tuple: string) => tuple.split("\u0000").join(" = ");
  const entry = (tuple: string, effect: Change["effect"], from: string, to: string) =>
    measured.changes.push({
      id: row.id,
      task: "tuple",
      aspect: shown(tuple),
      gold: gold.has(tuple) ? "is gold" : "is not gold",
      before: from,
      after: to,
      effect,
      text: row.text,
    });
  for (const tuple of after)
    if (!before.has(tuple)) entry(tuple, gold.has(tuple) ? "fixed" : "broken", "absent", "said");
  for (const tuple of before)
    if (!after.has(tuple)) entry(tuple, gold.has(tuple) ? "broken" : "fixed", "said", "absent");
}

/** Majority of three independent readings: near, structural, whole text; Stage 1 breaks ties. */
function votes(row: Row, aspects: readonly Aspect[], policy: "explicit" | "mention"): [string, string][] {
  const reader = readerOf(row.lang);
  const spans = aspects.map((aspect) => ({ start: aspect.span.start, end: aspect.span.end }));
  const [readings, overall] = [reader.read(row.text, spans), reader.overall(row.text)];
  return aspects.flatMap((aspect, index): [string, string][] => {
    const { near, scoped } = readings[index] as AspectReading;
    const said = [near.polarity, scoped.polarity, overall.polarity];
    const winner = said.find((one) => said.filter((other) => other === one).length >= 2);
    const polarity = (winner === undefined ? said[0] : winner) ?? (policy === "mention" ? "neutral" : null);
    return polarity === null ? [] : [[aspect.term, polarity]];
  });
}

async function givenAspects(row: Row, about: About): Promise<void> {
  const named = row.aspects.filter((aspect) => aspect.term);
  const implicit = row.aspects.filter((aspect) => !aspect.term);
  if (named.length > 0) await judgeTogether(row, named, about);
  for (const aspect of implicit) await judgeTogether(row, [aspect], about);
}

async function judgeTogether(
  row: Row,
  gold: readonly GoldAspect[],
  { measured, majority, settings }: About,
): Promise<void> {
  const aspects = gold.map((aspect): Aspect => aspectOf(row, aspect));
  const { output, alone } = await play(row.text, row.lang, { ...settings, neutral_policy: "mention" }, aspects);
  const { stage1_tuples, final_tuples } = output.final_result;
  const polarityIn = (tuples: typeof final_tuples, term: string) =>
    tuples.find((tuple) => tuple.aspect_term === term)?.polarity ?? "neutral";
  const voted = new Map(votes(row, aspects, "mention"));
  const items = gold.map((aspect, index) => {
    const { term } = aspects[index] as Aspect;
    const said = {
      majority,
      "stage 1": polarityIn(stage1_tuples, term),
      vote: term === "" ? polarityIn(stage1_tuples, term) : (voted.get(term) ?? "neutral"),
      "stage 2": polarityIn(alone.final_result.final_tuples, term),
      debate: polarityIn(final_tuples, term),
    };
    measured.judged.push({ gold: aspect.polarity, said });
    return {
      aspect: term || `(${aspect.category ?? "implicit"})`,
      gold: aspect.polarity,
      before: said["stage 1"],
      after: said.debate,
    };
  });
  for (const change of changesOf(row.id, items)) measured.changes.push({ ...change, task: "polarity", text: row.text });
}

function aspectOf(row: Row, { term, from, to, category }: GoldAspect): Aspect {
  const span = term ? { start: from, end: to } : { start: 0, end: 0 };
  return {
    term: term ? row.text.slice(from, to) : "",
    span,
    normalized: category ?? null,
    syntactic_head: null,
    confidence: 1,
    rationale: "given",
  };
}

/** The label that most gold aspects have. */
function findMajority(rows: readonly Row[]): string {
  const counts = new Map<string, number>();
  for (const { polarity } of rows.flatMap((row) => row.aspects)) counts.set(polarity, (counts.get(polarity) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "positive";
}
