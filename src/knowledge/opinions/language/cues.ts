import type { Language } from "./language.ts";

/** The cues that occur in a text: as whole words or anywhere, as the language says. */
export function findCues(text: string, cues: readonly string[], language: Language): string[] {
  const lower = text.toLowerCase();
  return cues.filter((cue) => hasCue(lower, cue.toLowerCase(), language));
}

function hasCue(lower: string, cue: string, language: Language): boolean {
  if (language.cue_match === "substring") return lower.includes(cue);
  for (let at = lower.indexOf(cue); at !== -1; at = lower.indexOf(cue, at + 1)) {
    const before = cue.startsWith("n't") ? "" : lower.charAt(at - 1);
    if (!isWordCharacter(before) && !isWordCharacter(lower.charAt(at + cue.length))) return true;
  }
  return false;
}

function isWordCharacter(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

/** Where a clause ends beside its contrast markers: at a stop, and in Korean after a connecting ending. */
const clauseEnd = {
  en: /[.!?,;…\n]+|\s(?=and\s)/g,
  ko: /[.!?,;…\n]+|[가-힣](?:고|며|면서|니까)\s/g,
};

/** The clause around a place: between sentence ends, commas and contrast markers. */
export function cutClause(text: string, place: { start: number; end: number }, language: Language): string {
  const breaks = [...text.matchAll(clauseEnd[language.code])].map((match) => match.index + match[0].length);
  for (const marker of language.contrast_markers) {
    for (let at = text.toLowerCase().indexOf(marker); at !== -1; at = text.toLowerCase().indexOf(marker, at + 1))
      breaks.push(language.cue_match === "substring" ? at + marker.length : at);
  }
  const start = Math.max(0, ...breaks.filter((at) => at <= place.start));
  const end = Math.min(text.length, ...breaks.filter((at) => at >= place.end));
  return text.slice(start, end);
}

/** Every place where a cue stands, as a whole word or anywhere. */
export function findCueSpans(
  text: string,
  cues: readonly string[],
  match: "word" | "substring",
): { start: number; end: number }[] {
  const lower = text.toLowerCase();
  if (lower.length !== text.length) return [];
  const isLetter = (char: string) => /[\p{L}\p{N}]/u.test(char);
  const spans = cues.flatMap((cue) => {
    const found: { start: number; end: number }[] = [];
    for (let at = lower.indexOf(cue); at !== -1; at = lower.indexOf(cue, at + 1)) {
      const whole = !isLetter(lower.charAt(at - 1)) && !isLetter(lower.charAt(at + cue.length));
      if (match === "substring" || whole) found.push({ start: at, end: at + cue.length });
    }
    return found;
  });
  return spans.sort((a, b) => a.start - b.start);
}
