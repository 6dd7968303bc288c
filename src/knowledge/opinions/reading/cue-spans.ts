import type { Span } from "./reading.ts";

/** Every place where a cue stands, as a whole word or anywhere. */
export function findCueSpans(text: string, cues: readonly string[], match: "word" | "substring"): Span[] {
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return [];
  const isLetter = (char: string) => /[\p{L}\p{N}]/u.test(char);
  const spans = cues.flatMap((cue) => {
    const found: Span[] = [];
    for (let at = lower.indexOf(cue); at !== -1; at = lower.indexOf(cue, at + 1)) {
      const whole = !isLetter(lower.charAt(at - 1)) && !isLetter(lower.charAt(at + cue.length));
      if (match === "substring" || whole) found.push({ start: at, end: at + cue.length });
    }
    return found;
  });
  return spans.sort((a, b) => a.start - b.start);
}
