import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { explainIssues, formatPath } from "../../text/explain-issues.ts";
import { suggestName } from "../../text/similar.ts";
import { createRandom, deriveSeed, shuffle } from "../../text/random.ts";
import { readJsonl, readText } from "../datasets/load-dataset.ts";
import type { Scorecard } from "../results/results.ts";

const IdSchema = z.union([z.string().min(1), z.number()]).transform(String);
/** Answers are compared as trimmed text; an empty answer is an answer, null is none. */
const AnswerSchema = z.union([z.string(), z.number(), z.boolean()]).transform((value) => String(value).trim());
const WinnerSchema = AnswerSchema.pipe(z.enum(["1", "2"]));
/** A judgment that names neither answer, such as "tie", is none. */
const JudgmentSchema = AnswerSchema.nullable().transform((value) => (value === "1" || value === "2" ? value : null));

/** A labelled case with each panel member's answer; members not named were not asked. */
export const VoteRowSchema = z.object({
  id: IdSchema,
  /** The answer, or an object containing it, as in exported reviews. */
  gold: z.union([AnswerSchema, z.looseObject({ answer: AnswerSchema }).transform(({ answer }) => answer)]),
  category: z.string().nullish(),
  question: z.string().optional(),
  labelled_by: z.string().optional(),
  votes: z.record(z.string(), AnswerSchema.nullable()),
});
export type VoteRow = z.infer<typeof VoteRowSchema>;

/** A labelled pair of answers with each judge's preference, as shown and swapped. */
export const JudgmentRowSchema = z.object({
  id: IdSchema,
  gold: WinnerSchema,
  judgments: z.record(
    z.string(),
    z.union([z.array(JudgmentSchema).min(1).max(2), JudgmentSchema.transform((one) => [one])]),
  ),
  labelled_by: z.string().optional(),
  lengths: z.tuple([z.number(), z.number()]).optional(),
});
export type JudgmentRow = z.infer<typeof JudgmentRowSchema>;

export const AnyRowSchema = z.record(z.string(), z.unknown());

export function readRows<T>(path: string, schema: z.ZodType<T>): T[] {
  const rows = readJsonl(readText(path).text, path);
  return rows.map(({ value, at }) => {
    const parsed = schema.safeParse(value, { reportInput: true });
    if (parsed.success) return parsed.data;
    const [first] = explainIssues(schema, parsed.error);
    throw new ParleyError(
      "bad_input",
      `${at}: ${first && first.path.length > 0 ? `${formatPath(first.path)}: ` : ""}${first?.message ?? "not a row"}`,
    );
  });
}

export function pickRows(rows: readonly VoteRow[], panel: readonly string[], category?: string): VoteRow[] {
  requireNames(
    panel,
    rows.flatMap(({ votes }) => Object.keys(votes)),
  );
  const picked = countOnce(ofCategory(rows, category)).filter((row) =>
    panel.every((name) => row.votes[name] !== undefined),
  );
  if (picked.length === 0)
    throw new ParleyError("bad_input", "there is no row on which every member of the panel was asked");
  requireMatch(rows.map(({ id, gold, votes }) => ({ id, gold, answers: Object.values(votes) })));
  return picked;
}

export function requireNames(wanted: readonly string[], found: readonly string[]): void {
  const names = new Set(found);
  const unknown = wanted.find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new ParleyError("bad_input", `no row has a vote of "${unknown}"${suggestName(unknown, [...names])}`);
}

export function ofCategory(rows: readonly VoteRow[], category: string | undefined): VoteRow[] {
  const categories = new Set(rows.flatMap((row) => (row.category ? [row.category] : [])));
  if (category !== undefined && !categories.has(category))
    throw new ParleyError(
      "bad_input",
      `no row is of the category "${category}"${suggestName(category, [...categories])}`,
    );
  return rows.filter((row) => category === undefined || row.category === category);
}

/** Refuses rows, unless few, in which nobody is ever right: the answers and the gold are probably written differently. */
export function requireMatch(rows: readonly { id: string; gold: string; answers: readonly (string | null)[] }[]): void {
  if (rows.length < 10 || rows.some(({ gold, answers }) => answers.includes(gold))) return;
  const shown = rows.find(({ answers }) => answers.some((one) => one !== null));
  const given = shown?.answers.find((one) => one !== null);
  throw new ParleyError(
    "bad_input",
    shown
      ? `nobody gives the right answer on any of ${rows.length} rows, so gold and votes are likely written in different ways: row "${shown.id}" has gold "${shown.gold}" and a vote for "${given}"`
      : "no row has an answer of anybody",
  );
}

/** Counts rows with one id, or with the same question, votes and gold, once; contradicting rows of one id are refused. */
export function countOnce(rows: readonly VoteRow[]): VoteRow[] {
  const groups = [...Map.groupBy(rows, ({ id }) => id).values()];
  const said = ({ gold, votes }: VoteRow): string => JSON.stringify([gold, votes]);
  const other = groups.find((group) => new Set(group.map(said)).size > 1);
  if (other) throw new ParleyError("bad_input", `rows with the id "${other[0]?.id}" contradict each other`);
  const cases = groups.flatMap(([first]) => first ?? []);
  const keyOf = (row: VoteRow): string => (row.question === undefined ? row.id : `${row.question} ${said(row)}`);
  return [...Map.groupBy(cases, keyOf).values()].flatMap(([first]) => first ?? []);
}

/** The opening answers of one arm as votes, one row per item; all right answers become one, however worded. */
export function votesOfStudy(scorecards: readonly Scorecard[], arm: string): VoteRow[] {
  const first = [
    ...Map.groupBy(scorecards, ({ arm: own, case_id }) => JSON.stringify([own, case_id])).values(),
  ].flatMap((cards) =>
    cards[0]?.arm === arm ? [cards.reduce((least, one) => (one.seed < least.seed ? one : least))] : [],
  );
  return first.flatMap(({ case_id, positions }) => {
    const judged = positions.filter(({ correct }) => correct !== null).sort((a, b) => a.round - b.round);
    const items = [...Map.groupBy(judged, ({ item }) => item)];
    return items.map(([item, own]): VoteRow => {
      const openings = own.filter(({ round }) => round === own[0]?.round);
      const answers = openings.map(({ role, answer, correct }) => [
        role,
        correct ? right : answer === "" ? null : answer,
      ]);
      return { id: item === null ? case_id : `${case_id} ${item}`, gold: right, votes: Object.fromEntries(answers) };
    });
  });
}

const right = "right";

/** Rows on which all speakers were asked. An arm that stops early has few of them, and not at random. */
export function findFullRows(rows: readonly VoteRow[]): { members: string[]; asked: VoteRow[] } {
  const members = [...new Set(rows.flatMap(({ votes }) => Object.keys(votes)))];
  return { members, asked: rows.filter(({ votes }) => members.every((name) => votes[name] !== undefined)) };
}

export const folds = 5;

/** The fold of each row: in turn, or at random with a seed; rows of one id stay together. */
export function splitRows(rows: readonly { id: string }[], seed?: number, count = folds): number[] {
  const ids = [...new Set(rows.map(({ id }) => id))];
  const order = seed === undefined ? ids : shuffle(ids.sort(), createRandom(deriveSeed(`parts ${seed}`)));
  const partOf = new Map(order.map((id, i) => [id, i % count]));
  return rows.map(({ id }) => partOf.get(id) ?? 0);
}
