import type * as z from "zod";
import type { DebateResult } from "../contract/result.ts";
import type { Story } from "../contract/story.ts";
import type { Turn } from "../contract/turn.ts";
import type { Section } from "../contract/view.ts";
import type { Debate } from "./debate.ts";
import type { AnyRole } from "./role.ts";

export type { Finding } from "../contract/view.ts";

/** What a protocol comes to: below its quorum `undecided`, for a person to settle `escalated`. */
export type Verdict<D> = { outcome: "decided" | "undecided" | "escalated"; reasons: string[]; decision: D };

/** A debate that came to nothing that could be shown as a decision. */
export type Undecided = { outcome: "undecided"; reasons: string[]; decision?: null };

/** Turns texts into vectors, one per text. */
export type Embed = { model: string; embed(texts: readonly string[]): Promise<number[][]> };

/** What `prepare` may use besides the case: an embedding model, when the cast has one. */
export type PrepareTools = { embed: Embed | null };

/** What a debate is about: the case, and the material that was prepared for it. */
export type Given<I, M = null> = { input: I; material: M };

/** One debate: plain async code whose only contact with the world is `debate`. */
export type Protocol<I, C, D, M = null> = (
  debate: Debate,
  given: Given<I, M>,
  config: C,
) => Promise<Verdict<D> | Undecided>;

/** A finished debate with everything it was made of. */
export type Finished<I, C, D, M = null> = Given<I, M> & { config: C; result: DebateResult<D>; turns: Turn[] };

/** A debate as far as it has been held; its material is null until it is prepared. */
export type Held<I, C, D, M = null> = {
  input: I;
  material: M | null;
  config: C;
  turns: Turn[];
  decision: D | null;
};

/** A file of a run's folder; the same run gives the same bytes. */
export type TextArtifact = { name: string; content: string };

/** A file whose text is there, or whose sections are to be written as its name's ending says: `.md` or `.txt`. */
export type Artifact = TextArtifact | { name: string; content: Section[] };

/**
 * Where a role stood in a round, in the words of the pack's answers; for flip ledgers.
 * `item` names what the position is about when a case has several (an aspect); left out, it is the case.
 */
export type Position = { round: number; role: string; answer: string; item?: string };

/** A threshold that a rate passed, with what to do about it. */
export type Warning = { level: "warn" | "high"; metric: string; value: number; tip: string };

/** How a pack measures decisions against gold; gold never reaches a player. */
export type Measure<D, G> = {
  gold: z.ZodType<G>;
  /** The gold of a case in the words of that case (the choice that it names), or why no answer to it could be right. */
  fitGold?(gold: G, input: unknown): { gold: G } | { problem: string };
  /** The name of the metric that says how good a decision is (0..1); a case is right when it is 1. */
  primary: string;
  /** Per-case metrics; a null value does not apply to this case. */
  score(decision: D, gold: G): Record<string, number | null>;
  /** The gold that a decision would be right by, as a dataset writes it: what a reviewer who lets it stand has said. */
  goldOf?(decision: D): unknown;
  /** The stated confidence of the decision. */
  confidence?(decision: D): number | null;
  /** Additive counts of one case (tp, fp, fn per class, hints mapped…); studies sum them over cases, so they stream. */
  tally?(decision: D, gold: G | null): Record<string, number>;
  /** Corpus metrics from summed counts (micro F1, macro F1, coverage…); a null value is undefined here. */
  rates?(totals: Record<string, number>): Record<string, number | null>;
  /** Warnings over the rates of a whole arm, each with a tip. */
  warnings?(rates: Record<string, number | null>): Warning[];
  /** Who stood where in which round. */
  positions?(decision: D, turns: Turn[]): Position[];
  isCorrect?(answer: string, gold: G, item?: string): boolean;
  /** The dataset formats of this domain, by the name that a study file gives them. */
  datasets?: Record<string, DatasetFormat>;
};

/** A row of a dataset file, and where it stands. */
export type DatasetRow = { value: Record<string, unknown>; at: string };

/** A row made into a case, before the pack's schemas have checked it; gold goes no further than the scoring. */
export type DatasetCase = { id: string | null; input: unknown; gold: unknown; at: string };

/** A dataset file: its text, and its rows when it is JSON Lines, a JSON array or CSV. */
export type DatasetFile = { path: string; text: string; rows(layout: "jsonl" | "csv"): DatasetRow[] };

/** What was made of a dataset file, and what was left out of it. */
export type DatasetReading = { cases: DatasetCase[]; notes?: string[] };

/** A kind of dataset file that a pack can read by itself, without a mapping in the study file. */
export type DatasetFormat = {
  about: string;
  /** The file endings that mean this format when a study names none. */
  endings?: readonly string[];
  read(file: DatasetFile): DatasetReading | Promise<DatasetReading>;
};

/** A domain: its case, material, roles, protocol, what it shows and how it is measured. */
export type Pack<I, C, D, M = null> = {
  name: string;
  summary: string;
  /** A case; plain text is one too where the pack can make a case of it. Unknown keys and missing text are errors. */
  input: z.ZodType<I>;
  /** Strict; an empty object parses to the defaults. */
  config: z.ZodType<C>;
  /** What the agents are given; bounded, and journaled once per run. */
  material: z.ZodType<M>;
  decision: z.ZodType<D>;
  /** Makes the material of a case, once per run. The only place, beside experts, that asks what a program knows. */
  prepare(input: I, config: C, tools: PrepareTools): M | Promise<M>;
  /** Every role that a cast may name under this config. */
  roles(config: C): AnyRole[];
  protocol: Protocol<I, C, D, M>;
  /** Small complete cases for the demo and the contract suite. */
  examples: { name: string; input: unknown; config?: unknown }[];
  /** What was said, turn by turn, also while the debate goes on; what it leaves out is shown as it was said. */
  story(debate: Held<I, C, D, M>): Story;
  /** What was decided and why: the verdict first, then what it rests on. */
  sections(finished: Finished<I, C, D, M>): Section[];
  // oxlint-disable-next-line typescript/no-explicit-any
  measure?: Measure<D, any>;
  /** The files of a run's folder. */
  artifacts?(finished: Finished<I, C, D, M>): Artifact[];
};

/** A pack as it is declared: a pack that prepares nothing has no material, and what it does not show is made from its schemas. */
export type PackSpec<I, C, D, M = null> = Omit<
  Pack<I, C, D, M>,
  "material" | "prepare" | "examples" | "story" | "sections"
> &
  Partial<Pick<Pack<I, C, D, M>, "examples" | "story" | "sections">> &
  ([M] extends [null]
    ? Partial<Pick<Pack<I, C, D, M>, "material" | "prepare">>
    : Pick<Pack<I, C, D, M>, "material" | "prepare">);

/** A pack whose types do not matter here: for registries. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyPack = Pack<any, any, any, any>;

/** A finished debate of any pack. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyFinished = Finished<any, any, any, any>;
