import type { Analysis } from "./analyse.ts";
import type { Chunk } from "./clauses/chunk-parts.ts";
import type { Clause } from "./clauses/clause.ts";
import { findCoordinated, findObjects, findPhraseObject, readComparison } from "./relations.ts";
import { findAntecedent } from "./clauses/subject.ts";
import type { Attachment } from "../reading/reading.ts";
import type { EnglishOpinion } from "./opinions/opinion.ts";
import type { Token } from "./words/token.ts";
import { openVocabulary } from "./words/lexicon.ts";
import { companyWords, experiencerVerbs, feelingWords, genericHeads } from "./words/word-classes.ts";

type Found = { targets: Chunk[]; second?: Chunk[]; via: string } | undefined;

/** Ties each opinion to what it is about, by the relations of its clause. */
export function attachOpinions(analysis: Analysis): Attachment[] {
  return analysis.opinions.flatMap((opinion) => {
    const found = resolveTargets(analysis, opinion, attach(analysis, opinion));
    const own = {
      opinion,
      targets: found?.targets ?? [],
      second: found?.second ?? [],
      via: found?.via ?? "unattached",
    };
    const compared = readComparison(analysis, opinion);
    return compared ? [own, compared] : [own];
  });
}

/** "…and loved them", "Delicious!": what a pronoun or a bare judgement goes back to. */
function resolveTargets(analysis: Analysis, opinion: EnglishOpinion, found: Found): Found {
  const { tokens, clauses } = analysis;
  const clause = clauses[opinion.clause];
  if (!clause) return found;
  if (!found) {
    const bare = !clause.chunks.some((chunk) => chunk.kind === "noun" || chunk.kind === "verb");
    const back = bare ? findAntecedent(tokens, clauses, clause, "it") : undefined;
    return back ? { targets: back, via: "afterthought" } : undefined;
  }
  const targets = found.targets.flatMap((chunk) => {
    const word = tokens[chunk.head]?.lower ?? "";
    const refers =
      chunk.kind === "noun" && chunk.to - chunk.from === 1 && /^(it|them|him|they|this|these|those)$/.test(word);
    return refers ? (findAntecedent(tokens, clauses, clause, word) ?? [chunk]) : [chunk];
  });
  return { ...found, targets };
}

function attach(analysis: Analysis, opinion: EnglishOpinion): Found {
  const clause = analysis.clauses[opinion.clause];
  const chunk = clause?.chunks.find((one) => opinion.from >= one.from && opinion.from < one.to);
  if (!clause || !chunk) return undefined;
  if (opinion.kind === "fact") return attachFact(analysis, clause, opinion);
  if (opinion.phrase)
    return attachPhrase(analysis, clause, opinion) ?? attachPredicate(analysis, clause, chunk, opinion);
  if (chunk.kind === "noun") return attachNoun(analysis, clause, chunk, opinion);
  if (chunk.kind === "verb")
    return attachVerb(analysis, clause, chunk, opinion) ?? attachPredicate(analysis, clause, chunk, opinion);
  return attachPredicate(analysis, clause, chunk, opinion);
}

/** "must try the cake": a phrase that ends in a verb speaks of its object. */
function attachPhrase(analysis: Analysis, clause: Clause, opinion: EnglishOpinion): Found {
  const holder = clause.chunks.find((one) => opinion.to > one.from && opinion.to <= one.to);
  if (holder?.kind !== "verb" || holder.to !== opinion.to) return undefined;
  const objects = findObjects(analysis, clause, holder);
  return objects.length > 0 ? { targets: objects, via: "object" } : undefined;
}

/** What something does or fails to do speaks of it, and of what it does it to. */
function attachFact(analysis: Analysis, clause: Clause, opinion: EnglishOpinion): Found {
  const subject = findNamedSubject(analysis.tokens, clause);
  const verb =
    clause.chunks.find((one) => one.kind === "verb" && opinion.from >= one.from && opinion.from < one.to) ??
    clause.verb;
  const objects = verb
    ? findObjects(analysis, clause, verb)
    : clause.chunks.filter((one) => one.kind === "noun").slice(0, 1);
  const people = subject.some((one) => isPerson(analysis.tokens[one.head] as Token));
  if (people) return { targets: subject, second: objects, via: "fact" };
  return { targets: [...subject, ...objects], via: "fact" };
}

