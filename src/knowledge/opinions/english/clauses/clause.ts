import type { Chunk } from "./chunk-parts.ts";
import { resolveSubjects, findSubject } from "./subject.ts";
import type { Token } from "../words/token.ts";
import { contrastWords } from "../words/word-classes.ts";

/** A stretch with at most one finite verb; `subject` are the noun chunks it is about, perhaps those of an earlier clause. */
export type Clause = {
  index: number;
  chunks: Chunk[];
  from: number;
  to: number;
  sentence: number;
  /** The word that opened it: but, because, which… */
  opener: string;
  /** "relative" speaks of the noun before it; "aside" stands in brackets. */
  kind: "main" | "relative" | "aside";
  subject: Chunk[];
  verb: Chunk | null;
};

type Group = Pick<Clause, "opener" | "kind" | "chunks">;
type Scan = { tokens: readonly Token[]; chunks: readonly Chunk[]; position: number; current: readonly Chunk[] };

const hardMarks = /^(;|:|\(|\)|\[|\]|--+|—|–|\.{2,}|…|[.!?]+|\*+)$/;

/** Splits the chunks of a text into clauses at marks, contrasts, subordinators and joined statements. */
export function splitClauses(tokens: readonly Token[], chunks: readonly Chunk[]): Clause[] {
  const groups: Group[] = [{ opener: "", kind: "main", chunks: [] }];
  for (const [position, chunk] of chunks.entries()) {
    const current = groups.at(-1) as Group;
    const scan = { tokens, chunks, position, current: current.chunks };
    if (endsSentence(scan) || !opensClause(scan)) current.chunks.push(chunk);
    else groups.push({ opener: tokens[chunk.from]?.lower ?? "", kind: classifyClause(scan), chunks: [chunk] });
  }
  const filled = groups.filter((group) => group.chunks.length > 0);
  return resolveSubjects(
    tokens,
    filled.map((group, index) => describeClause(tokens, group, index)),
  );
}

function classifyClause(scan: Scan): Clause["kind"] {
  const { tokens, chunks, position } = scan;
  if (chunks[position]?.kind === "relative" || opensReducedRelative(tokens, chunks, position)) return "relative";
  return /^[([]$/.test(tokens[chunks[position]?.from ?? 0]?.text ?? "") ? "aside" : "main";
}

function endsSentence({ tokens, chunks, position }: Scan): boolean {
  const here = tokens[chunks[position]?.from ?? 0];
  const before = tokens[(chunks[position]?.from ?? 0) - 1];
  return before !== undefined && before.sentence === here?.sentence && /^[.!?]+$/.test(here.text);
}

function opensClause(scan: Scan): boolean {
  const { tokens, chunks, position, current } = scan;
  const chunk = chunks[position] as Chunk;
  const token = tokens[chunk.from] as Token;
  if (position > 0 && tokens[chunk.from - 1]?.sentence !== token.sentence) return true;
  if (opensReducedRelative(tokens, chunks, position)) return true;
  const verbSoFar = current.some((part) => part.kind === "verb");
  if (chunk.kind === "mark") return hardMarks.test(token.text) || (token.text === "," && opensAtComma(scan, verbSoFar));
  const ahead = isStatementAhead(tokens, chunks, position + 1);
  if (chunk.kind === "relative") return ahead;
  if (chunk.kind === "subordinator") return ahead && (verbSoFar || current.some((part) => part.kind === "noun"));
  if (chunk.kind !== "conjunction") return false;
  return contrastWords.has(token.lower) ? current.length > 0 : verbSoFar && ahead;
}

function opensAtComma({ tokens, chunks, position, current }: Scan, verbSoFar: boolean): boolean {
  const leading = /^(subordinator|preposition|relative)$/.test(current[0]?.kind ?? "");
  return (verbSoFar || leading) && isStatementAhead(tokens, chunks, position + 1);
}

function isInfinitive(tokens: readonly Token[], chunk: Chunk | undefined): boolean {
  return chunk?.kind === "verb" && tokens[chunk.from]?.lower === "to";
}

/** "the dishes we tried were": a thing followed by the speaker and a verb. */
function opensReducedRelative(tokens: readonly Token[], chunks: readonly Chunk[], position: number): boolean {
  const [before, here, after] = [chunks[position - 1], chunks[position], chunks[position + 1]];
  if (before?.kind !== "noun" || here?.kind !== "noun" || after?.kind !== "verb") return false;
  if (tokens[after.head]?.lemma === "be") return false;
  return /^(i|we|you|they|he|she)$/.test(tokens[here.head]?.lower ?? "");
}

/** True when a statement follows, with its own subject or that of the last one. */
function isStatementAhead(tokens: readonly Token[], chunks: readonly Chunk[], from: number): boolean {
  let named = false;
  for (const chunk of chunks.slice(from)) {
    if (chunk.kind === "verb") return !isInfinitive(tokens, chunk);
    if (chunk.kind === "noun" || chunk.kind === "preposition") named = true;
    else if (chunk.kind !== "adverb" && (chunk.kind !== "adjective" || named)) return false;
  }
  return false;
}

function describeClause(tokens: readonly Token[], group: Group, index: number): Clause {
  const from = group.chunks[0]?.from ?? 0;
  const to = group.chunks.at(-1)?.to ?? from;
  const finite = group.chunks.find((chunk) => chunk.kind === "verb" && !isInfinitive(tokens, chunk));
  const verb = finite ?? group.chunks.find((chunk) => chunk.kind === "verb") ?? null;
  const subject = verb ? findSubject(tokens, group.chunks, verb) : [];
  return { ...group, index, from, to, sentence: tokens[from]?.sentence ?? 0, subject, verb };
}
