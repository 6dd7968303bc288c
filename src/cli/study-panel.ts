import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import { findRecordedSet, listRecordedSets } from "../players/offline-players.ts";
import { formatCount } from "../text/format.ts";
import { suggestName } from "../text/similar.ts";
import type { Section } from "../contract/view.ts";
import { replaceFile } from "../store/replace-file.ts";
import {
  AnyRowSchema,
  ballotsOfJudgments,
  ballotsOfVotes,
  buildJudgesSections,
  buildJurySections,
  buildPanelSections,
  checkJudges,
  countOnce,
  findFullRows,
  JudgmentRowSchema,
  type Labels,
  makeJury,
  measureJury,
  measurePanel,
  ofCategory,
  pickRows,
  readRows,
  readStudyFolder,
  type VoteRow,
  VoteRowSchema,
  votesOfStudy,
} from "../studies/index.ts";
import { defineCommand, flag, text } from "./command.ts";
import { type Io, resolveOut } from "./io.ts";

const membersOption = { panel: text("<names>", "only these members") };
const categoryOption = { category: text("<name>", "only the cases of this category") };
const jsonOption = { json: flag("print the figures as JSON") };

export function createPanelCommands(io: Io): Command[] {
  return [
    defineCommand({
      name: "panel",
      arguments: {
        "<file>":
          "rows {id, gold, votes}, as JSON Lines (.gz too), the folder of a finished study, or a set that comes with Parley: mmlu-pro, gsm8k, click",
      },
      options: {
        panel: text("<names>", "the members, in the order they are asked (default: all)"),
        ...categoryOption,
        ...jsonOption,
      },
      action(given, file: string) {
        const rows = ofCategory(readVotes(locateRows(io, file)), given.category);
        const named = splitNames(given.panel);
        const members = named ?? [...new Set(rows.flatMap(({ votes }) => Object.keys(votes)))];
        if (members.length < 2) throw new ParleyError("bad_input", "--panel: a panel has at least two members");
        const picked = pickRows(rows, members);
        const measure = measurePanel(picked, members);
        print(io, given, measure, buildPanelSections(measure, listLeftOut(rows, picked)));
      },
    }),
    defineCommand({
      name: "jury",
      arguments: {
        "<file>": "rows {id, gold, judgments {judge: [as shown, swapped]}} or {id, gold, votes}, labelled by people",
      },
      options: { ...membersOption, ...categoryOption, out: text("<file>", "write the jury file"), ...jsonOption },
      action(given, file: string) {
        const labels = readLabels(locateRows(io, file), given.panel, given.category);
        const measure = measureJury(labels);
        if (given.out !== undefined) {
          const made = makeJury(labels, null, file, new Date().toISOString());
          replaceFile(resolveOut(io, { out: given.out }), `${JSON.stringify(made, null, 2)}\n`);
        }
        const { decided: _decided, ...figures } = measure;
        print(io, given, figures, buildJurySections(measure));
      },
    }),
    defineCommand({
      name: "judges",
      arguments: { "<file>": "rows {id, gold, judgments {judge: [as shown, swapped]}}" },
      options: { ...membersOption, ...jsonOption },
      action(given, file: string) {
        const rows = readRows(locateRows(io, file), JudgmentRowSchema);
        const checks = checkJudges(rows, splitNames(given.panel));
        print(io, given, checks, buildJudgesSections(checks));
      },
    }),
  ];
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

/** Labelled ballots from a file of votes or judgments, a finished study, or a bundled set. */
export function readLabels(path: string, panel: string | undefined, category?: string): Labels {
  const members = splitNames(panel);
  if (isKind(path, "judgments")) return ballotsOfJudgments(readRows(path, JudgmentRowSchema), members);
  const rows = ofCategory(readVotes(path), category);
  return ballotsOfVotes(members ? pickRows(rows, members) : rows, members);
}

export function hasVotes(path: string): boolean {
  return isKind(path, "votes") || isKind(path, "judgments");
}

/** From a study: the opening answers of the arm that asked all speakers most often, preferring the reference. */
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

/** Reads vote rows; from exported reviews, only those with each speaker's answer. */
function readVoteRows(path: string): VoteRow[] {
  const isReview = (row: Record<string, unknown>): boolean => "input" in row && !("votes" in row);
  const schema = AnyRowSchema.transform((row) => (isReview(row) ? null : row)).pipe(VoteRowSchema.nullable());
  const rows = readRows(path, schema).filter((row) => row !== null);
  if (rows.length === 0)
    throw new ParleyError("bad_input", `${path}: no row says what each speaker answered ("votes": {speaker: answer})`);
  return rows;
}

export function locateRows(io: Io, file: string): string {
  const own = resolve(io.cwd, file);
  const found = existsSync(own) ? own : findRecordedSet(file);
  if (found !== null) return found;
  throw new ParleyError(
    "bad_input",
    `${file} does not exist; name a file, a study's folder, or a set that comes with Parley${suggestName(file, listRecordedSets())}`,
  );
}

function isKind(path: string, key: "votes" | "judgments"): boolean {
  if (existsSync(join(path, "manifest.json"))) return false;
  return readRows(path, AnyRowSchema).some((row) => key in row);
}

function print(io: Io, { json }: { json?: boolean }, value: unknown, sections: Section[]): void {
  if (json) io.json(value);
  else io.show(sections);
}
