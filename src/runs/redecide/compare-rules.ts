import { type Difference, formatDifference, diffJson } from "../../text/json-diff.ts";
import { jsonCopy } from "../../text/json-copy.ts";
import type { Note } from "../../contract/result.ts";

/** A rule that decided otherwise (`changed`), decided what it had not (`new`), or was not asked any more (`gone`). */
export type RuleChange = {
  rule: string;
  round: number;
  /** What tells this decision of the rule from its others in the run: an aspect, a round; empty when it is the only one. */
  about: string;
  change: "changed" | "new" | "gone";
  differences: Difference[];
};

/** Compares the rules' notes: the n-th note of a type in a round with the n-th of the other run. */
export function compareRules(before: readonly Note[], after: readonly Note[]): RuleChange[] {
  const left = numberNotes(before);
  const right = numberNotes(after);
  const names = [...new Set([...left.keys(), ...right.keys()])];
  return names.flatMap((name) => {
    const [old, now] = [left.get(name), right.get(name)];
    const note = old ?? now;
    const differences = diffJson(old?.data, jsonCopy(now?.data));
    if (!note || differences.length === 0) return [];
    const change = old === undefined ? "new" : now === undefined ? "gone" : "changed";
    return [{ rule: note.type, round: note.round, about: tellApart(note, old ? before : after), change, differences }];
  });
}

/** The changes of rules in words, one per line; neighbours that came or went alike are told together. */
export function formatRuleChanges(changes: readonly RuleChange[]): string[] {
  const groups: RuleChange[][] = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const like = group?.[0];
    if (group && like?.rule === change.rule && like.change === change.change && change.change !== "changed")
      group.push(change);
    else groups.push([change]);
  }
  return groups.map(groupLine);
}

const shownDifferences = 6;

function groupLine(group: RuleChange[]): string {
  const [first] = group;
  if (!first) return "";
  const last = group.at(-1);
  const about = group.length > 1 ? `${first.about} … ${last?.about ?? ""}` : first.about;
  const where = [about, first.round > 0 ? `round ${first.round}` : ""].filter(Boolean).join(", ");
  const name = `${first.rule}${where === "" ? "" : ` (${where})`}`;
  if (first.change !== "changed") {
    const times = group.length > 1 ? `${group.length} times ` : "";
    return `${name}: ${first.change === "gone" ? `${times}not asked any more` : `${times}newly asked`}${valueText(group)}`;
  }
  const shown = first.differences.slice(0, shownDifferences).map(formatDifference);
  const more = first.differences.length - shown.length;
  return `${name}: ${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** What a rule that came or went had to say; of several only how many. */
function valueText([first, ...others]: RuleChange[]): string {
  const [difference] = first?.differences ?? [];
  if (!difference || others.length > 0) return "";
  const data: unknown = difference.after ?? difference.before;
  if (data === null || typeof data !== "object") return "";
  const scalars = Object.entries(data).filter(([, value]) => value === null || typeof value !== "object");
  const text = scalars.map(([key, value]) => `${key} ${typeof value === "number" ? roundValue(value) : String(value)}`);
  return text.length > 0
    ? ` (${first?.change === "gone" ? "it was " : ""}${text.slice(0, shownDifferences).join(", ")})`
    : "";
}

function roundValue(value: number): number {
  return Number(value.toPrecision(4));
}

/** The first plain value in which a rule's notes of one run all differ. */
function tellApart(note: Note, notes: readonly Note[]): string {
  const alike = notes
    .filter((one) => one.type === note.type && one.round === note.round)
    .map((one) => fields(one.data));
  if (alike.length < 2) return "";
  const own = fields(note.data);
  const key = Object.keys(own).find((name) => {
    const values = alike.map((one) => one[name]);
    return values.every(isPlain) && new Set(values).size === values.length;
  });
  return key === undefined
    ? ""
    : `${typeof own[key] === "number" ? `${key.replaceAll("_", " ")} ` : ""}${String(own[key])}`;
}

function isPlain(value: unknown): boolean {
  return typeof value === "string" || (typeof value === "number" && Number.isInteger(value));
}

function fields(data: unknown): Record<string, unknown> {
  return data !== null && typeof data === "object" ? (data as Record<string, unknown>) : {};
}

function numberNotes(notes: readonly Note[]): Map<string, Note> {
  const counts = new Map<string, number>();
  return new Map(
    notes.map((note) => {
      const kind = `${note.round}/${note.type}`;
      const number = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, number);
      return [`${kind}/${number}`, note];
    }),
  );
}
