import type { Camp } from "../schemas/decision.ts";

/** One voice: what it answered, and the form that all answers of its camp share; null for no answer. */
export type Voice = { speaker: string; canonical: string | null; answer: string | null; confidence: number };

/** Counts voices: camps by size, then by summed confidence, then by who spoke first; a camp says what most of it said. Voices without an answer do not count (question spec §6.1). */
export function tally(voices: Voice[]): Camp[] {
  const answering = voices.filter((voice) => voice.canonical !== null);
  const camps = [...Map.groupBy(answering, (voice) => voice.canonical as string)].map(
    ([canonical, members]): Camp => ({
      canonical,
      answer: findCommonest(members.map(({ answer }) => answer ?? "")),
      speakers: members.map(({ speaker }) => speaker),
      confidence: members.reduce((sum, { confidence }) => sum + confidence, 0),
    }),
  );
  return camps.toSorted((a, b) => b.speakers.length - a.speakers.length || b.confidence - a.confidence);
}

/** Measures the share of the voices with an answer that stand in the largest camp; 0 when nobody has one. */
export function measureAgreement(voices: Voice[]): number {
  const sizes = new Map<string, number>();
  let answering = 0;
  for (const { canonical } of voices)
    if (canonical !== null) {
      sizes.set(canonical, (sizes.get(canonical) ?? 0) + 1);
      answering += 1;
    }
  return answering === 0 ? 0 : Math.max(...sizes.values()) / answering;
}

/** The wording that most gave; of several, the first. */
function findCommonest(wordings: string[]): string {
  const counted = [...Map.groupBy(wordings, (wording) => wording)];
  return counted.toSorted((a, b) => b[1].length - a[1].length)[0]?.[0] ?? "";
}
