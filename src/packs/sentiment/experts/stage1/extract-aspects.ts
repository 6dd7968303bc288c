import type { AteInput } from "../../schemas/role-inputs.ts";
import type { AteReply } from "../../schemas/stage1.ts";
import { findAspectGroup, languageOf, readerOf } from "../../../../knowledge/opinions/index.ts";

/** ATE as a program: the noun phrases that reviews judge, or that this text does (sentiment spec §2). */
export function extractAspects({ text, language_code }: AteInput): AteReply {
  const language = languageOf(language_code);
  const aspects = readerOf(language_code)
    .candidates(text)
    .map(({ span, head, confidence, why }) => {
      const term = text.slice(span.start, span.end);
      return {
        term,
        span,
        normalized: findAspectGroup(term, language),
        syntactic_head: head,
        confidence,
        rationale: why,
      };
    });
  return { aspects };
}
