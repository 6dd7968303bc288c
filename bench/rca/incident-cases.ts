/** Reads the written incidents of `examples/incidents` and of the held-out sets that have been looked at: raw logs as an engineer has them, with the true cause beside each. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod";
import { type ParsedLog, parseLines, parseLogs } from "../../src/knowledge/logs/index.ts";
import { CategorySchema } from "../../src/knowledge/incidents/index.ts";
import { drawCases } from "./drawn-cases.ts";
import { ninthCases } from "./ninth-cases.ts";

/** The key of an incident; `any` and `all` are patterns that the sentence of the cause must satisfy. */
export const TruthSchema = z.strictObject({
  file: z.string(),
  /** The held-out sets name some categories in other words. */
  category: z.preprocess((name) => (name === "configuration" || name === "security" ? "config" : name), CategorySchema),
  component: z.string().nullish(),
  cause: z.string().optional(),
  /** The same for incidents of one cause, however their causes are told. */
  label: z.string().optional(),
  any: z.array(z.string()).default([]),
  all: z.array(z.string()).default([]),
});
export type Truth = z.infer<typeof TruthSchema>;
export type IncidentCase = { truth: Truth; under: string; log: ParsedLog };

const examples = resolve(import.meta.dirname, "../../examples");
const folder = join(examples, "incidents");

/** The incidents of a folder beside the examples, in the order of their key; those of the ninth set are written by a program. */
export async function readIncidentCases(under = "."): Promise<IncidentCase[]> {
  if (under.startsWith("ninth")) return readNinthCases(under);
  if (under.startsWith("drawn")) return readDrawnCases(under);
  const own = under.startsWith("held-out") ? join(examples, under, "rca") : join(folder, under);
  const rows = readFileSync(join(own, "truth.jsonl"), "utf8").split("\n");
  const truths = rows.filter((row) => row.trim() !== "").map((row) => TruthSchema.parse(JSON.parse(row)));
  return Promise.all(
    truths.map(async (truth) => {
      const file = join(own, truth.file);
      return { truth, under, log: await parseLogs([existsSync(file) ? file : `${file}.gz`]) };
    }),
  );
}

function readNinthCases(under: string): Promise<IncidentCase[]> {
  const key = under === "ninth" ? "text" : "reworded";
  return Promise.all(
    ninthCases().map(async (one) => ({
      truth: one.truth,
      under,
      log: await parseLines(one[key].trimEnd().split("\n"), { name: one.truth.file, budgetTokens: 40_000 }),
    })),
  );
}

/** Whether a sentence names the true cause: one of `any` and each of `all`, however it is spelled. */
export function namesCause(sentence: string, { any, all }: Truth): boolean {
  const has = (pattern: string) => new RegExp(pattern, "i").test(sentence);
  return any.some(has) && all.every(has);
}

/** The lines of a written incident. */
export function readIncidentLines(under: string, file: string): string[] {
  return readFileSync(join(folder, under, file), "utf8")
    .trimEnd()
    .split("\n");
}

/** The lines of an incident of any set; null where it is a folder of several logs. */
export function readRawLines(under: string, file: string): string[] | null {
  if (under === "ninth")
    return (
      ninthCases()
        .find(({ truth }) => truth.file === file)
        ?.text.trimEnd()
        .split("\n") ?? null
    );
  return statSync(join(folder, under, file)).isFile() ? readIncidentLines(under, file) : null;
}

/** "drawn" are those that the weights are fitted on, "drawn, others" those that they are not. */
function readDrawnCases(under: string): Promise<IncidentCase[]> {
  const drawn = under === "drawn" ? drawCases(0, 12) : drawCases(100, 112);
  return Promise.all(
    drawn.map(async ({ truth, text }) => ({
      truth,
      under,
      log: await parseLines(text.split("\n"), { name: truth.file, budgetTokens: 40_000 }),
    })),
  );
}
