import type { JudgeInput } from "../roles/role-inputs.ts";
import { tally } from "../rules/tally.ts";
import type { Judgement } from "../schemas/reply.ts";

/** Decides for the answer with the most quoted support: confidence counts in full with a quote, by half without (question spec §7.3). */
export function judgeByQuotes({ history }: JudgeInput): Judgement {
  const speeches = history.at(-1)?.speeches ?? [];
  const voices = speeches.map(({ answer, canonical, confidence, quotes }, index) => ({
    speaker: String(index + 1),
    answer,
    canonical,
    confidence: quotes.length > 0 ? confidence : confidence / 2,
  }));
  const camps = tally(voices).toSorted((a, b) => b.confidence - a.confidence);
  const [best, next] = camps;
  if (!best) return { reasoning: "No speaker gave an answer.", winner: null, answer: null, confidence: 0 };
  const winner = voices
    .filter((voice) => best.speakers.includes(voice.speaker))
    .toSorted((a, b) => b.confidence - a.confidence)[0];
  const total = camps.reduce((sum, camp) => sum + camp.confidence, 0);
  const against = next ? ` against ${round(next.confidence)} for "${next.answer}"` : ", and nobody says otherwise";
  return {
    answer: best.answer,
    winner: Number(winner?.speaker),
    reasoning: `Quoted support of ${round(best.confidence)} for "${best.answer}"${against}.`,
    confidence: round((best.confidence / Math.max(total, 1e-9)) * Math.min(1, (winner?.confidence ?? 0) + 0.2)),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
