import type { Tone } from "../contract/view.ts";

/** Paints text for a terminal, or leaves it plain. */
export type Paint = {
  bold(text: string): string;
  dim(text: string): string;
  underline(text: string): string;
  tone(text: string, tone: Tone): string;
};

const codes: Record<Tone, [number, number]> = { good: [32, 39], bad: [31, 39], neutral: [33, 39], warn: [33, 39] };

export function createPaint(color: boolean): Paint {
  const wrap = (open: number, close: number) => (text: string) =>
    color && text !== "" ? `\u001B[${open}m${text}\u001B[${close}m` : text;
  return {
    bold: wrap(1, 22),
    dim: wrap(2, 22),
    underline: wrap(4, 24),
    tone: (text, tone) => wrap(...codes[tone])(text),
  };
}
