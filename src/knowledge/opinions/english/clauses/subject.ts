import type { Chunk } from "./chunk-parts.ts";
import type { Clause } from "./clause.ts";
import type { Token } from "../words/token.ts";
import { openVocabulary } from "../words/lexicon.ts";

/** The noun chunks before the verb that no preposition governs; a list counts whole. */
export function findSubject(tokens: readonly Token[], chunks: readonly Chunk[], verb: Chunk): Chunk[] {
  const before = chunks.slice(0, chunks.indexOf(verb));
  return before.filter((chunk, position) => {
    const previous = before[position - 1];
    if (chunk.kind !== "noun") return false;
    if (previous?.kind !== "preposition") return true;
    const counted = tokens[before[position - 2]?.head ?? -1]?.lower ?? "";
    return (
      tokens[previous.from]?.lower === "of" &&
      /^(most|all|some|none|many|few|rest|majority|both|one|each|half|any|much)$/.test(counted)
    );
  });
}

const pronoun = /^(it|they|this|that|these|those|them|ones|both|all|everything|he|she|him)$/;

/** Gives each clause that names no subject the one it speaks of: that of its noun, its sentence, or the last thing named. */
export function resolveSubjects(tokens: readonly Token[], clauses: Clause[]): Clause[] {
  for (const clause of clauses) {
    const before = clauses[clause.index - 1];
    if (clause.kind === "relative") {
      const noun = before?.chunks.findLast((chunk) => chunk.kind === "noun");
      if (noun && clause.subject.length === 0) clause.subject = [noun];
      continue;
    }
    if (clause.subject.length === 0) clause.subject = inheritSubject(tokens, clauses, clause);
    const head = clause.subject.length === 1 ? tokens[clause.subject[0]?.head ?? 0] : undefined;
    if (head && pronoun.test(head.lower))
      clause.subject = findAntecedent(tokens, clauses, clause, head.lower) ?? clause.subject;
  }
  return clauses;
}

/** The subject of the clause that this one carries on; after an aside or a reduced relative, of the one before it. */
function inheritSubject(tokens: readonly Token[], clauses: readonly Clause[], clause: Clause): Chunk[] {
  const bare = clause.verb === null && clause.chunks.some((chunk) => chunk.kind === "noun");
  let at = clause.index - 1;
  while (at > 0 && isInterruption(tokens, clauses[at] as Clause)) at -= 1;
  const earlier = clauses[at];
  if (bare || !earlier || earlier.sentence !== clause.sentence) return [];
  if (at === clause.index - 1) return earlier.subject;
  const noun = earlier.chunks.findLast((chunk) => chunk.kind === "noun");
  return earlier.subject.length > 0 ? earlier.subject : noun ? [noun] : [];
}

function isInterruption(tokens: readonly Token[], clause: Clause): boolean {
  if (clause.kind === "aside") return true;
  return clause.kind === "relative" && !/^(which|who|that|where)$/.test(tokens[clause.from]?.lower ?? "");
}

/** The subject of the nearest earlier clause that names something, else what it names last. */
export function findAntecedent(
  tokens: readonly Token[],
  clauses: readonly Clause[],
  clause: Clause,
  word: string,
): Chunk[] | undefined {
  const named = (chunk: Chunk) => chunk.kind === "noun" && !/^(PRON|DET)$/.test(tokens[chunk.head]?.pos ?? "");
  for (let at = clause.index - 1; at >= Math.max(0, clause.index - 4); at -= 1) {
    const earlier = clauses[at] as Clause;
    const mentioned = earlier.chunks.filter(named);
    const people = mentioned.filter(
      (chunk) => openVocabulary().groups.get(tokens[chunk.head]?.lemma ?? "") === "service",
    );
    if (/^(he|she|him)$/.test(word)) {
      if (people.length > 0) return people.slice(-1);
      continue;
    }
    const subjects = earlier.subject.filter(named);
    if (subjects.length > 0) return subjects;
    if (mentioned.length > 0)
      return /^(they|these|those|them)$/.test(word) ? findLastList(tokens, earlier, mentioned) : mentioned.slice(-1);
  }
  return undefined;
}

/** "…, the lamb and the rice. They were": the plural means the list that came last. */
function findLastList(tokens: readonly Token[], clause: Clause, mentioned: readonly Chunk[]): Chunk[] {
  const list = mentioned.slice(-1);
  for (let at = clause.chunks.indexOf(list[0] as Chunk) - 1; at > 0; at -= 1) {
    const link = clause.chunks[at] as Chunk;
    if (mentioned.includes(link)) list.push(link);
    else if (!/^(and|,|&|or)$/.test(tokens[link.from]?.lower ?? "")) break;
  }
  return list;
}
