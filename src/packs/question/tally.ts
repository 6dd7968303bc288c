import type { AnswerType } from "./case.ts";
import { sameAnswer } from "./answer.ts";

/** One voice: an answer in canonical form, or null for none. */
export type Voice = { speaker: string; canonical: string | null; answer: string; confidence: number };

/** An answer and who stands behind it. */
export type Camp = { canonical: string; answer: string; speakers: string[]; confidence: number };

/** Counts voices: camps by size, then by summed confidence, then by who spoke first. Voices without an answer do not count. */
export function tally(voices: Voice[], type: AnswerType): Camp[] {
  const camps: Camp[] = [];
  for (const voice of voices) {
    if (voice.canonical === null) continue;
    const { canonical, answer, speaker, confidence } = voice;
    const camp = camps.find((one) => sameAnswer(one.canonical, canonical, type));
    if (!camp) camps.push({ canonical, answer, speakers: [speaker], confidence });
    else {
      camp.speakers.push(speaker);
      camp.confidence += confidence;
    }
  }
  return camps.toSorted((a, b) => b.speakers.length - a.speakers.length || b.confidence - a.confidence);
}

/** The share of voices with an answer that stand in the largest camp; 0 when nobody has one. */
export function agreement(voices: Voice[], type: AnswerType): number {
  const answering = voices.filter((voice) => voice.canonical !== null).length;
  return answering === 0 ? 0 : (tally(voices, type)[0]?.speakers.length ?? 0) / answering;
}
