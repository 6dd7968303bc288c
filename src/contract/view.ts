import type { PromptLanguage } from "./prompt.ts";

export type Tone = "good" | "bad" | "neutral" | "warn";

export type Cell = string | { text: string; note?: string; tag?: Group; tone?: Tone };

export type Column = string | { name: string; numeric?: boolean; hint?: string };

export type RunRow = {
  run: string | null;
  arm: string;
  case: string;
  seed: number;
  outcome: string;
  score: number | null;
  right: boolean | null;
};

export type Finding = { check: string; ok: boolean; where: string; message: string };

type Head = {
  title: string;
  id?: string;
  note?: string;
  lead?: boolean;
  /** True for what is left out of a terminal's report: the viewer and the exports show it. */
  detail?: true;
};

type Body =
  /** The answer first; `headline` has the few words a reader acts on: where they differ, the decision does. */
  | {
      kind: "verdict";
      answer: string;
      tone: Tone;
      confidence?: number;
      sure?: string;
      points: string[];
      headline?: Record<string, string>;
      language?: PromptLanguage;
    }
  | { kind: "facts"; rows: { label: string; value: string; tone?: Tone }[] }
  | { kind: "text"; text: string; tone?: Tone }
  | { kind: "list"; items: string[]; ordered?: boolean }
  | { kind: "code"; text: string }
  | { kind: "table"; columns: Column[]; rows: Cell[][] }
  /** Evidence highlighted in a text; marks are UTF-16 ranges, end exclusive. A subject is what evidence speaks of. */
  | {
      kind: "highlight";
      text: string;
      marks: { start: number; end: number; label: string; tone?: Tone; kind?: "subject" | "evidence" }[];
    }
  | {
      kind: "steps";
      steps: {
        label: string;
        outcome: string;
        detail: string;
        numbers?: Record<string, number>;
        /** Numbers that had to reach a threshold, or to stay within or below it, and whether they did. */
        limits?: { name: string; value: number; threshold: number; bound?: "most" | "below"; isMet: boolean }[];
        tone?: Tone;
      }[];
    }
  | { kind: "checks"; findings: Finding[] }
  | {
      kind: "cards";
      cards: { id: string; title: string; subtitle?: string; body: string; links?: string[]; tone?: Tone }[];
    }
  /** A picture; `repeats` says that a table beside it has the same numbers, so that text can leave it out. */
  | { kind: "chart"; chart: Chart; repeats?: boolean }
  | { kind: "runs"; rows: RunRow[] }
  | { kind: "group"; sections: Section[]; folded?: boolean };

/** What is shown of a decision or a study: plain data, in kinds that every output (terminal, Markdown, HTML, the viewer) can draw. */
export type Section = Head & Body;

export type SectionOf<K extends Section["kind"]> = Extract<Section, { kind: K }>;

export type Estimate = { estimate: number; low: number; high: number };

export type Group = "reference" | "control" | "arm";

/** A picture as data: HTML draws it, text shows its numbers. Shares are 0..1 and shown as per cent. */
export type Chart =
  /** Quality over cost; `ceiling` is what one would reach who always knew which member is right. */
  | {
      type: "cost";
      axes: { cost: string; quality: string };
      points: { name: string; group: Group; cost: number; quality: Estimate }[];
      ceiling?: number;
    }
  /** A value for each pair, as shade and as a number; null where there is none. `low` and `high` bound the shades. */
  | {
      type: "heatmap";
      axes: { rows: string; columns: string };
      rows: string[];
      columns: string[];
      values: (number | null)[][];
      low: number;
      high: number;
    }
  | {
      type: "shares";
      parts: { name: string; tone: "good" | "bad" | "neutral" }[];
      rows: { name: string; counts: number[] }[];
    }
  | { type: "line"; says: string; points: { name: string; value: number }[] }
  /** What happened when: time across, a lane for each part, how much of it as shade; `window` is the stretch that matters. */
  | {
      type: "timeline";
      start: number;
      end: number;
      window: { start: number; end: number } | null;
      lanes: { name: string; counts: number[]; total: number; marks: { at: number; label: string }[] }[];
    };
