import type { DebateContext } from "../../schemas/role-inputs.ts";
import { findTerm } from "../../rules/tuples/find-term.ts";
import { type AspectView, type LanguageCode, viewAspects } from "../../../../knowledge/opinions/index.ts";

/** The aspects that a debate is about, read anew: those of Stage 1, and what its sentiments name beyond them. */
export function viewDebate(text: string, language: LanguageCode, context: DebateContext): readonly AspectView[] {
  const known = new Set(context.stage1_aspects.map((aspect) => aspect.term));
  const others = [...new Set(context.stage1_aspect_sentiments.map((one) => one.aspect_ref))].filter(
    (term) => !known.has(term),
  );
  const added = others.flatMap((term) => {
    const span = term === "" ? { start: 0, end: 0 } : findTerm(text, term);
    return span ? [{ term, span, normalized: null, confidence: 1 }] : [];
  });
  return viewAspects(text, language, [...context.stage1_aspects, ...added]);
}
