/** What a pack shows of its decision, in kinds that every output (terminal, Markdown, HTML, the viewer) can draw. */
export type Tone = "good" | "bad" | "neutral" | "warn";

export type Section =
  | { kind: "facts"; title: string; rows: { label: string; value: string; tone?: Tone }[] }
  | { kind: "text"; title: string; text: string }
  | { kind: "table"; title: string; columns: string[]; rows: string[][] }
  /** Evidence highlighted in a text; marks are UTF-16 ranges, end exclusive. */
  | {
      kind: "highlight";
      title: string;
      text: string;
      marks: { start: number; end: number; label: string; tone?: Tone }[];
    }
  /** Quoted lines with where they come from. */
  | { kind: "lines"; title: string; lines: { ref: string; text: string; tone?: Tone }[] }
  /** Rule decisions in the order they fired, with their numbers. */
  | {
      kind: "steps";
      title: string;
      steps: { label: string; outcome: string; detail: string; numbers?: Record<string, number>; tone?: Tone }[];
    }
  /** Claims, critiques, hypotheses: things with an id that refer to each other. */
  | {
      kind: "cards";
      title: string;
      cards: { id: string; title: string; subtitle?: string; body: string; links?: string[]; tone?: Tone }[];
    }
  | { kind: "series"; title: string; points: { label: string; value: number }[] };