/** Those who serve answer for what they do; a thing shares the blame with what it fails on. */
function isPerson(head: Token): boolean {
  return /^(they|he|she|who)$/.test(head.lower) || openVocabulary().groups.get(head.lemma) === "service";
}

/** Inside a noun phrase: its head, or, when the head is the judgement itself, what the phrase is said of. */
function attachNoun(analysis: Analysis, clause: Clause, chunk: Chunk, opinion: EnglishOpinion): Found {
  const { tokens } = analysis;
  const head = tokens[chunk.head] as Token;
  const subject = findNamedSubject(tokens, clause);
  const judged = opinion.to > chunk.head || genericHeads.has(head.lemma) || genericHeads.has(head.lower);
  const list = [chunk, ...findCoordinated(analysis, clause, chunk)];
  if (!judged) return { targets: list, via: "modifier" };
  const object = findPhraseObject(
    analysis,
    clause,
    chunk,
    /^(with|of|about|in|to|for|regarding|on|against|is|was|are)$/,
  );
  return { targets: [...list, ...object], second: subject, via: "noun with its object" };
}

function attachVerb(analysis: Analysis, clause: Clause, chunk: Chunk, opinion: EnglishOpinion): Found {
  const { tokens } = analysis;
  const word = tokens[opinion.from] as Token;
  const objects = findObjects(analysis, clause, chunk);
  const subject = findNamedSubject(tokens, clause);
  const passive = tokens.slice(chunk.from, chunk.head).some((token) => token.lemma === "be");
  if (feelingWords.has(word.lower)) {
    const cause = findPhraseObject(analysis, clause, chunk, /^(with|by|at|about|in|of|for|to)$/);
    if (cause.length > 0) return { targets: cause, via: "cause of feeling" };
  }
  if (experiencerVerbs.has(word.lemma) && word.index === chunk.head && !passive && objects.length > 0)
    return { targets: objects, via: "object of feeling" };
  return subject.length > 0 ? { targets: [...subject, chunk], second: objects, via: "subject" } : undefined;
}

/** Said after a verb: of the subject; of the cause where a person feels; of the noun that follows directly. */
function attachPredicate(analysis: Analysis, clause: Clause, chunk: Chunk, opinion: EnglishOpinion): Found {
  const { tokens } = analysis;
  const word = tokens[opinion.from] as Token;
  const subject = findNamedSubject(tokens, clause);
  const last = clause.chunks.find((one) => opinion.to > one.from && opinion.to <= one.to) ?? chunk;
  const cause = findPhraseObject(analysis, clause, last, /^(with|by|at|about|of|for|in|on)$/);
  if (feelingWords.has(word.lower) && cause.length > 0) return { targets: cause, via: "cause of feeling" };
  if (clause.verb && chunk.from >= clause.verb.from) {
    if (subject.length > 0)
      return {
        targets: [...subject, clause.verb],
        second: [...cause, ...findJudgedObjects(analysis, clause, chunk)],
        via: "predicate",
      };
    const objects = findJudgedObjects(analysis, clause, chunk);
    if (objects.length > 0) return { targets: [...objects, clause.verb], via: "object" };
  }
  const before = clause.chunks[clause.chunks.indexOf(chunk) - 1];
  if (before?.kind === "noun" && chunk.kind === "adjective")
    return { targets: [before, ...findCoordinated(analysis, clause, before)], via: "adjoined" };
  const about = findPhraseObject(analysis, clause, last, /^(with|about|of|for)$/);
  if (about.length > 0) return { targets: about, via: "object of preposition" };
  const after = clause.chunks[clause.chunks.indexOf(last) + 1];
  return after?.kind === "noun"
    ? { targets: [after, ...findCoordinated(analysis, clause, after)], via: "adjoined" }
    : undefined;
}

/** "They cook the fish well": what stands between the verb and the judgement is judged too. */
function findJudgedObjects(analysis: Analysis, clause: Clause, chunk: Chunk): Chunk[] {
  if (!clause.verb) return [];
  return findObjects(analysis, clause, clause.verb).filter((one) => one.to <= chunk.from);
}

/** The subject, unless it is the speaker or the company. */
function findNamedSubject(tokens: readonly Token[], clause: Clause): Chunk[] {
  return clause.subject.filter((chunk) => {
    const head = tokens[chunk.head] as Token;
    return !companyWords.has(head.lower) && head.lower !== "there";
  });
}
