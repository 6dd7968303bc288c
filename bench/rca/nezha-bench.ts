import type { RootCauseDecision } from "../../src/packs/root-cause/index.ts";
import { type Category, type Incident, learnIncident } from "../../src/knowledge/incidents/index.ts";
import { arms, playArm } from "./arms.ts";
import { listCommonestServices, rankServicesByErrors } from "./baselines.ts";
import { type NezhaCase, readNezhaCases } from "./cases.ts";
import { estimateInterval, mean } from "./statistics.ts";

/** Logs show faults of code; CPU and network faults they hardly show. */
const visibleTypes = new Set(["return", "exception"]);
type Arm = { name: string; ranked: string[][]; types: (string | null)[] };

/** Nezha: root service top-1 and top-3 and fault type, split by what logs can show. */
export async function benchNezha(): Promise<void> {
  const cases = readNezhaCases();
  if (cases.length === 0) return console.log("\nNezha: SKIPPED, no nezha*.jsonl.gz");
  const visible = cases.filter(isVisible).length;
  console.log(
    `\nNezha, ${cases.length} faults: ${visible} that logs can show (return, exception), ${cases.length - visible} CPU and network faults that they hardly do.`,
  );
  const starter = await playAll(cases, () => []);
  const history = await playAll(cases, (self) => learnOthers(cases, self));
  const blank = cases.map(() => null);
  const baselines: Arm[] = [
    { name: "service with most error lines", ranked: cases.map(rankServicesByErrors), types: blank },
    {
      name: "commonest services (of the others)",
      ranked: cases.map((_, index) => listCommonestServices(cases, index)),
      types: blank,
    },
    {
      name: "commonest fault type (of the others)",
      ranked: cases.map(() => []),
      types: cases.map((_, index) => findCommonestType(cases, index)),
    },
  ];
  printTable("starter graph only", [...starter.arms, ...baselines], cases);
  printTable("with the other faults as history, except those of the same service and fault type", history.arms, cases);
  const { shown, wrong } = starter.quotes;
  console.log(`\nEvidence-grounded: ${shown - wrong} of ${shown} hypotheses have every quote in its cited line.`);
  console.log(
    `Evidence-grounded top-1 (right, and a cited line is the root service's own): ${printPercent(starter.grounded)}.`,
  );
  console.log(
    `Any-hit (the root service among all components named by the debate's final hypothesis): ${printPercent(starter.anyHit)}.`,
  );
}

function isVisible({ row }: NezhaCase): boolean {
  return visibleTypes.has(row.fault_type);
}

async function playAll(cases: NezhaCase[], incidentsFor: (self: NezhaCase) => Incident[]) {
  const quotes = { shown: 0, wrong: 0 };
  const played: Arm[] = [];
  const any: number[] = [];
  const grounded: number[] = [];
  for (const name of Object.keys(arms)) {
    const arm: Arm = { name, ranked: [], types: [] };
    for (const self of cases) {
      const hidden = {
        exclude_ids: [self.id],
        exclude_context: [{ service: self.row.root_service, fault_type: self.row.fault_type }],
      };
      const { decision, quotes: q } = await playArm(name, self.log, incidentsFor(self), hidden);
      arm.ranked.push(listServices(decision, self));
      arm.types.push(readFaultType(decision));
      if (name === "debate") {
        any.push(Number(decision?.final_hypothesis?.affected_components.includes(self.row.root_service) ?? false));
        grounded.push(Number(isGrounded(decision, self)));
      }
      quotes.shown += q.shown;
      quotes.wrong += q.wrong;
    }
    played.push(arm);
  }
  return { arms: played, quotes, anyHit: mean(any), grounded: mean(grounded) };
}

/** The services that a decision blames: the final one first, then those of the other hypotheses by score or confidence. */
function listServices(decision: RootCauseDecision | null, { log }: NezhaCase): string[] {
  const services = new Set(log.templates.map(({ component }) => component));
  const last = decision?.rounds[0];
  const said = last ? Object.values(last.hypotheses).flatMap((list) => list ?? []) : [];
  const scores = new Map(last?.judge_evaluation?.evaluated.map(({ id, judge_score }) => [id, judge_score]) ?? []);
  const ordered = said.toSorted((a, b) => (scores.get(b.id) ?? b.confidence) - (scores.get(a.id) ?? a.confidence));
  const first = decision?.final_hypothesis?.affected_components ?? [];
  const named = [
    first.find((name) => services.has(name)),
    ...ordered.map(({ affected_components }) => affected_components.find((name) => services.has(name))),
  ];
  return [...new Set(named.filter((name) => name !== undefined))];
}

