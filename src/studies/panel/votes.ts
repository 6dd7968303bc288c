import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { explainIssues, formatPath } from "../../text/explain-issues.ts";
import { suggestName } from "../../text/similar.ts";
import { createRandom, deriveSeed, shuffle } from "../../text/random.ts";
import { readJsonl } from "../datasets/rows.ts";
import { readText } from "../datasets/rows.ts";
import type { Scorecard } from "../results/results.ts";

const IdSchema = z.union([z.string().min(1), z.number()]).transform(String);
const AnswerSchema = z.union([z.string(), z.number()]).transform(String);

/** A labelled case and what every member of a panel answered; a member that is not named was not asked. */
export const VoteRowSchema = z.object({
  id: IdSchema,
  /** The answer, or as exported reviews write it, an object that has it. */
  gold: z.union([AnswerSchema, z.looseObject({ answer: AnswerSchema }).transform(({ answer }) => answer)]),
  category: z.string().nullish(),
  /** Who gave the right answer, where the file says so: `person`, `key`, `model`… */
  labelled_by: z.string().optional(),
  votes: z.record(z.string(), AnswerSchema.nullable()),
});
export type VoteRow = z.infer<typeof VoteRowSchema>;

/** A labelled pair of answers, and which of them every seat preferred: as shown, and with the two swapped. */
export const JudgmentRowSchema = z.object({
  id: IdSchema,
  gold: z.union([
    z.enum(["1", "2"]),
    z.literal(1).transform(() => "1" as const),
    z.literal(2).transform(() => "2" as const),
  ]),
  judgments: z.record(z.string(), z.array(AnswerSchema.nullable()).min(1).max(2)),
  /** Who gave the right answer, where the file says so. */
  labelled_by: z.string().optional(),
  /** How long the two answers are. */
  lengths: z.tuple([z.number(), z.number()]).optional(),
});
export type JudgmentRow = z.infer<typeof JudgmentRowSchema>;

/** The two answers of a pair. */
export const PairRowSchema = z.object({ id: IdSchema, output_1: z.string(), output_2: z.string() });

/** A row of any of these kinds. */
export const AnyRowSchema = z.record(z.string(), z.unknown());

/** The rows of a JSON Lines file, packed or not, checked by a schema; what is wrong is said with its line. */
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

/** The rows on which every member was asked, of one category if one is named. */
export function pickRows(rows: readonly VoteRow[], panel: readonly string[], category?: string): VoteRow[] {
  const names = new Set(rows.flatMap(({ votes }) => Object.keys(votes)));
  const unknown = panel.find((name) => !names.has(name));
  if (unknown !== undefined)
    throw new ParleyError("bad_input", `no row has a vote of "${unknown}"${suggestName(unknown, [...names])}`);
  const categories = new Set(rows.flatMap((row) => (row.category ? [row.category] : [])));
  if (category !== undefined && !categories.has(category))
    throw new ParleyError(
      "bad_input",
      `no row is of the category "${category}"${suggestName(category, [...categories])}`,
    );
  const picked = countOnce(rows).filter(
    (row) =>
      panel.every((name) => row.votes[name] !== undefined) && (category === undefined || row.category === category),
  );
  if (picked.length === 0)
    throw new ParleyError("bad_input", "there is no row on which every member of the panel was asked");
  return picked;
}

/** Rows with the same id are one case: it counts once, and is refused when its rows disagree. */
export function countOnce(rows: readonly VoteRow[]): VoteRow[] {
  const groups = [...Map.groupBy(rows, ({ id }) => id).values()];
  const other = groups.find((group) => new Set(group.map((one) => JSON.stringify([one.gold, one.votes]))).size > 1);
  if (other) throw new ParleyError("bad_input", `several rows have the id "${other[0]?.id}" and say different things`);
  return groups.flatMap(([first]) => first ?? []);
}

/**
 * The openings of one arm of a study as votes, one row for each item of each case: what every role said before it heard
 * another. Right answers are one answer here, however they were worded.
 */
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

/** Cases are parted into so many parts where something is learnt on some and measured on the rest. */
export const folds = 5;

/** The part that each row belongs to, in turn as cases come, or by lot with a seed; rows of one id are one case. */
export function splitRows(rows: readonly { id: string }[], seed?: number): number[] {
  const ids = [...new Set(rows.map(({ id }) => id))];
  const order = seed === undefined ? ids : shuffle(ids.sort(), createRandom(deriveSeed(`parts ${seed}`)));
  const partOf = new Map(order.map((id, i) => [id, i % folds]));
  return rows.map(({ id }) => partOf.get(id) ?? 0);
}
