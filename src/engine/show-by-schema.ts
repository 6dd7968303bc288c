import * as z from "zod";
import { turnIdOf, type Turn } from "../contract/turn.ts";
import type { Section } from "../contract/view.ts";
import { isRecord } from "../text/json.ts";
import type { Finished } from "./pack.ts";

/** A field of a decision or a reply, and how it can be shown. */
export type Field = { key: string; label: string; value: unknown; kind: "short" | "text" | "list" | "table" | "data" };

/** Longer words are a paragraph of their own. */
const shortText = 80;

/** The fields of a value in the order of its schema, labelled with the schema's titles, else with the fields' names. */
export function listFields(schema: z.ZodType, value: unknown): Field[] {
  if (!isRecord(value)) return [{ key: "answer", label: "answer", value, kind: kindOf(value) }];
  const json = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" });
  const properties = json.properties ?? {};
  const keys = [...new Set([...Object.keys(properties), ...Object.keys(value)])];
  return keys
    .filter((key) => value[key] !== undefined && value[key] !== null)
    .map((key) => ({ key, label: titleOf(properties[key], key), value: value[key], kind: kindOf(value[key]) }));
}

function titleOf(property: unknown, key: string): string {
  const title = isRecord(property) ? property.title : undefined;
  return typeof title === "string" ? title : key.replaceAll("_", " ");
}

function kindOf(value: unknown): Field["kind"] {
  if (typeof value === "string") return value.length > shortText || value.includes("\n") ? "text" : "short";
  if (!Array.isArray(value)) return isRecord(value) ? "data" : "short";
  return value.length > 0 && value.every(isRecord) ? "table" : "list";
}

/** A finished debate shown without a page of the pack's own: the decision's first field is the answer, the rest follows in order. */
export function showFinished<I, C, D, M>(
  { result, turns }: Finished<I, C, D, M>,
  schema: z.ZodType<D>,
  { subject, headline }: { subject: string; headline(decision: D): Record<string, string> },
): Section[] {
  const { decision, outcome, reasons } = result;
  const fields = decision === null ? [] : listFields(schema, decision);
  const [first, ...rest] = fields;
  const confidence = fields.find(({ key, value }) => key === "confidence" && isShare(value));
  const others = rest.filter((field) => field !== confidence);
  const facts = others.filter(({ kind }) => kind === "short");
  const words = outcome.replaceAll("_", " ");
  const isDecided = outcome === "decided";
  const said = first === undefined ? `No decision (${words})` : wordValue(first.value);
  return [
    {
      kind: "verdict",
      title: subject,
      answer: isDecided || first === undefined ? said : `${said} (${words})`,
      tone: isDecided ? "good" : "warn",
      ...(confidence === undefined ? {} : { confidence: confidence.value as number }),
      points: reasons,
      ...(decision === null ? {} : { headline: headline(decision) }),
    },
    ...(facts.length > 0 ? [listFacts(facts)] : []),
    ...others.filter(({ kind }) => kind !== "short").map(showField),
    ...showRounds(turns),
  ];
}

function isShare(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value <= 1;
}

function listFacts(fields: readonly Field[]): Section {
  return {
    kind: "facts",
    title: "Decision",
    rows: fields.map(({ label, value }) => ({ label, value: wordValue(value) })),
  };
}

function showField({ label, value, kind }: Field): Section {
  const title = label.charAt(0).toUpperCase() + label.slice(1);
  if (kind === "list") return { kind: "list", title, items: (value as unknown[]).map(wordValue) };
  if (kind === "table") return tabulate(title, value as Record<string, unknown>[]);
  if (kind === "text") return { kind: "text", title, text: String(value) };
  const rows = Object.entries(value as object).map(([key, one]) => ({
    label: key.replaceAll("_", " "),
    value: wordValue(one),
  }));
  return { kind: "facts", title, rows };
}

function tabulate(title: string, rows: readonly Record<string, unknown>[]): Section {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return {
    kind: "table",
    title,
    columns: keys.map((key) => ({
      name: key.replaceAll("_", " "),
      numeric: rows.every((row) => typeof row[key] === "number"),
    })),
    rows: rows.map((row) => keys.map((key) => wordValue(row[key]))),
  };
}

/** Who said what, round by round: the reply's first field is what was said, its longest text is why. */
function showRounds(turns: readonly Turn[]): Section[] {
  return [...Map.groupBy(turns, ({ key }) => key.round)].map(([round, asked]) => ({
    kind: "steps",
    title: round === 0 ? "Outside the rounds" : `Round ${round}`,
    steps: asked.map((turn) => ({ label: labelTurn(turn, asked), ...wordReply(turn) })),
  }));
}

/** A role that speaks once in a round is named by itself; else its step tells the turns apart. */
function labelTurn({ key }: Turn, asked: readonly Turn[]): string {
  const isOnce = asked.filter((turn) => turn.key.role === key.role).length === 1;
  return isOnce ? key.role : turnIdOf(key).split("/").slice(1).join(" ");
}

function wordReply({ status, reply, problems }: Turn): { outcome: string; detail: string } {
  if (status === "abstained")
    return { outcome: "abstained", detail: problems.map(({ message }) => message).join("; ") };
  if (!isRecord(reply)) return { outcome: wordValue(reply), detail: "" };
  const [first = "", ...rest] = Object.values(reply)
    .filter((value) => value !== null)
    .map(wordValue);
  return { outcome: first, detail: rest.toSorted((a, b) => b.length - a.length)[0] ?? "" };
}

/** A value in words: lists with commas, yes and no, numbers without dust. */
export function wordValue(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(Number(value.toPrecision(12)));
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(wordValue).join(", ");
  if (isRecord(value)) return Object.values(value).map(wordValue).join(" · ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What a case is about when its pack does not say: its first words. */
export function describeSubject(input: unknown): string {
  if (!isRecord(input)) return wordValue(input);
  const text = Object.entries(input).find(([key, value]) => key !== "id" && typeof value === "string")?.[1];
  return typeof text === "string" ? text : wordValue(input);
}
