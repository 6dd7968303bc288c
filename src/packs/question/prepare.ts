import type { PrepareTools } from "../../engine/pack.ts";
import {
  applyChanges,
  createRanking,
  findChanges,
  findConflicts,
  readStatements,
  type Statement,
  words,
} from "../../knowledge/documents/index.ts";
import { cosine } from "../../text/cosine.ts";
import { formatDate } from "../../text/values.ts";
import type { Document, Question } from "./schemas/case.ts";
import type { QuestionConfig } from "./schemas/config.ts";
import type { Material, Passage, Quote } from "./schemas/debate.ts";

/** What is kept beside the passages that are shown, for further searches, in characters. */
const reserveCharacters = 60_000;
/** How many statements are looked at for conflicts, and how many conflicts, changes and orders are told. */
const looked = 24;
const mostTold = 12;
/** How many statements are compared by their vectors: those that word search finds, and the first of each document. */
const mostEmbedded = 400;

/** Reads the documents for a question: all of them where they are small, else the passages that a search finds (question spec §4.3). */
export async function prepare(
  { question, docs }: Question,
  config: QuestionConfig,
  { embed }: PrepareTools,
): Promise<Material> {
  const nothing = { is_whole: true, files: [], passages: [], reserve: [], conflicts: [], changes: [], orders: [] };
  if (docs.length === 0) return { retrieval: "unavailable", by: "no documents", ...nothing };
  const reading = new Reading(docs, question);
  const isWhole = docs.reduce((sum, { text }) => sum + text.length, 0) <= config.document_characters;
  const { order, by } =
    isWhole || !embed ? { order: reading.found, by: "word search" } : await fuse(reading, question, embed);
  const near = order.slice(0, looked).map((place) => reading.at(place));
  const shown = isWhole
    ? reading.whole()
    : reading.passages(order.length > 0 ? order : reading.begins(), config.passages, config.document_characters);
  const rest = isWhole ? [] : reading.passages(order.slice(config.passages), order.length, reserveCharacters);
  const told = isWhole ? reading.all() : near;
  return {
    retrieval: order.length > 0 ? "grounded" : "no_match",
    by,
    is_whole: isWhole,
    files: reading.files,
    passages: shown,
    reserve: rest,
    conflicts: findConflicts(applyChanges(near))
      .slice(0, mostTold)
      .map(({ a, b, later }) => ({ a: quoteOf(a), b: quoteOf(b), later })),
    changes: findChanges(told)
      .slice(0, mostTold)
      .map((change) => ({ by: quoteOf(change.by), changes: quoteOf(change.changes), now: change.now })),
    orders: told
      .filter(({ text }) => words.orders.test(text))
      .slice(0, mostTold)
      .map(quoteOf),
  };
}

function quoteOf({ source, text }: Statement): Quote {
  return { source, quote: text };
}

type Place = { document: number; at: number };

/** The documents under a question: what matches it, and the statements at places; never more of them held than are asked for. */
class Reading {
  readonly found: Place[];
  readonly files: Material["files"];
  readonly #docs: readonly Document[];
  readonly #kept = new Map<number, Statement[]>();

  constructor(docs: readonly Document[], question: string) {
    this.#docs = docs;
    const ranking = createRanking(question);
    const starts: number[] = [];
    let size = 0;
    this.files = docs.map((doc) => {
      const statements = readStatements([doc]);
      starts.push(size);
      size += statements.length;
      ranking.add(statements);
      const [first] = statements;
      return { source: doc.id, title: first?.title || null, date: wordDate(first?.date ?? null) };
    });
    this.found = ranking.rank(mostEmbedded).map(({ place }) => {
      const document = starts.findLastIndex((start) => start <= place);
      return { document, at: place - (starts[document] ?? 0) };
    });
  }

  statements(document: number): Statement[] {
    const known = this.#kept.get(document) ?? readStatements([this.#docs[document] as Document]);
    this.#kept.set(document, known);
    return known;
  }

