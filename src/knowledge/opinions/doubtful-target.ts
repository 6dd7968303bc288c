import type { LanguageCode } from "./language/language.ts";
import type { AspectView } from "./aspect-views.ts";
import { isListedTarget } from "./listed-target.ts";

/** True for a term that reviews do not judge and to which this text ties no opinion by a relation. */
export function isDoubtfulTarget(text: string, language: LanguageCode, view: AspectView): boolean {
  if (view.spans.length === 0 || isListedTarget(text, language, view.spans)) return false;
  return view.scoped.polarity === null || /^(loose|nearest|elsewhere|no opinion)$/.test(view.scoped.via);
}
