import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import { findRecordedSet } from "../players/recorded-model.ts";
import { formatCount } from "../text/format.ts";
import { renderTerminal } from "../print/terminal/render-terminal.ts";
import type { Section } from "../contract/view.ts";
import { replaceFile } from "../store/replace-file.ts";
import {
  AnyRowSchema,
  ballotsOfJudgments,
  ballotsOfVotes,
  buildChoiceSections,
  buildJudgesSections,
  buildJurySections,
  buildPanelSections,
  checkJudges,
  choosePanel,
  countOnce,
  findFullRows,
  JudgmentRowSchema,
  type Labels,
  makeJury,
  measureJury,
  measurePanel,
  ofCategory,
  PairRowSchema,
  pickRows,
  readRows,
  readStudyFolder,
  type VoteRow,
  VoteRowSchema,
  votesOfStudy,
} from "../studies/index.ts";
import type { Io } from "./io.ts";

type Options = {
  panel?: string;
  category?: string;
  choose?: string;
  budget?: string;
  out?: string;
  pairs?: string;
  json?: boolean;
};

const panelExamples = `
Examples:
  parley study panel mmlu-pro --panel gemini-1.5-pro-002,DeepSeek-Coder-V2,Meta-Llama-3_1-70B
  parley study panel mmlu-pro --choose 3 --budget 2.5`;

/** `parley study panel | jury | judges`: what recorded answers of several models say about a panel of them. */
export function addPanelCommands(study: Command, io: Io): void {
  study
    .command("panel")
    .description(
      "Estimates from recorded answers how good a panel would be: members, votes, stopping early, and the ceiling.",
    )
    .argument(
      "<file>",
      "rows {id, gold, votes}, as JSON Lines (.gz too), the folder of a finished study, or a set that comes with Parley: mmlu-pro, gsm8k, click",
    )
    .option("--panel <names>", "the members, in the order they are asked (default: all)")
    .option("--category <name>", "only the cases of this category")
    .option("--choose <number>", "pick that many members on one half and measure them on the other")
    .option("--budget <calls>", "with --choose: the most calls a case, e.g. 2.5")
    .option("--json", "print the figures as JSON")
    .addHelpText("after", panelExamples)
    .action((file: string, options: Options) => panel(io, file, options));
  study
    .command("jury")
    .description("Learns how much weight each member's vote deserves, and tests it on cases held back from learning.")
    .argument(
      "<file>",
      "rows {id, gold, judgments {seat: [as shown, swapped]}} or {id, gold, votes}, labelled by people",
    )
    .option("--panel <names>", "only these seats")
    .option("--category <name>", "only the cases of this category")
    .option("--out <file>", "write the jury file")
    .option("--json", "print the figures as JSON")
    .addHelpText("after", "\nExamples:\n  parley study jury llmbar\n  parley study jury labelled.jsonl --out jury.json")
    .action((file: string, options: Options) => jury(io, file, options));
  study
    .command("judges")
    .description(
      "Checks how far judges can be trusted: accuracy, swapped order, bias to first and longer answers, agreement.",
    )
    .argument("<file>", "rows {id, gold, judgments {seat: [as shown, swapped]}}")
    .option("--panel <names>", "only these seats")
    .option("--pairs <file>", "rows {id, output_1, output_2}: tells which answer was the longer one")
    .option("--json", "print the check-ups as JSON")
    .addHelpText("after", "\nExample:\n  parley study judges llmbar --panel GPT-4/Vanilla,ChatGPT/Vanilla")
    .action((file: string, options: Options) => judges(io, file, options));
}

function panel(io: Io, file: string, options: Options): void {
  const rows = readVotes(locateRows(io, file));
  const named = splitNames(options.panel);
  if (options.choose !== undefined) {
    const size = parseNumber("--choose", options.choose);
    const mostCalls =
      options.budget === undefined ? null : parseNumber("--budget", options.budget.replace(/^calls=/, ""));
    const chosen = choosePanel(ofCategory(rows, options.category), size, { mostCalls, ...(named && { among: named }) });
    return print(io, options, chosen, buildChoiceSections(chosen));
  }
  if (options.budget !== undefined)
    throw new ParleyError("bad_input", "--budget limits the panel that --choose picks; give both");
  const members = named ?? [...new Set(rows.flatMap(({ votes }) => Object.keys(votes)))];
  if (members.length < 2) throw new ParleyError("bad_input", "--panel: a panel has at least two members");
  const picked = pickRows(rows, members, options.category);
  const measure = measurePanel(picked, members);
  const notes = listLeftOut(ofCategory(rows, options.category), picked);
  print(io, options, measure, buildPanelSections(measure, notes));
}