  at({ document, at }: Place): Statement {
    return this.statements(document)[at] as Statement;
  }

  all(): Statement[] {
    return this.#docs.flatMap((_, document) => this.statements(document));
  }

  begins(): Place[] {
    return this.#docs.slice(0, mostTold).map((_, document) => ({ document, at: 0 }));
  }

  whole(): Passage[] {
    return this.#docs.map(({ text }, index) => ({
      ...(this.files[index] as Material["files"][number]),
      heading: null,
      text,
    }));
  }

  /** The places wanted with their neighbours, each once and in order, as many as fit; those that follow each other are one passage. */
  passages(wanted: Place[], most: number, characters: number): Passage[] {
    const chosen = new Map<string, Place>();
    let room = characters;
    for (const { document, at } of wanted.slice(0, most))
      for (const near of [at, at - 1, at + 1]) {
        const length = this.statements(document)[near]?.text.length;
        if (length === undefined || length > room || chosen.has(`${document}#${near}`)) continue;
        chosen.set(`${document}#${near}`, { document, at: near });
        room -= length;
      }
    const places = [...chosen.values()].toSorted((a, b) => a.document - b.document || a.at - b.at);
    return joinPlaces(places).map((run) => this.joinPassage(run));
  }

  private joinPassage(run: Place[]): Passage {
    const [first] = run as [Place];
    const statements = this.statements(first.document);
    const { source, title, date, headings } = this.at(first);
    const lines = run.map((place) => writeStatement(this.at(place)));
    const head =
      this.at(first).kind === "row"
        ? statements.slice(0, first.at).findLast(({ text, kind }) => kind === "heading" && text.startsWith("|"))
        : undefined;
    const table = head ? [head.text, head.text.replaceAll(/[^|]+/g, "---")] : [];
    return {
      source,
      title: title || null,
      date: wordDate(date),
      heading: headings.join(" › ") || null,
      text: [...table, ...lines].join("\n"),
    };
  }
}

/** Runs of places that follow each other in one document. */
function joinPlaces(places: Place[]): Place[][] {
  const runs: Place[][] = [];
  for (const place of places) {
    const last = runs.at(-1)?.at(-1);
    if (last && last.document === place.document && last.at === place.at - 1) runs.at(-1)?.push(place);
    else runs.push([place]);
  }
  return runs;
}

function writeStatement({ kind, text }: Statement): string {
  if (kind === "heading" && !text.startsWith("|")) return `## ${text}\n`;
  return kind === "item" ? `- ${text}` : text;
}

function wordDate(date: number | null): string | null {
  return date === null ? null : formatDate(date);
}

type Embedder = NonNullable<PrepareTools["embed"]>;

/** Puts the order of words and the order of vectors together: each place counts by the reciprocal of its ranks. */
async function fuse(
  reading: Reading,
  question: string,
  { model, embed }: Embedder,
): Promise<{ order: Place[]; by: string }> {
  const begun = reading.files.map((_, document) => ({ document, at: 0 }));
  const places = [
    ...new Map([...reading.found, ...begun].map((place) => [`${place.document}#${place.at}`, place])).values(),
  ].slice(0, mostEmbedded);
  const texts = places.map((place) => {
    const { title, about, said } = reading.at(place);
    return [title, about, said].filter(Boolean).join("\n");
  });
  const [asked = [], ...vectors] = await embed([question, ...texts]);
  const near = vectors
    .map((vector, at) => ({ at, score: cosine(asked, vector) }))
    .toSorted((a, b) => b.score - a.score);
  const rank = new Map(near.map(({ at }, index) => [at, index]));
  const score = (at: number): number => 1 / (60 + at) + 1 / (60 + (rank.get(at) ?? places.length));
  const order = places.map((place, at) => ({ place, score: score(at) })).toSorted((a, b) => b.score - a.score);
  return { order: order.map(({ place }) => place), by: `word search and vectors of ${model}` };
}
