import * as z from "zod";
import { describeProblem, type Turn } from "../contract/turn.ts";
import type { Section } from "../contract/view.ts";
import { isRecord } from "../text/json.ts";
import type { Finished, Pack, PackSpec, Protocol } from "./pack.ts";

/** Declares a pack with its types inferred; anything it does not define for display is made from its schemas. */
export function definePack<I, C, D, M = null>(spec: PackSpec<I, C, D, M>): Pack<I, C, D, M> {
  return {
    ...spec,
    material: spec.material ?? (z.null() as unknown as z.ZodType<M>),
    prepare: spec.prepare ?? (() => null as M),
    protocol: escalateUnsure(spec.protocol, spec.measure?.confidence ?? (() => null)),
    examples: spec.examples ?? examplesOf(spec.input),
    story: spec.story ?? (({ input }) => ({ subject: describeSubject(input), stages: [], exhibits: [] })),
    sections: spec.sections ?? ((finished) => showFinished(finished, spec)),
  };
}

/** The cases that the input's schema gives as examples: `.meta({ examples: [...] })`. */
function examplesOf(input: z.ZodType): { name: string; input: unknown }[] {
  const given = z.globalRegistry.get(input)?.examples;
  const examples: unknown[] = Array.isArray(given) ? given : [];
  return examples.map((example, index) => ({ name: `example ${index + 1}`, input: example }));
}

/** The setting that makes a pack act only where it is sure enough; a certificate gives its value. */
export const ActAboveSchema = z
  .number()
  .min(0)
  .max(1)
  .optional()
  .describe("decisions with a stated confidence below this go to a person; left out, every decision stands");

/** Hands decisions that are less sure than `act_above` to a person. */
function escalateUnsure<I, C, D, M>(
  protocol: Protocol<I, C, D, M>,
  confidenceOf: (decision: D) => number | null,
): Protocol<I, C, D, M> {
  return async (debate, given, config) => {
    const verdict = await protocol(debate, given, config);
    const { act_above: needed } = config as { act_above?: number };
    if (needed === undefined || verdict.outcome !== "decided") return verdict;
    const confidence = confidenceOf(verdict.decision);
    const act = confidence !== null && confidence >= needed;
    debate.note("act_above", { confidence, needed, act });
    if (act) return verdict;
    const stated = confidence === null ? "no confidence is stated" : `the confidence is ${round(confidence)}`;
    return {
      ...verdict,
      outcome: "escalated",
      reasons: [...verdict.reasons, `not sure enough to act: ${stated}, ${round(needed)} is needed`],
    };
  };
}

function round(value: number): number {
  return Number(value.toFixed(3));
}

/** A pack shown without a page of its own: the decision's first field is the answer, the others are facts, then who said what. */
function showFinished<I, C, D, M>(
  { input, result, turns }: Finished<I, C, D, M>,
  { decision: schema }: { decision: z.ZodType<D> },
): Section[] {
  const { decision, outcome, reasons } = result;
  const fields = decision === null ? [] : listFields(schema, decision);
  const [first, ...rest] = fields;
  const confidence = isRecord(decision) ? decision.confidence : undefined;
  const stated = typeof confidence === "number" && confidence >= 0 && confidence <= 1 ? { confidence } : {};
  const words = fields.filter(({ value }) => typeof value !== "number" && typeof value !== "object");
  const isDecided = outcome === "decided";
  const said = first === undefined ? "No decision" : describeValue(first.value);
  const verdict: Section = {
    kind: "verdict",
    title: describeSubject(input),
    answer: isDecided ? said : `${said} (${outcome.replaceAll("_", " ")})`,
    tone: isDecided ? "good" : "warn",
    ...stated,
    points: reasons,
    // A number that moved a little is no other decision.
    ...(decision === null
      ? {}
      : { headline: Object.fromEntries(words.map(({ label, value }) => [label, describeValue(value)])) }),
  };
  const rows = rest
    .filter(({ label, value }) => !isTable(value) && (!("confidence" in stated) || label !== "confidence"))
    .map(({ label, value }) => ({ label, value: describeValue(value) }));
  const facts: Section[] = rows.length > 0 ? [{ kind: "facts", title: "Decision", rows }] : [];
  const tables = rest.flatMap(({ label, value }) => (isTable(value) ? [drawTable(label, value)] : []));
  return [verdict, ...facts, ...tables, ...showRounds(turns)];
}

function isTable(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

function drawTable(label: string, rows: Record<string, unknown>[]): Section {
  const keys = [...new Set(rows.flatMap(Object.keys))];
  return {
    kind: "table",
    title: label.charAt(0).toUpperCase() + label.slice(1),
    columns: keys.map(readable),
    rows: rows.map((row) => keys.map((key) => describeValue(row[key]))),
  };
}

/** The fields of a decision in the order of its schema, by the schema's titles or their names. */
function listFields(schema: z.ZodType, value: unknown): { label: string; value: unknown }[] {
  if (!isRecord(value)) return [{ label: "answer", value }];
  const { properties = {} } = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" });
  return [...new Set([...Object.keys(properties), ...Object.keys(value)])]
    .filter((key) => value[key] !== undefined && value[key] !== null)
    .map((key) => ({
      label: (properties[key] as { title?: string } | undefined)?.title ?? readable(key),
      value: value[key],
    }));
}

/** Who said what, round by round: the reply's first field is what was said, its longest text is why. */
function showRounds(turns: readonly Turn[]): Section[] {
  return [...Map.groupBy(turns, ({ key }) => key.round)].map(([round, asked]) => ({
    kind: "steps",
    title: round === 0 ? "Outside the rounds" : `Round ${round}`,
    steps: asked.map(({ key, status, reply, problems }) => {
      const said = isRecord(reply)
        ? Object.values(reply)
            .filter((value) => value !== null)
            .map(describeValue)
        : [describeValue(reply)];
      const [first = "", ...rest] = said;
      const label = key.step === key.role ? key.role : `${key.step} ${key.role}`;
      if (status === "abstained")
        return { label, outcome: "abstained", detail: problems.map(describeProblem).join("; ") };
      return { label, outcome: first, detail: rest.toSorted((a, b) => b.length - a.length)[0] ?? "" };
    }),
  }));
}

/** A value in words: lists with commas, yes and no, numbers without dust. */
function describeValue(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(Number(value.toPrecision(12)));
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(describeValue).join(", ");
  if (isRecord(value))
    return Object.entries(value)
      .map(([key, one]) => `${readable(key)} ${describeValue(one)}`)
      .join(" · ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

function readable(key: string): string {
  return key.replaceAll("_", " ");
}

/** What a case is about when its pack does not say: its first words. */
export function describeSubject(input: unknown): string {
  const text = isRecord(input)
    ? Object.entries(input).find(([key, value]) => key !== "id" && typeof value === "string")?.[1]
    : input;
  return typeof text === "string" ? text : describeValue(input);
}
