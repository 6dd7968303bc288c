import type { FinalOutput } from "../schemas/final-output.ts";

/** What a decision says in a few words: the sentence, and each aspect with its polarity. */
export function headline({ final_result: { label, final_aspects } }: FinalOutput): Record<string, string> {
  return {
    sentence: label,
    aspects: final_aspects.map((one) => `${one.aspect_ref || "(implicit)"} ${one.polarity}`).join(", ") || "none",
  };
}
