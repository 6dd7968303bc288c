import type { Span } from "../reading/reading.ts";
import { listWords, type Place, type Structure } from "../reading/reading.ts";
import { type Analysis, analyse, findClause } from "./analyse.ts";
import { attachOpinions } from "./attach.ts";
import { isSetting } from "./relations.ts";

/** An English text taken apart, with each opinion tied to what it is about. */
export function readStructure(text: string, aspects: readonly Span[] = []): Structure {
  const analysis = analyse(text, aspects);
  const { opinions } = analysis;
  return {
    text,
    words: listWords(
      analysis.tokens.map((token) => token.lower),
      analysis.clauses,
    ),
    opinions,
    attachments: attachOpinions(analysis),
    reach: "clause",
    place: (span) => findPlace(analysis, span),
  };
}

function findPlace(analysis: Analysis, span: Span): Place {
  const { tokens } = analysis;
  const covered = tokens.filter((token) => token.start < span.end && token.end > span.start);
  const from = covered[0]?.index ?? 0;
  const to = (covered.at(-1)?.index ?? 0) + 1;
  const words = [...new Set(covered.flatMap((token) => [token.lower, token.lemma]))];
  const clause = findClause(analysis.clauses, to - 1);
  const holder = analysis.clauses[clause];
  const chunk = holder?.chunks.find((one) => to - 1 >= one.from && to - 1 < one.to);
  const setting = holder !== undefined && chunk !== undefined && isSetting(analysis, holder, chunk);
  return { span, from, to, clause, words, setting };
}
