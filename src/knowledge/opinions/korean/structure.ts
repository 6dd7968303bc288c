import type { Span } from "../reading/reading.ts";
import { listWords, type Place, type Structure, type Word } from "../reading/reading.ts";
import { type Analysis, attachOpinions } from "./attach.ts";
import { splitClauses } from "./clause.ts";
import { readMorphemes } from "./words/morpheme.ts";
import { openKoreanLexicon, openVocabulary } from "./words/lexicon.ts";
import { findOpinions, type KoreanOpinion } from "./opinions/opinion.ts";
import { findPhrases } from "./phrase.ts";

/** Takes a Korean text apart; what an aspect covers is a noun, because someone named it as such. */
export function analyse(text: string, aspects: readonly Span[] = []): Analysis {
  const morphemes = readMorphemes(text);
  const clauses = splitClauses(morphemes);
  const opinions = findOpinions(text, morphemes);
  const covered = (index: number) =>
    aspects.some((span) => (morphemes[index]?.start ?? 0) >= span.start && (morphemes[index]?.end ?? 0) <= span.end);
  const phrases = findPhrases(morphemes, (index) => !covered(index) && opinions.some((one) => judges(one, index)));
  for (const opinion of opinions)
    opinion.clause = Math.max(
      0,
      clauses.findIndex((clause) => opinion.from >= clause.from && opinion.from < clause.to),
    );
  return { text, morphemes, clauses, phrases, opinions };
}

/** True when the morpheme is part of the judgement; the noun of "맛이 없다" is what is judged. */
function judges(opinion: KoreanOpinion, index: number): boolean {
  if (index < opinion.from || index >= opinion.to) return false;
  return index > opinion.from || opinion.to - opinion.from === 1 || openKoreanLexicon().stems.has(opinion.noun);
}

/** A Korean text taken apart, with each opinion tied to what it is about. */
export function readStructure(text: string, aspects: readonly Span[] = []): Structure {
  const analysis = analyse(text, aspects);
  return {
    text,
    words: listWords(
      analysis.morphemes.map(({ text: lemma, pos }) => ({ lemma, kind: readKind(pos) })),
      analysis.clauses,
    ),
    opinions: analysis.opinions,
    attachments: attachOpinions(analysis),
    reach: "text",
    place: (span) => findPlace(analysis, span),
  };
}

function readKind(pos: string): Word["kind"] {
  if (/^(NN|SL|XSN)/.test(pos)) return "noun";
  if (pos === "VV") return "verb";
  if (/^(VA|XR)$/.test(pos)) return "adjective";
  return pos === "MAG" ? "adverb" : /^(SN|NR)$/.test(pos) ? "number" : "";
}

function findPlace(analysis: Analysis, span: Span): Place {
  const { morphemes, clauses } = analysis;
  const touched = morphemes.filter((one) => one.start < span.end && one.end > span.start);
  const from = touched[0]?.index ?? 0;
  const to = (touched.at(-1)?.index ?? 0) + 1;
  const words = [...new Set([...touched.map((one) => one.text), analysis.text.slice(span.start, span.end)])];
  const clause = Math.max(
    0,
    clauses.findIndex((one) => to - 1 >= one.from && to - 1 < one.to),
  );
  const after = morphemes[to];
  const group = words.map((word) => openVocabulary().groups.get(word)).findLast((one) => one !== undefined);
  return {
    span,
    from,
    to,
    clause,
    words,
    setting: after?.pos === "JKB",
    link: after?.pos.startsWith("J") ? after.text : "",
    group: group ?? "other",
  };
}
