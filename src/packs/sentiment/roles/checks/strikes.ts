import type { Problem } from "../../../../contract/turn.ts";

/** Something that was struck or repaired on the way in, with the word it concerned. */
export type Strike = { code: string; what: string; path?: (string | number)[] };

/** A reply of which something was struck: salvage writes down what, so that it is counted; no player can. */
export type Struck = { struck?: Strike[] };

/** A salvaged reply with what was struck of it. */
export function withStruck<R extends object>(reply: R, strikes: readonly Strike[]): R & Struck {
  return { ...reply, struck: strikes.filter(({ code }) => code in explanations) };
}

const explanations: Record<string, (what: string) => string> = {
  aspect_not_substring: (what) => `"${what}" is not in the text; copy the term exactly or leave it out`,
  sentiment_without_aspect: (what) => `"${what}" is not one of the given aspects`,
  polarity_invalid: (what) => `"${what}" is not positive, negative, neutral or null`,
  opinion_not_substring: (what) => `the opinion term "${what}" is not in the text`,
  risk_type_unknown: (what) => `"${what}" is not a known risk type`,
  proposal_type_unknown: (what) => `"${what}" is not FLIP_POLARITY, DROP_ASPECT or REVISE_SPAN`,
  unknown_aspect: (what) => `"${what}" is neither a Stage 1 aspect nor in the text`,
  unknown_op: (what) =>
    `"${what}" is not an op; use set_polarity, set_aspect_ref, merge_tuples, drop_tuple or confirm_tuple`,
  unknown_action: (what) => `"${what}" is not an action of this review`,
  evidence_not_in_text: (what) => `the evidence "${what}" is not in the text; copy it exactly`,
  span_not_in_text: (what) => `the span "${what}" is not in the text; copy it exactly`,
  no_evidence_span: () => "at least one span of the text must support the sentence polarity",
  patch_contradicts_tuples: (what) =>
    `${what}; final_tuples must be what final_patch leads to, with one polarity for each aspect`,
  label_invalid: (what) => `"${what}" is not positive, negative, neutral or mixed`,
  unknown_speaker: (what) => `"${what}" is not one of the speakers; name one of them or give null`,
  wrong_speaker: (what) => `you are not "${what}"; speak for your own persona`,
};

/** Strikes as problems of a reply that can be salvaged; what the rules repair silently is no problem. */
export function toProblems(strikes: readonly Strike[]): Problem[] {
  return strikes.flatMap(({ code, what, path }): Problem[] => {
    const explain = explanations[code];
    return explain ? [{ code, message: explain(what), severity: "salvage", ...(path ? { path } : {}) }] : [];
  });
}

/** A problem when a required text was left empty: the turn says nothing. */
export function checkFilled(field: string, value: string): Problem[] {
  if (value.trim() !== "") return [];
  return [{ code: "empty", message: `${field} must not be empty`, severity: "reject", path: [field] }];
}

/** The word of a closed list that was meant: letter case, spaces and hyphens do not matter. */
export function readChoice(words: readonly string[], word: string): string | null {
  const wanted = word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return words.find((known) => known.toLowerCase() === wanted) ?? null;
}