function listLeftOut(rows: readonly VoteRow[], picked: readonly VoteRow[]): string[] {
  const cases = countOnce(rows).length;
  return [
    ...(rows.length > cases
      ? [`${formatCount(rows.length - cases, "row is a copy", "rows are copies")} of others and did not count.`]
      : []),
    ...(cases > picked.length
      ? [
          `${formatCount(cases - picked.length, "case was", "cases were")} left out because not every member was asked there.`,
        ]
      : []),
  ];
}

function splitNames(text: string | undefined): string[] | undefined {
  const names = text?.split(",").map((name) => name.trim());
  if (names?.includes("")) throw new ParleyError("bad_input", `--panel ${text}: a name is empty`);
  if (new Set(names).size < (names?.length ?? 0))
    throw new ParleyError("bad_input", "--panel: a member is listed twice");
  return names;
}

function jury(io: Io, file: string, options: Options): void {
  const labels = readLabels(locateRows(io, file), options.panel, options.category);
  const measure = measureJury(labels);
  if (options.out !== undefined) {
    const made = makeJury(labels, null, file, new Date().toISOString());
    replaceFile(resolve(io.cwd, options.out), `${JSON.stringify(made, null, 2)}\n`);
  }
  const { decided: _decided, ...figures } = measure;
  print(io, options, figures, buildJurySections(measure));
}

/** The labelled ballots of a file of votes or judgments, of a finished study, or of a set that comes with Parley. */
export function readLabels(path: string, panel: string | undefined, category?: string): Labels {
  const seats = splitNames(panel);
  if (isKind(path, "judgments")) return ballotsOfJudgments(readRows(path, JudgmentRowSchema), seats);
  const rows = ofCategory(readVotes(path), category);
  return ballotsOfVotes(seats ? pickRows(rows, seats) : rows, seats);
}

/** True for a file of votes or judgments. */
export function hasVotes(path: string): boolean {
  return isKind(path, "votes") || isKind(path, "judgments");
}

function judges(io: Io, file: string, options: Options): void {
  const path = locateRows(io, file);
  const sizes = new Map(
    options.pairs === undefined
      ? []
      : readRows(resolve(io.cwd, options.pairs), PairRowSchema).map(({ id, output_1, output_2 }) => [
          id,
          [output_1.length, output_2.length] as [number, number],
        ]),
  );
  const rows = readRows(path, JudgmentRowSchema).map((row) => ({ ...row, lengths: row.lengths ?? sizes.get(row.id) }));
  const checks = checkJudges(rows, splitNames(options.panel));
  print(io, options, checks, buildJudgesSections(checks, rows));
}

/** Of a study, the openings of the arm that asked all its speakers most often; the one that all are compared with, if it did. */
function readVotes(path: string): VoteRow[] {
  if (!existsSync(join(path, "manifest.json"))) return readVoteRows(path);
  const { manifest, scorecards } = readStudyFolder(path);
  const rank = { reference: 0, control: 1, arm: 2 };
  const [most] = manifest.arms
    .toSorted((a, b) => rank[a.kind] - rank[b.kind])
    .map(({ name }) => votesOfStudy(scorecards, name))
    .map((rows) => ({ rows, ...findFullRows(rows) }))
    .filter(({ members }) => members.length > 1)
    .sort((a, b) => b.asked.length - a.asked.length);
  if (!most) throw new ParleyError("bad_input", `no arm of ${path} has labelled openings of two speakers or more`);
  return most.rows;
}

/** The rows of a file; of exported reviews, which have the case too, those that say what each speaker answered. */
function readVoteRows(path: string): VoteRow[] {
  const isReview = (row: Record<string, unknown>): boolean => "input" in row && !("votes" in row);
  const schema = AnyRowSchema.transform((row) => (isReview(row) ? null : row)).pipe(VoteRowSchema.nullable());
  const rows = readRows(path, schema).filter((row) => row !== null);
  if (rows.length === 0)
    throw new ParleyError("bad_input", `${path}: no row says what each speaker answered ("votes": {speaker: answer})`);
  return rows;
}

/** A file or folder of the user's, or a set of recorded answers that comes with Parley, by its name. */
export function locateRows(io: Io, file: string): string {
  const own = resolve(io.cwd, file);
  return existsSync(own) ? own : (findRecordedSet(file) ?? own);
}

function isKind(path: string, key: "votes" | "judgments"): boolean {
  if (existsSync(join(path, "manifest.json"))) return false;
  return readRows(path, AnyRowSchema).some((row) => key in row);
}

function parseNumber(option: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new ParleyError("bad_input", `${option} ${text}: give a number above 0`);
}

function print(io: Io, { json }: Options, value: unknown, sections: Section[]): void {
  if (json) io.out(`${JSON.stringify(value, null, 2)}\n`);
  else io.painted(renderTerminal(sections, io));
}
