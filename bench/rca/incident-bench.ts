import type { RootCauseDecision } from "../../src/packs/root-cause/index.ts";
import { arms, playArm } from "./arms.ts";
import { type IncidentCase, namesCause, readIncidentCases } from "./incident-cases.ts";
import { printReliability, type Sure } from "./reliability.ts";

const sets = [
  { name: "written incidents", under: "." },
  { name: "written incidents, second set", under: "more" },
  { name: "written incidents, third set", under: "third" },
  { name: "written incidents, fourth set", under: "fourth" },
  { name: "written incidents, fifth set", under: "fifth" },
  { name: "written incidents, sixth set", under: "sixth" },
  { name: "written incidents, seventh set", under: "seventh" },
  { name: "written incidents, eighth set", under: "eighth" },
  { name: "written incidents, ninth set", under: "ninth" },
  { name: "written incidents, tenth set", under: "tenth" },
  { name: "written incidents, eleventh set", under: "eleventh" },
  { name: "written incidents, twelfth set", under: "twelfth" },
  { name: "written incidents, thirteenth set", under: "thirteenth" },
  { name: "drawn incidents, not fitted on", under: "drawn, others" },
  { name: "written incidents, ninth set, telling lines in other words", under: "ninth, reworded" },
];

/** The written incidents: does the sentence name the cause, and is a healthy log called healthy? `--verbose` shows each. */
export async function benchIncidents(verbose: boolean): Promise<void> {
  const sure: Sure[] = [];
  for (const { name, under } of sets) {
    const cases = await readIncidentCases(under);
    const healthy = cases.filter(({ truth }) => truth.category === "none").length;
    console.log(`\n${name}: ${cases.length - healthy} faults, ${healthy} healthy logs`);
    console.log(`${"arm".padEnd(26)} cause named  category  component  healthy called healthy`);
    for (const arm of Object.keys(arms)) {
      const results = await playAll(arm, cases);
      printArm(arm, results);
      if (arm !== "debate") continue;
      if (verbose) for (const result of results) console.log(describe(result));
      sure.push(...results.map((result) => ({ confidence: result.confidence, right: isRight(result) })));
    }
  }
  printReliability("Confidence on the written incidents", sure);
}

type Result = IncidentCase & { final: RootCauseDecision["final_hypothesis"]; confidence: number };

async function playAll(arm: string, cases: IncidentCase[]): Promise<Result[]> {
  const results: Result[] = [];
  for (const one of cases) {
    const { decision } = await playArm(arm, one.log, [], {});
    const final = decision?.final_hypothesis ?? null;
    results.push({ ...one, final, confidence: final?.confidence ?? 0 });
  }
  return results;
}

function isRight({ truth, final }: Result): boolean {
  if (!final) return false;
  return truth.category === "none" ? final.category === "none" : namesCause(final.hypothesis, truth);
}

function printArm(arm: string, results: Result[]): void {
  const faults = results.filter(({ truth }) => truth.category !== "none");
  const healthy = results.filter(({ truth }) => truth.category === "none");
  const count = (list: Result[], test: (result: Result) => boolean) => `${list.filter(test).length}/${list.length}`;
  const component = ({ truth, final }: Result) => {
    const named = [final?.hypothesis ?? "", ...(final?.affected_components ?? [])].join(" ").toLowerCase();
    return named.includes((truth.component ?? "").toLowerCase());
  };
  console.log(
    `${arm.padEnd(26)} ${count(faults, isRight).padEnd(12)} ${count(faults, ({ truth, final }) => final?.category === truth.category).padEnd(9)} ${count(faults, component).padEnd(10)} ${count(healthy, isRight)}`,
  );
}

function describe(result: Result): string {
  const { truth, final } = result;
  return `  ${isRight(result) ? "ok  " : "MISS"} ${truth.file.padEnd(34)} ${truth.category.padEnd(8)} said ${final?.category} ${final?.confidence.toFixed(2)}: ${final?.hypothesis}`;
}
