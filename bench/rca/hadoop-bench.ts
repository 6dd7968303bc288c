import { type Incident, learnIncident } from "../../src/knowledge/incidents/index.ts";
import { arms, playArm } from "./arms.ts";
import { guessByFirstKeyword, guessByKeywords, guessMajority } from "./baselines.ts";
import { type HadoopCase, readHadoopCases } from "./cases.ts";
import { scoreAccuracy, printCounts, estimateInterval, scoreMacroF1 } from "./statistics.ts";

const categories: Record<string, string> = {
  "machine down": "hardware",
  "network disconnection": "network",
  "disk full": "resource",
  normal: "none",
};
export const categoryOf = (label: string) => categories[label.trim().toLowerCase()] ?? label;
type Arm = { name: string; said: (string | null)[] };

/** Hadoop: macro F1 and accuracy against both label sets, for the starter graph and for the other cases as history. */
export async function benchHadoop(): Promise<void> {
  const cases = readHadoopCases();
  if (cases.length === 0) return console.log("\nHadoop: SKIPPED, no hadoop*.jsonl.gz");
  const gold = cases.map(({ row }) => categoryOf(row.label));
  const other = cases.map(({ row }) => categoryOf(row.label_logdelta ?? row.label));
  console.log(`\nHadoop, ${cases.length} runs. label: ${printCounts(gold)}. label_logdelta: ${printCounts(other)}.`);
  const starter = await playAll(cases, () => []);
  const history = await playAll(cases, (self) => learnOthers(cases, self));
  const baselines: Arm[] = [
    { name: "majority class (of the other runs)", said: cases.map((_, index) => guessMajority(gold, index)) },
    { name: "keyword rules, most lines", said: cases.map(guessByKeywords) },
    { name: "keyword rules, most specific", said: cases.map(guessByFirstKeyword) },
  ];
  printTable("starter graph only", [...starter.arms, ...baselines], gold, other);
  printTable("with the other runs as history, except those of the same cluster and day", history.arms, gold, other);
  const { shown, wrong } = starter.quotes;
  console.log(`\nEvidence-grounded: ${shown - wrong} of ${shown} hypotheses have every quote in its cited line.`);
  printMisses(starter.arms[0], cases, gold);
}

async function playAll(cases: HadoopCase[], incidentsFor: (self: HadoopCase) => Incident[]) {
  const quotes = { shown: 0, wrong: 0 };
  const played: Arm[] = [];
  for (const name of Object.keys(arms)) {
    const said: (string | null)[] = [];
    for (const self of cases) {
      const { decision, quotes: q } = await playArm(name, self.log, incidentsFor(self), hideFrom(cases, self));
      said.push(decision?.final_hypothesis?.category ?? null);
      quotes.shown += q.shown;
      quotes.wrong += q.wrong;
    }
    played.push({ name, said });
  }
  return { arms: played, quotes };
}

const dayOf = ({ row }: HadoopCase) => row.start.slice(0, 10);
const clusterOf = ({ id }: HadoopCase) => id.split("_").slice(0, 2).join("_");

/** Job names and ids are hidden from the matching; runs of the same cluster and day are left out. */
function hideFrom(cases: HadoopCase[], self: HadoopCase) {
  const jobs = [...new Set(cases.map(({ row }) => row.job.toLowerCase()))];
  return {
    hide: [...jobs, "pageinput", "pageout", "wordcount"],
    exclude_ids: [self.id],
    exclude_context: [{ cluster: clusterOf(self), day: dayOf(self) }],
  };
}

function learnOthers(cases: HadoopCase[], self: HadoopCase): Incident[] {
  return cases
    .filter((one) => one !== self)
    .map((one) =>
      learnIncident(one.log, {
        id: one.id,
        title: "A labelled run",
        cause: `The run was labelled ${one.row.label.toLowerCase()}`,
        category: categoryOf(one.row.label) as Incident["category"],
        context: { cluster: clusterOf(one), day: dayOf(one) },
      }),
    );
}

function printTable(title: string, list: Arm[], gold: string[], other: string[]): void {
  console.log(
    `\n${title}\n${"arm".padEnd(36)} macro-F1 [95 %]       accuracy   | logdelta: macro-F1  accuracy | paired macro-F1, debate − arm`,
  );
  const debate = list[0]?.said ?? [];
  for (const { name, said } of list) {
    const f1 = scoreF1(said, gold);
    const [low, high] = estimateInterval(gold.length, (indices) => scoreMacroF1(pick(said, gold, indices)));
    const second = `${scoreF1(said, other).toFixed(3)}     ${scoreAccuracy(pairAll(said, other)).toFixed(3)}`;
    const paired = name === "debate" || list[0]?.name !== "debate" ? "" : comparePaired(debate, said, gold);
    console.log(
      `${name.padEnd(36)} ${f1.toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}]   ${scoreAccuracy(pairAll(said, gold)).toFixed(3)}      | ${second.padEnd(26)} | ${paired}`,
    );
  }
}

function comparePaired(debate: (string | null)[], said: (string | null)[], gold: string[]): string {
  const difference = scoreF1(debate, gold) - scoreF1(said, gold);
  const [low, high] = estimateInterval(
    gold.length,
    (indices) => scoreMacroF1(pick(debate, gold, indices)) - scoreMacroF1(pick(said, gold, indices)),
  );
  const comparison = low > 0 ? "above" : high < 0 ? "BELOW" : "too small to tell";
  return `${difference >= 0 ? "+" : ""}${difference.toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}] ${comparison}`;
}

const scoreF1 = (said: (string | null)[], gold: string[]) => scoreMacroF1(pairAll(said, gold));
const pairAll = (said: (string | null)[], gold: string[]) =>
  gold.map((label, index) => ({ gold: label, said: said[index] ?? null }));
const pick = (said: (string | null)[], gold: string[], indices: number[]) =>
  indices.map((index) => ({ gold: gold[index] ?? "", said: said[index] ?? null }));

function printMisses(arm: Arm | undefined, cases: HadoopCase[], gold: string[]): void {
  const missed = cases.flatMap(({ id, row }, index) =>
    arm?.said[index] === gold[index]
      ? []
      : [`  ${id}: label ${row.label}, logdelta ${row.label_logdelta}, said ${arm?.said[index]}`],
  );
  console.log(`\nWhere the debate missed the label:\n${missed.join("\n")}`);
}
