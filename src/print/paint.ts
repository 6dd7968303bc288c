import type { Tone } from "../contract/view.ts";

/** Paints text for a terminal, or leaves it plain. */
export type Paint = {
  bold(text: string): string;
  dim(text: string): string;
  underline(text: string): string;
  /** Text in its tone; what is neutral or has none keeps the colour of the terminal. */
  tone(text: string, tone: Tone | undefined): string;
};

const codes = { good: 32, bad: 31, warn: 33 };

export function createPaint(color: boolean): Paint {
  const wrap = (open: number, close: number) => (text: string) =>
    color && text !== "" ? `\u001B[${open}m${text}\u001B[${close}m` : text;
  return {
    bold: wrap(1, 22),
    dim: wrap(2, 22),
    underline: wrap(4, 24),
    tone: (text, tone = "neutral") => (tone === "neutral" ? text : wrap(codes[tone], 39)(text)),
  };
}
