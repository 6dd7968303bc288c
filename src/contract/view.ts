import type { Chart, Group } from "./chart.ts";
import type { PromptLanguage } from "./prompt.ts";

export type Tone = "good" | "bad" | "neutral" | "warn";

/** A value in a table: `note` stands under it, `tag` says which kind of arm it is about. */
export type Cell = string | { text: string; note?: string; tag?: Group; tone?: Tone };

export type Column = string | { name: string; numeric?: boolean; hint?: string };

/** One run in a list of runs. */
export type RunRow = {
  run: string | null;
  arm: string;
  case: string;
  seed: number;
  outcome: string;
  score: number | null;
  right: boolean | null;
};

/** Something an integrity check looked at: whether it holds, where, and what is wrong. */
export type Finding = { check: string; ok: boolean; where: string; message: string };

type Head = {
  title: string;
  /** What links lead to; without it the section is named by its place. */
  id?: string;
  /** How to read it, said beside the title. */
  note?: string;
  /** True for what a reader should see before the debate. */
  lead?: boolean;
  /** True for what is left out of a terminal's report: the viewer and the exports show it. */
  detail?: true;
};

type Body =
  /**
   * The answer, before everything else: `title` asks, `answer` says, `points` say why.
   * `headline` holds the few words a reader acts on, by name: where they differ, the decision is another one.
   * `language` is the one that the section's words are in.
   */
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
  /** Paragraphs; with a tone, a notice. */
  | { kind: "text"; text: string; tone?: Tone }
  | { kind: "list"; items: string[]; ordered?: boolean }
  /** Text that is kept as it is, such as a settings file. */
  | { kind: "code"; text: string }
  | { kind: "table"; columns: Column[]; rows: Cell[][] }
  /** Evidence highlighted in a text; marks are UTF-16 ranges, end exclusive. A subject is what evidence speaks of. */
  | {
      kind: "highlight";
      text: string;
      marks: { start: number; end: number; label: string; tone?: Tone; kind?: "subject" | "evidence" }[];
    }
  /** Quoted lines with where they come from, or words with who said them. */
  | { kind: "lines"; lines: { ref: string; text: string; tone?: Tone }[] }
  /** Rule decisions in the order they fired, with their numbers. */
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
  /** What an integrity check found of the decision and its turns. */
  | { kind: "checks"; findings: Finding[] }
  /** Claims, critiques, hypotheses: things with an id that refer to each other. */
  | {
      kind: "cards";
      cards: { id: string; title: string; subtitle?: string; body: string; links?: string[]; tone?: Tone }[];
    }
  | { kind: "series"; points: { label: string; value: number }[] }
  /** A picture; `repeats` says that a table beside it has the same numbers, so that text can leave it out. */
  | { kind: "chart"; chart: Chart; repeats?: boolean }
  /** The runs behind the numbers of a study. */
  | { kind: "runs"; rows: RunRow[] }
  /** Sections under one title; `folded` ones are opened on demand. */
  | { kind: "group"; sections: Section[]; folded?: boolean };

/** What is shown of a decision or a study: plain data, in kinds that every output (terminal, Markdown, HTML, the viewer) can draw. */
export type Section = Head & Body;

/** A section of one kind. */
export type SectionOf<K extends Section["kind"]> = Extract<Section, { kind: K }>;
