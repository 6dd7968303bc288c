import type { PrepareTools } from "../../engine/pack.ts";
import {
  applyChanges,
  findChanges,
  findConflicts,
  readStatements,
  searchStatements,
  type Statement,
  words,
} from "../../knowledge/documents/index.ts";
import { cosine } from "../../text/similar.ts";
import { formatDate } from "../../text/values.ts";
import type { Question } from "./schemas/case.ts";
import type { QuestionConfig } from "./schemas/config.ts";
import { keyOf, type Material, type Passage, type Quote } from "./schemas/debate.ts";

/** Extra passages kept for further searches, in characters. */
const reserveCharacters = 60_000;
const looked = 24;
const mostListed = 12;
const mostEmbedded = 400;

/** Reads the documents: small collections whole, otherwise the passages found by a search (question spec §4.3). */
export async function prepare(
  { question, docs }: Question,
  config: QuestionConfig,
  { embed }: PrepareTools,
): Promise<Material> {
  const statements = readStatements(docs);
  const found = searchStatements(question, statements, mostEmbedded);
  const isWhole = docs.reduce((sum, { text }) => sum + text.length, 0) <= config.document_characters;
  const all = isWhole ? statements.map((_, place) => place) : listBegins(statements);
  const places = [...new Set([...found, ...all])].slice(0, mostEmbedded);
  const near = embed ? await measureNearness(places, statements, { question, embed }) : null;
  const order = near && !isWhole ? fuse(places, near) : found;
  const by = near ? `word search and vectors of ${embed?.model}` : "word search";
  const best = order.slice(0, looked).map((place) => statements[place] as Statement);
  const firsts = new Map(statements.filter(({ at }) => at === 0).map((one) => [one.source, one]));
  const files = docs.map(({ id }) => {
    const first = firsts.get(id);
    return { source: id, title: first?.title || null, date: wordDate(first?.date ?? null) };
  });
  const chosen = order.length > 0 ? order : listBegins(statements);
  const considered = isWhole ? statements : best;
  return {
    retrieval: order.length > 0 ? "grounded" : "no_match",
    by,
    is_whole: isWhole,
    files,
    passages: isWhole
      ? files.map((file, at) => ({ ...file, heading: null, text: docs[at]?.text ?? "" }))
      : joinPassages(chosen.slice(0, config.passages), statements, config.document_characters),
    reserve: isWhole ? [] : joinPassages(order.slice(config.passages), statements, reserveCharacters),
    conflicts: findConflicts(applyChanges(best))
      .slice(0, mostListed)
      .map(({ a, b, later }) => ({ a: quoteOf(a), b: quoteOf(b), later })),
    changes: findChanges(considered)
      .slice(0, mostListed)
      .map((change) => ({ by: quoteOf(change.by), changes: quoteOf(change.changes), now: change.now })),
    orders: considered
      .filter(({ text }) => words.orders.test(text))
      .slice(0, mostListed)
      .map(quoteOf),
    ...(near && {
      nearness: Object.fromEntries(places.map((place, at) => [keyOf(statements[place]?.text ?? ""), near[at] ?? 0])),
    }),
  };
}

function quoteOf({ source, text }: Statement): Quote {
  return { source, quote: text };
}

function listBegins(statements: readonly Statement[]): number[] {
  const places = statements.flatMap(({ at }, place) => (at === 0 ? [place] : []));
  return places.slice(0, mostListed);
}

function joinPassages(wanted: readonly number[], statements: readonly Statement[], characters: number): Passage[] {
  const chosen = new Set<number>();
  let room = characters;
  for (const place of wanted)
    for (const near of [place, place - 1, place + 1]) {
      const { source, text } = statements[near] ?? { source: null, text: "" };
      if (source !== statements[place]?.source || text.length > room || chosen.has(near)) continue;
      chosen.add(near);
      room -= text.length;
    }
  const runs: number[][] = [];
  for (const place of [...chosen].toSorted((a, b) => a - b)) {
    const last = runs.at(-1)?.at(-1);
    const goesOn = last === place - 1 && statements[last]?.source === statements[place]?.source;
    if (goesOn) runs.at(-1)?.push(place);
    else runs.push([place]);
  }
  return runs.map((run) => joinPassage(run, statements));
}

function joinPassage(run: readonly number[], statements: readonly Statement[]): Passage {
  const [first] = run as [number];
  const { source, title, date, headings, kind, at } = statements[first] as Statement;
  const own = statements.slice(first - at, first);
  const head = kind === "row" ? own.findLast((one) => one.kind === "heading" && one.text.startsWith("|")) : undefined;
  const table = head ? [head.text, head.text.replaceAll(/[^|]+/g, "---")] : [];
  const lines = run.map((place) => writeStatement(statements[place] as Statement));
  return {
    source,
    title: title || null,
    date: wordDate(date),
    heading: headings.join(" › ") || null,
    text: [...table, ...lines].join("\n"),
  };
}

function writeStatement({ kind, text }: Statement): string {
  if (kind === "heading" && !text.startsWith("|")) return `## ${text}\n`;
  return kind === "item" ? `- ${text}` : text;
}

function wordDate(date: number | null): string | null {
  return date === null ? null : formatDate(date);
}

/** How near each statement is to the question, in deviations from the mean: models differ in their scale. */
async function measureNearness(
  places: readonly number[],
  statements: readonly Statement[],
  { question, embed: { embed } }: { question: string; embed: NonNullable<PrepareTools["embed"]> },
): Promise<number[]> {
  const texts = places.map((place) => {
    const { title, about, said } = statements[place] as Statement;
    return [...new Set([title, ...about.split(" · "), said])].filter(Boolean).join("\n");
  });
  const [asked = [], ...vectors] = await embed([question, ...texts]);
  const scores = vectors.map((vector) => cosine(asked, vector));
  const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
  const spread = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / Math.max(1, scores.length));
  return scores.map((score) => Math.round((100 * (score - mean)) / Math.max(1e-6, spread)) / 100);
}

/** Places by the sum of their reciprocal ranks in word search, the order in which they come, and in nearness. */
function fuse(places: readonly number[], near: readonly number[]): number[] {
  const byNearness = places.map((_, at) => at).toSorted((a, b) => (near[b] ?? 0) - (near[a] ?? 0));
  const rank = new Map(byNearness.map((at, index) => [at, index]));
  const score = (at: number): number => 1 / (60 + at) + 1 / (60 + (rank.get(at) ?? places.length));
  return places
    .map((place, at) => ({ place, score: score(at) }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ place }) => place);
}