/** Whether the final hypothesis is right and cites a line that the root service itself printed. */
function isGrounded(decision: RootCauseDecision | null, self: NezhaCase): boolean {
  const { root_service } = self.row;
  if (listServices(decision, self)[0] !== root_service) return false;
  const cited = new Set((decision?.final_hypothesis?.evidence ?? []).map(({ ref }) => ref));
  return self.log.events.some(({ line, component }) => component === root_service && cited.has(line));
}

/** The fault type in the words of the data set: by category, and for faults of code by whether an exception is named. */
function readFaultType(decision: RootCauseDecision | null): string | null {
  const final = decision?.final_hypothesis;
  if (!final) return null;
  const types: Partial<Record<Category, string>> = { network: "network_delay", resource: "cpu_contention" };
  if (final.category !== "software") return types[final.category] ?? null;
  return /exception/i.test(final.hypothesis) ? "exception" : "return";
}

function findCommonestType(cases: NezhaCase[], leftOut: number): string | null {
  const counts = Map.groupBy(
    cases.filter((_, index) => index !== leftOut).map(({ row }) => row.fault_type),
    (type) => type,
  );
  return [...counts].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))[0]?.[0] ?? null;
}

function learnOthers(cases: NezhaCase[], self: NezhaCase): Incident[] {
  const categoryOf: Record<string, Category> = {
    return: "software",
    exception: "software",
    cpu_contention: "resource",
    network_delay: "network",
  };
  return cases
    .filter((one) => one !== self)
    .map(({ id, row, log }) =>
      learnIncident(log, {
        id,
        title: "A labelled fault",
        cause: `The fault was labelled ${row.fault_type}`,
        category: categoryOf[row.fault_type] ?? "software",
        context: { service: row.root_service, fault_type: row.fault_type },
      }),
    );
}

function printTable(title: string, list: Arm[], cases: NezhaCase[]): void {
  console.log(
    `\n${title}\n${"arm".padEnd(38)} visible: top-1 [95 %]      top-3  type  | hardly visible: top-1  top-3  type | paired top-1 on visible, debate − arm`,
  );
  const visible = listIndices(cases, true);
  const hidden = listIndices(cases, false);
  const [debate] = list;
  for (const arm of list) {
    const hit = (index: number, within: number) => scoreHit(arm, cases, index, within);
    const type = (index: number) => Number(arm.types[index] === cases[index]?.row.fault_type);
    const share = (indices: number[], score: (index: number) => number) => mean(indices.map(score)).toFixed(3);
    const [low, high] = estimateInterval(visible.length, (picks) =>
      mean(picks.map((pick) => hit(visible[pick] ?? 0, 1))),
    );
    const paired = arm === debate || debate?.name !== "debate" ? "" : comparePaired(debate, arm, cases, visible);
    console.log(
      `${arm.name.padEnd(38)} ${share(visible, (i) => hit(i, 1))} [${low.toFixed(2)}, ${high.toFixed(2)}]      ${share(visible, (i) => hit(i, 3))}  ${share(visible, type)} | ${share(hidden, (i) => hit(i, 1)).padStart(21)}  ${share(hidden, (i) => hit(i, 3))}  ${share(hidden, type)} | ${paired}`,
    );
  }
}

function scoreHit(arm: Arm, cases: NezhaCase[], index: number, within: number): number {
  return Number((arm.ranked[index] ?? []).slice(0, within).includes(cases[index]?.row.root_service ?? ""));
}

function comparePaired(debate: Arm, arm: Arm, cases: NezhaCase[], visible: number[]): string {
  const difference = (indices: number[]) =>
    mean(indices.map((index) => scoreHit(debate, cases, index, 1) - scoreHit(arm, cases, index, 1)));
  const [low, high] = estimateInterval(visible.length, (picks) => difference(picks.map((pick) => visible[pick] ?? 0)));
  const comparison = low > 0 ? "above" : high < 0 ? "BELOW" : "too small to tell";
  const all = difference(visible);
  return `${all >= 0 ? "+" : ""}${all.toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}] ${comparison}`;
}

function listIndices(cases: NezhaCase[], wanted: boolean): number[] {
  return cases.flatMap((one, index) => (isVisible(one) === wanted ? [index] : []));
}

function printPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
