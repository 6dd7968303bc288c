import type * as z from "zod";
import type { PromptLanguage } from "../contract/prompt.ts";
import type { DebateResult } from "../contract/result.ts";
import type { Story } from "../contract/story.ts";
import type { Turn } from "../contract/turn.ts";
import type { Section } from "../contract/view.ts";
import type { Debate } from "./debate.ts";
import type { AnyRole } from "./role.ts";

/** What a protocol comes to: below its quorum `undecided`, for a person to settle `escalated`. */
export type Verdict<D> = { outcome: "decided" | "undecided" | "escalated"; reasons: string[]; decision: D };

/** A debate that came to nothing that could be shown as a decision. */
export type Undecided = { outcome: "undecided"; reasons: string[]; decision?: null };

/** One debate: plain async code whose only contact with the world is `debate`. */
export type Protocol<I, C, D> = (debate: Debate, input: I, config: C) => Promise<Verdict<D> | Undecided>;

/** A finished debate with everything it was made of. */
export type Finished<I, C, D> = { input: I; config: C; result: DebateResult<D>; turns: Turn[] };

/** A debate to be told: all of it, or as much as has been held. */
export type Told<I, C, D> = Omit<Finished<I, C, D>, "result"> & { decision: D | null };

/** A file of a run's folder; the same run gives the same bytes. */
export type TextArtifact = { name: string; content: string };

/** A file whose text is there, or whose sections are to be written as its name's ending says: `.md` or `.txt`. */
export type Artifact = TextArtifact | { name: string; content: Section[] };

/** Something an integrity check found. */
export type Finding = { check: string; ok: boolean; where: string; message: string };

/**
 * Where a role stood in a round, in the words of the pack's answers; for flip ledgers.
 * `item` names what the position is about when a case has several (an aspect); left out, it is the case.
 */
export type Position = { round: number; role: string; answer: string; item?: string };

/** A stated confidence, and whether what it was stated about was right; for calibration. */
export type Graded = { confidence: number; correct: boolean };

/** A threshold that a rate passed, with what to do about it. */
export type Warning = { level: "warn" | "high"; metric: string; value: number; tip: string };

/** How a pack measures decisions against gold; gold never reaches a player. */
export type Measure<D, G> = {
  gold: z.ZodType<G>;
  /** The name of the metric that says how good a decision is (0..1); a case is right when it is 1. */
  primary: string;
  /** Per-case metrics; a null value does not apply to this case. */
  score(decision: D, gold: G): Record<string, number | null>;
  /** The gold that a decision would be right by, as a dataset writes it: what a reviewer who lets it stand has said. */
  goldOf?(decision: D): unknown;
  /** The stated confidence of the decision; orders the cases of a risk–coverage curve. */
  confidence?(decision: D): number | null;
  /** Stated confidences item by item (a tuple, a claim); without it, `confidence` of the case against being right. */
  graded?(decision: D, gold: G): Graded[];
  /** Additive counts of one case (tp, fp, fn per class, hints mapped…); studies sum them over cases, so they stream. */
  tally?(decision: D, gold: G | null): Record<string, number>;
  /** Corpus metrics from summed counts (micro F1, macro F1, coverage…); a null value is undefined here. */
  rates?(totals: Record<string, number>): Record<string, number | null>;
  /** Warnings over the rates of a whole arm, each with a tip. */
  warnings?(rates: Record<string, number | null>): Warning[];
  /** Who stood where in which round. */
  positions?(decision: D, turns: Turn[]): Position[];
  isCorrect?(answer: string, gold: G, item?: string): boolean;
  /** The strata a case belongs to, for per-stratum tables. */
  strata?(gold: G): Record<string, string>;
};

/** A change of config that turns a pack into a control arm; those that sample are told how many samples fit the budget. */
export type Controls = {
  single?: Record<string, unknown>;
  vote?: Record<string, unknown>;
  self_consistency?: (samples: number) => Record<string, unknown>;
  /** Samples until the vote is settled. */
  adaptive_vote?: (samples: number) => Record<string, unknown>;
  /** A debate only where the openings disagree. */
  on_disagreement?: Record<string, unknown>;
  /** Samples of one speaker, and of several, that a judge aggregates. */
  self_moa?: (samples: number) => Record<string, unknown>;
  mixed?: Record<string, unknown>;
};

