import type { PromptLanguage } from "./prompt.ts";

export type Tone = "good" | "bad" | "neutral" | "warn";

/** `run` is the id of a run that the viewer links to; `share` is drawn as a bar, where bars are drawn. */
export type Cell = string | { text: string; note?: string; tag?: Group; tone?: Tone; run?: string; share?: number };

export type Column = string | { name: string; numeric?: boolean; hint?: string };

export type Finding = { check: string; ok: boolean; where: string; message: string };

type Head = {
  title: string;
  id?: string;
  note?: string;
  lead?: boolean;
  /** Left out of terminal reports; the viewer and the exports show it. */
  detail?: true;
};

type Body =
  /** The answer; `headline` has the few words a reader acts on. Decisions differ where headlines do. */
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
  /** Evidence highlighted in a text; marks are UTF-16 ranges, end exclusive. A subject is what the evidence is about. */
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
        tone?: Tone;
      }[];
    }
  | { kind: "checks"; findings: Finding[] }
  /** A chart; `repeats` means that a table nearby has the same numbers, so text output can skip it. */
  | { kind: "chart"; chart: Chart; repeats?: boolean }
  | { kind: "group"; sections: Section[]; folded?: boolean };

/** A part of a report as plain data, in kinds that every output (terminal, Markdown, HTML, viewer) can draw. */
export type Section = Head & Body;

export type SectionOf<K extends Section["kind"]> = Extract<Section, { kind: K }>;

export type Estimate = { estimate: number; low: number; high: number };

export type Group = "reference" | "control" | "arm";

/** A chart as data: HTML draws it, text shows its numbers. Shares are 0..1 and shown as per cent. */
export type Chart =
  /** Quality over cost. */
  | {
      type: "cost";
      axes: { cost: string; quality: string };
      points: { name: string; group: Group; cost: number; quality: Estimate }[];
    }
  | { type: "line"; says: string; points: { name: string; value: number }[] }
  /** Events over time: a lane per part, amounts as shade; `window` is the period of interest. */
  | {
      type: "timeline";
      start: number;
      end: number;
      window: { start: number; end: number } | null;
      lanes: { name: string; counts: number[]; total: number; marks: { at: number; label: string }[] }[];
    };
