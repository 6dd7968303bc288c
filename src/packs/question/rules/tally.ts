import type { Camp } from "../schemas/decision.ts";
import type { AnswerType } from "../schemas/question.ts";
import { isSameAnswer } from "./answer.ts";

/** One voice: what it answered, and that in canonical form, or null for no answer. */
export type Voice = { speaker: string; canonical: string | null; answer: string | null; confidence: number };

/** Counts voices: camps by size, then by summed confidence, then by who spoke first. Voices without an answer do not count (question spec §6.1). */
export function tally(voices: Voice[], type: AnswerType): Camp[] {
  const camps: Camp[] = [];
  for (const { canonical, answer, speaker, confidence } of voices) {
    if (canonical === null) continue;
    const camp = camps.find((one) => isSameAnswer(one.canonical, canonical, type));
    if (!camp) camps.push({ canonical, answer: answer ?? "", speakers: [speaker], confidence });
    else {
      camp.speakers.push(speaker);
      camp.confidence += confidence;
    }
  }
  return camps.toSorted((a, b) => b.speakers.length - a.speakers.length || b.confidence - a.confidence);
}

/** Measures the share of the voices with an answer that stand in the largest camp; 0 when nobody has one. */
export function measureAgreement(voices: Voice[], type: AnswerType): number {
  const answering = voices.filter((voice) => voice.canonical !== null).length;
  return answering === 0 ? 0 : (tally(voices, type)[0]?.speakers.length ?? 0) / answering;
}
