import * as z from "zod";
import { describeProblem, type Turn } from "../contract/turn.ts";
import type { Section } from "../contract/view.ts";
import { isRecord } from "../text/json.ts";
import type { Finished, Pack, PackSpec, Protocol } from "./pack.ts";

/** Declares a pack with its types inferred; displays it does not define are derived from its schemas. */
export function definePack<I, C, D, M = null>(spec: PackSpec<I, C, D, M>): Pack<I, C, D, M> {
  return {
    ...spec,
    material: spec.material ?? (z.null() as unknown as z.ZodType<M>),
    prepare: spec.prepare ?? (() => null as M),
    protocol: escalateUnsure(spec.protocol, spec.measure?.confidence ?? (() => null)),
    examples: spec.examples ?? examplesOf(spec.input),
    story: spec.story ?? (({ input }) => ({ subject: describeSubject(input), stages: [], exhibits: [] })),
    sections: spec.sections ?? showFinished,
  };
}

/** Example cases from the input schema's `.meta({ examples: [...] })`. */
function examplesOf(input: z.ZodType): { name: string; input: unknown }[] {
  const given = z.globalRegistry.get(input)?.examples;
  const examples: unknown[] = Array.isArray(given) ? given : [];
  return examples.map((example, index) => ({ name: `example ${index + 1}`, input: example }));
}

/** The setting that hands unsure decisions to a person; `study certify` finds its value. */
export const ActAboveSchema = z
  .number()
  .min(0)
  .max(1)
  .optional()
  .describe("decisions with a stated confidence below this go to a person; left out, every decision stands");

/** Escalates decisions whose confidence is below `act_above`. */
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
      reasons: [...verdict.reasons, `not confident enough to act: ${stated}, ${round(needed)} is needed`],
    };
  };
}

function round(value: number): number {
  return Number(value.toFixed(3));
}

/** For packs without sections of their own: the decision's first field is the answer, the others are facts, then the turns. */
function showFinished<I, C, D, M>({ input, result, turns }: Finished<I, C, D, M>): Section[] {
  const { decision, outcome, reasons } = result;
  const fields = isRecord(decision)
    ? Object.entries(decision)
    : decision === null
      ? []
      : [["answer", decision] as const];
  const [first, ...rest] = fields.filter(([, value]) => value !== undefined && value !== null);
  const confidence = isRecord(decision) ? decision.confidence : undefined;
  const said = first === undefined ? "No decision" : describeValue(first[1]);
  // A slightly different number is not a different decision.
  const words = fields.filter(([, value]) => typeof value !== "number" && typeof value !== "object");
  const tables = rest.flatMap(([key, value]) => (isTable(value) ? [drawTable(key, value)] : []));
  const plain = rest.filter(([key, value]) => !isTable(value) && key !== "confidence");
  const rows = plain.map(([key, value]) => ({ label: readable(key), value: describeValue(value) }));
  const facts: Section[] = rows.length > 0 ? [{ kind: "facts", title: "Decision", rows }] : [];
  const verdict: Section = {
    kind: "verdict",
    title: describeSubject(input),
    answer: outcome === "decided" ? said : `${said} (${readable(outcome)})`,
    tone: outcome === "decided" ? "good" : "warn",
    ...(typeof confidence === "number" && confidence >= 0 && confidence <= 1 && { confidence }),
    points: reasons,
    ...(fields.length > 0 && {
      headline: Object.fromEntries(words.map(([key, value]) => [readable(key), describeValue(value)])),
    }),
  };
  return [verdict, ...facts, ...tables, ...showRounds(turns)];
}

function isTable(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
}

function drawTable(name: string, rows: Record<string, unknown>[]): Section {
  const keys = [...new Set(rows.flatMap(Object.keys))];
  const cells = rows.map((row) => keys.map((key) => describeValue(row[key])));
  const title = readable(name).replace(/^./, (letter) => letter.toUpperCase());
  return { kind: "table", title, columns: keys.map(readable), rows: cells };
}

/** The turns round by round, each by the first field of its reply. */
function showRounds(turns: readonly Turn[]): Section[] {
  return [...Map.groupBy(turns, ({ key }) => key.round)].map(([round, asked]) => ({
    kind: "steps",
    title: round === 0 ? "Outside the rounds" : `Round ${round}`,
    steps: asked.map(({ key, status, reply, problems }) => {
      const label = key.step === key.role ? key.role : `${key.step} ${key.role}`;
      if (status === "abstained")
        return { label, outcome: "abstained", detail: problems.map(describeProblem).join("; ") };
      const said = (isRecord(reply) ? Object.values(reply) : [reply]).filter((value) => value !== null);
      const [outcome = "", ...rest] = said.map(describeValue);
      return { label, outcome, detail: rest.join(" · ") };
    }),
  }));
}

export function describeValue(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return String(Number(value.toPrecision(12)));
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(describeValue).join(", ");
  if (!isRecord(value)) return "–";
  const parts = Object.entries(value).map(([key, one]) => `${readable(key)} ${describeValue(one)}`);
  return parts.join(" · ");
}

function readable(key: string): string {
  return key.replaceAll("_", " ");
}

/** The default subject of a case: its first words. */
export function describeSubject(input: unknown): string {
  const text = isRecord(input)
    ? Object.entries(input).find(([key, value]) => key !== "id" && typeof value === "string")?.[1]
    : input;
  return describeValue(text ?? input);
}