/** A row of a dataset file, and where it stands. */
export type DatasetRow = { value: Record<string, unknown>; at: string };

/** A row made into a case, before the pack's schemas have checked it; gold goes no further than the scoring. */
export type DatasetCase = {
  id: string | null;
  input: unknown;
  gold: unknown;
  strata: Record<string, string>;
  at: string;
};

/** A dataset file: its text, and its rows when it is JSON Lines, a JSON array or CSV. */
export type DatasetFile = { path: string; text: string; rows(layout: "jsonl" | "json" | "csv"): DatasetRow[] };

/** What was made of a dataset file, and what was left out of it. */
export type DatasetReading = { cases: DatasetCase[]; notes?: string[] };

/** A kind of dataset file that a pack can read by itself, without a mapping in the study file. */
export type DatasetFormat = {
  about: string;
  /** The file endings that mean this format when a study names none. */
  endings?: readonly string[];
  read(file: DatasetFile): DatasetReading | Promise<DatasetReading>;
};

/** A domain: its input, config, roles, protocol, what it shows and how it is measured. */
export type Pack<I, C, D> = PackCore<I, C, D> & PackShow<I, C, D>;

/** A pack as it is declared: what it does not show by itself is made from its schemas. */
export type PackSpec<I, C, D> = PackCore<I, C, D> & Partial<PackShow<I, C, D>>;

/** What every pack shows of itself and its runs. */
export type PackShow<I, C, D> = {
  /** Small complete cases for the demo and the contract suite. */
  examples: { name: string; input: unknown; config?: unknown }[];
  /** The prompts by file name, for the manifest's hashes. */
  prompts: Record<string, string>;
  /** What a terminal shows: the verdict first, then what it rests on. */
  report(finished: Finished<I, C, D>): Section[];
  /** What exports and the viewer show. */
  view(finished: Finished<I, C, D>): Section[];
};

/** What only a pack itself can say. */
export type PackCore<I, C, D> = {
  name: string;
  summary: string;
  /** A case; unknown keys and missing text are errors. */
  input: z.ZodType<I>;
  /** Strict; an empty object parses to the defaults. */
  config: z.ZodType<C>;
  decision: z.ZodType<D>;
  /** Every role that a cast may name under this config. */
  roles(config: C): AnyRole[];
  protocol: Protocol<I, C, D>;
  /** The most rounds that a debate under this config can have, a judge's own included; 0, or left out, where their number is fixed. */
  mostRounds?(config: C): number;
  /** A case made of plain text: a question, a sentence, a log. */
  fromText?(text: string): unknown;
  /** How a form says the names and values of this pack's schemas; what is not here is said as it is written. */
  words?: Record<string, string>;
  /** What a case is about, in one line: for lists and titles. */
  subject?(input: I): string;
  /** What a decision says, in the few words that a reader acts on: other words are a flip. */
  headline?(decision: D): Record<string, string>;
  /** The language that its reports are in, where it is not English: what is put around them follows it. */
  languageOf?(decision: D): PromptLanguage;
  /** The debate turn by turn, in the pack's words, also while it goes on; what it leaves out is shown as it was said. */
  tell?(debate: Told<I, C, D>): Story;
  artifacts?(finished: Finished<I, C, D>): Artifact[];
  verify?(finished: Finished<I, C, D>): Finding[];
  /** How this pack becomes a control arm of a study. */
  controls?: Controls;
  // oxlint-disable-next-line typescript/no-explicit-any
  measure?: Measure<D, any>;
  /** The dataset formats of this domain, by the name that a study file gives them. */
  datasets?: Record<string, DatasetFormat>;
};

/** A pack whose types do not matter here: for registries. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyPack = Pack<any, any, any>;

/** A finished debate of any pack. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyFinished = Finished<any, any, any>;
