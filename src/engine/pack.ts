import type * as z from "zod";
import type { DebateResult } from "../contract/result.ts";
import type { Story } from "../contract/story.ts";
import type { Turn } from "../contract/turn.ts";
import type { Section } from "../contract/view.ts";
import type { Debate } from "./debate.ts";
import type { AnyRole } from "./role.ts";

export type { Finding } from "../contract/view.ts";

/** The result of a protocol: `undecided` below its quorum, `escalated` when a person must settle it. */
export type Verdict<D> = { outcome: "decided" | "undecided" | "escalated"; reasons: string[]; decision: D };

/** A debate without anything to show as a decision. */
export type Undecided = { outcome: "undecided"; reasons: string[]; decision?: null };

/** An embedding model: returns one vector per text. */
export type Embed = { model: string; embed(texts: readonly string[]): Promise<number[][]> };

/** Tools for `prepare`; `embed` is null unless the cast has an embedding model. */
export type PrepareTools = { embed: Embed | null };

/** The case and its prepared material. */
export type Given<I, M = null> = { input: I; material: M };

/** One debate as plain async code; `debate` is its only contact with the world. */
export type Protocol<I, C, D, M = null> = (
  debate: Debate,
  given: Given<I, M>,
  config: C,
) => Promise<Verdict<D> | Undecided>;

/** A finished debate with its input, config, result and turns. */
export type Finished<I, C, D, M = null> = Given<I, M> & { config: C; result: DebateResult<D>; turns: Turn[] };

/** A debate so far; the material is null until it is prepared. */
export type Held<I, C, D, M = null> = {
  input: I;
  material: M | null;
  config: C;
  turns: Turn[];
  decision: D | null;
};

/** A file in a run's folder; the same run gives the same bytes. */
export type TextArtifact = { name: string; content: string };

/** A file given as text, or as sections that are rendered by its extension: `.md` or `.txt`. */
export type Artifact = TextArtifact | { name: string; content: Section[] };

/** A role's answer in a round, for counting changes of mind. `item` names the subject when a case has several (an aspect). */
export type Position = { round: number; role: string; answer: string; item?: string };

/** A rate beyond its threshold, with advice. */
export type Warning = { level: "warn" | "high"; metric: string; value: number; tip: string };

/** How a pack measures decisions against gold; gold never reaches a player. */
export type Measure<D, G> = {
  gold: z.ZodType<G>;
  /** Rewrites gold in the terms of the case (for example as one of its choices), or says why no answer could match it. */
  fitGold?(gold: G, input: unknown): { gold: G } | { problem: string };
  /** The metric of quality (0..1); a case is right when it is 1. */
  primary: string;
  /** Metrics of one case; null means not applicable. */
  score(decision: D, gold: G): Record<string, number | null>;
  /** The gold a decision would match, in dataset form: what a reviewer confirms by upholding it. */
  goldOf?(decision: D): unknown;
  confidence?(decision: D): number | null;
  /** Counts of one case (tp, fp, fn per class…); studies add them up while streaming. */
  tally?(decision: D, gold: G | null): Record<string, number>;
  /** Corpus metrics from the summed counts (micro F1, macro F1, coverage…); null means undefined. */
  rates?(totals: Record<string, number>): Record<string, number | null>;
  warnings?(rates: Record<string, number | null>): Warning[];
  /** Each role's answer in each round. */
  positions?(decision: D, turns: Turn[]): Position[];
  isCorrect?(answer: string, gold: G, item?: string): boolean;
  /** Dataset formats of this domain, by their names in study files. */
  datasets?: Record<string, DatasetFormat>;
};

/** A row of a dataset file, with its location. */
export type DatasetRow = { value: Record<string, unknown>; at: string };

/** A case made from a row, not yet checked by the pack's schemas; gold is used for scoring only. */
export type DatasetCase = { id: string | null; input: unknown; gold: unknown; at: string };

/** A dataset file, with its rows if it is JSON Lines, a JSON array or CSV. */
export type DatasetFile = { path: string; text: string; rows(layout: "jsonl" | "csv"): DatasetRow[] };

/** Cases read from a dataset file, with notes on anything left out. */
export type DatasetReading = { cases: DatasetCase[]; notes?: string[] };

/** A dataset format that a pack reads without a mapping in the study file. */
export type DatasetFormat = {
  about: string;
  /** File extensions that imply this format. */
  endings?: readonly string[];
  read(file: DatasetFile): DatasetReading | Promise<DatasetReading>;
};

/** A domain: its case, material, roles, protocol, displays and measures. */
export type Pack<I, C, D, M = null> = {
  name: string;
  summary: string;
  /** Accepts an object, or plain text if the pack can make a case of it. Unknown keys and missing text are errors. */
  input: z.ZodType<I>;
  /** Strict; an empty object parses to the defaults. */
  config: z.ZodType<C>;
  /** Shown to the agents; bounded, and journaled once per run. */
  material: z.ZodType<M>;
  decision: z.ZodType<D>;
  /** Makes the material of a case, once per run. Only this and experts may use `knowledge/`. */
  prepare(input: I, config: C, tools: PrepareTools): M | Promise<M>;
  roles(config: C): AnyRole[];
  protocol: Protocol<I, C, D, M>;
  /** Small complete cases for the demo and the contract suite. */
  examples: { name: string; input: unknown; config?: unknown }[];
  /** The turns as readable text, also while the debate goes on. Turns it leaves out are shown raw. */
  story(debate: Held<I, C, D, M>): Story;
  /** The report: the verdict first, then its grounds. */
  sections(finished: Finished<I, C, D, M>): Section[];
  // oxlint-disable-next-line typescript/no-explicit-any
  measure?: Measure<D, any>;
  artifacts?(finished: Finished<I, C, D, M>): Artifact[];
};

/** A pack as declared: material and displays are optional. */
export type PackSpec<I, C, D, M = null> = Omit<
  Pack<I, C, D, M>,
  "material" | "prepare" | "examples" | "story" | "sections"
> &
  Partial<Pick<Pack<I, C, D, M>, "examples" | "story" | "sections">> &
  ([M] extends [null]
    ? Partial<Pick<Pack<I, C, D, M>, "material" | "prepare">>
    : Pick<Pack<I, C, D, M>, "material" | "prepare">);

/** A pack of any types, for registries. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyPack = Pack<any, any, any, any>;

// oxlint-disable-next-line typescript/no-explicit-any
export type AnyFinished = Finished<any, any, any, any>;
