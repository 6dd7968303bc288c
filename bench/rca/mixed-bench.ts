import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod";
import { parseLogs } from "../../src/knowledge/logs/index.ts";
import type { RootCauseDecision } from "../../src/packs/root-cause/index.ts";
import { arms, playArm } from "./arms.ts";
import { namesCause, type Truth, TruthSchema } from "./incident-cases.ts";

const folder = resolve(import.meta.dirname, "../../examples/incidents/mixed");
const MixedSchema = z.strictObject({ folder: z.string(), incidents: z.array(TruthSchema.omit({ file: true })) });
type NamedCause = { hypothesis: string; causal_path: string[] };

/** Folders with several incidents: how many of their causes are told, and does a causal path run from one into another? */
export async function benchMixed(): Promise<void> {
  const rows = readFileSync(join(folder, "truth.jsonl"), "utf8").trim().split("\n");
  const cases = rows.map((row) => MixedSchema.parse(JSON.parse(row)));
  console.log(`\n${cases.length} folders that hold several incidents each`);
  console.log(`${"arm".padEnd(26)} causes found  found beside them  paths from one into another`);
  for (const arm of Object.keys(arms)) {
    let [named, wrong, chained, all] = [0, 0, 0, 0];
    for (const { folder: name, incidents } of cases) {
      const log = await parseLogs([join(folder, name)], { budgetTokens: 40_000 });
      const causes = listCauses((await playArm(arm, log, [], {})).decision);
      const isNamed = (truth: (typeof incidents)[number]) =>
        causes.some(({ hypothesis }) => namesCause(hypothesis, { ...truth, file: "" }));
      named += incidents.filter(isNamed).length;
      all += incidents.length;
      wrong += causes.filter(
        (one) => !incidents.some((truth) => namesCause(one.hypothesis, { ...truth, file: "" })),
      ).length;
      chained += causes.filter(({ causal_path }) => countNamed(causal_path, incidents) > 1).length;
    }
    console.log(`${arm.padEnd(26)} ${`${named}/${all}`.padEnd(12)} ${String(wrong).padEnd(16)} ${chained}`);
  }
}

function listCauses(decision: RootCauseDecision | null): NamedCause[] {
  const final = decision?.final_hypothesis;
  return [...(final ? [final] : []), ...(decision?.separate_incidents ?? [])];
}

/** Of how many incidents the component is in a path. */
function countNamed(path: string[], incidents: Pick<Truth, "component">[]): number {
  const text = path.join(" ").toLowerCase();
  return incidents.filter(({ component }) => component != null && text.includes(component.toLowerCase())).length;
}
