import type { ParsedLog } from "../../src/knowledge/logs/index.ts";
import type { RootCauseDecision } from "../../src/packs/root-cause/index.ts";
import { playArm } from "./arms.ts";
import { readHadoopCases, readNezhaCases } from "./cases.ts";
import { categoryOf } from "./hadoop-bench.ts";
import { namesCause, readIncidentCases } from "./incident-cases.ts";
import { measureBrier, measureCalibrationError, printReliability, type Sure } from "./reliability.ts";

type FinalHypothesis = NonNullable<RootCauseDecision["final_hypothesis"]>;
type Answer = Sure & { set: string };
type Case = { log: ParsedLog; isRight: (final: FinalHypothesis) => boolean };

/** The later written sets shaped the rules of order and numbers, OpenStack, Hadoop and TrainTicket did not: only these say how sure an answer on an unseen log may be. */
const written = ["seventh", "eighth", "ninth", "ninth, reworded", "tenth", "eleventh", "twelfth", "openstack"];

/** Confidence set by set: what is stated, what is right, and what a curve says that was fitted on the other sets. */
export async function benchCalibration(): Promise<void> {
  const answers: Answer[] = [];
  for (const [set, cases] of await listSets())
    for (const { log, isRight } of cases) {
      const final = (await playArm("debate", log, [], {})).decision?.final_hypothesis;
      if (final) answers.push({ set, confidence: final.confidence, right: isRight(final) });
    }
  printReliability("Confidence on the later written incidents, OpenStack, Hadoop and TrainTicket", answers);
  console.log("\nset by set: answers, stated, right; stated by a curve of the other sets");
  const curved = [...Map.groupBy(answers, ({ set }) => set)].flatMap(([set, own]) => {
    const curve = fitRising(answers.filter((answer) => answer.set !== set));
    const calibrated = own.map(({ confidence, right }) => ({ confidence: curve(confidence), right }));
    const mean = (list: readonly Sure[]) => list.reduce((sum, { confidence }) => sum + confidence, 0) / list.length;
    const right = own.filter((answer) => answer.right).length / own.length;
    const figures = [mean(own), right, mean(calibrated)].map((value) => value.toFixed(2).padStart(6)).join("");
    console.log(`  ${set.padEnd(12)} ${String(own.length).padStart(3)}${figures}`);
    return calibrated;
  });
  for (const [name, list] of Object.entries({ stated: answers, "leave one set out": curved }))
    console.log(
      `  ${name}: calibration error ${measureCalibrationError(list).toFixed(3)}, Brier score ${measureBrier(list).toFixed(3)}`,
    );
}

/** How often answers of a confidence were right, rising with it: neighbours that fall are pooled. */
function fitRising(answers: readonly Sure[]): (confidence: number) => number {
  const pools: { top: number; right: number; count: number }[] = [];
  for (const { confidence, right } of answers.toSorted((a, b) => a.confidence - b.confidence)) {
    pools.push({ top: confidence, right: Number(right), count: 1 });
    for (let last = pools.at(-1), before = pools.at(-2); last && before; last = pools.at(-1), before = pools.at(-2)) {
      if (before.right / before.count <= last.right / last.count && before.top < last.top) break;
      pools.splice(-2, 2, { top: last.top, right: before.right + last.right, count: before.count + last.count });
    }
  }
  return (confidence) => {
    const pool = pools.find(({ top }) => top >= confidence) ?? pools.at(-1);
    return pool ? pool.right / pool.count : confidence;
  };
}

async function listSets(): Promise<[string, Case[]][]> {
  const incidents = await Promise.all(
    written.map(async (under): Promise<[string, Case[]]> => {
      const cases = await readIncidentCases(under);
      return [
        under,
        cases.map(({ log, truth }) => ({
          log,
          isRight: (final) =>
            truth.category === "none" ? final.category === "none" : namesCause(final.hypothesis, truth),
        })),
      ];
    }),
  );
  const hadoop = readHadoopCases().map(({ log, row }): Case => {
    return { log, isRight: ({ category }) => category === categoryOf(row.label) };
  });
  const services = readNezhaCases().map(({ log, row }): Case => {
    return { log, isRight: ({ affected_components: [first] }) => first === row.root_service };
  });
  return [...incidents, ["hadoop", hadoop], ["trainticket", services]];
}
