import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { explainIssues, formatPath } from "../../text/explain-issues.ts";
import { suggestName } from "../../text/nearest-name.ts";
import { readJsonl } from "../datasets/rows.ts";
import { readText } from "../datasets/read-text.ts";

const IdSchema = z.union([z.string().min(1), z.number()]).transform(String);
const AnswerSchema = z.union([z.string(), z.number()]).transform(String);

/** A labelled case and what every member of a panel answered; a member that is not named was not asked. */
export const VoteRowSchema = z.object({
  id: IdSchema,
  gold: AnswerSchema,
  category: z.string().nullish(),
  votes: z.record(z.string(), AnswerSchema.nullable()),
});
export type VoteRow = z.infer<typeof VoteRowSchema>;

/** A labelled pair of answers, and which of them every seat preferred: as shown, and with the two swapped. */
export const JudgmentRowSchema = z.object({
  id: IdSchema,
  gold: z.union([z.enum(["1", "2"]), z.literal(1).transform(() => "1" as const), z.literal(2).transform(() => "2" as const)]),
  judgments: z.record(z.string(), z.array(AnswerSchema.nullable()).min(1).max(2)),
  /** Who gave the right answer, where the file says so. */
  labelled_by: z.string().optional(),
  lengths: z.tuple([z.number(), z.number()]).optional(),
});
export type JudgmentRow = z.infer<typeof JudgmentRowSchema>;

/** The rows of a JSON Lines file, packed or not, checked by a schema; what is wrong is said with its line. */
export function readRows<T>(path: string, schema: z.ZodType<T>): T[] {
  const rows = readJsonl(readText(path).text, path);
  return rows.map(({ value, at }) => {
    const parsed = schema.safeParse(value, { reportInput: true });
    if (parsed.success) return parsed.data;
    const [first] = explainIssues(schema, parsed.error);
    throw new ParleyError("bad_input", `${at}: ${first && first.path.length > 0 ? `${formatPath(first.path)}: ` : ""}${first?.message ?? "not a row"}`);
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
    throw new ParleyError("bad_input", `no row is of the category "${category}"${suggestName(category, [...categories])}`);
  const picked = rows.filter(
    (row) => panel.every((name) => row.votes[name] !== undefined) && (category === undefined || row.category === category),
  );
  if (picked.length === 0) throw new ParleyError("bad_input", "there is no row on which every member of the panel was asked");
  return picked;
}
