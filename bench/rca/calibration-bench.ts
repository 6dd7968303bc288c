import type { RootCauseDecision } from "../../src/packs/root-cause/index.ts";
import type { ParsedLog } from "../../src/knowledge/logs/index.ts";
import { playArm } from "./arms.ts";
import { readHadoopCases, readNezhaCases } from "./cases.ts";
import { categoryOf } from "./hadoop-bench.ts";
import { namesCause, readIncidentCases } from "./incident-cases.ts";
import { measureBrier, measureCalibrationError, printReliability, readFirstSight, type Sure } from "./reliability.ts";

type FinalHypothesis = NonNullable<RootCauseDecision["final_hypothesis"]>;
type Answer = Sure & { set: string; score: number };
type Case = { log: ParsedLog; isRight: (final: FinalHypothesis) => boolean };

/** Confidence on all sets together, and whether a curve fitted on the other sets would make it better on each. */
export async function benchCalibration(): Promise<void> {
  const answers: Answer[] = [];
  for (const [set, cases] of await listSets())
    for (const { log, isRight } of cases) {
      const final = (await playArm("debate", log, [], {})).decision?.final_hypothesis;
      if (!final) continue;
      answers.push({ set, confidence: final.confidence, score: (final.judge_score ?? 0) / 100, right: isRight(final) });
    }
  printReliability("Confidence on all sets: written incidents, OpenStack, Hadoop, TrainTicket", answers);
  for (const [name, pick] of Object.entries(inputs)) {
    const error = measureCalibrationError(fitWithoutEach(answers, pick));
    console.log(`  a logistic curve of ${name}, fitted without the set it is used on: ${error.toFixed(3)}`);
  }
  compareHalves(answers);
  for (const set of atFirstSight)
    compareAtFirstSight(
      set,
      answers.filter((answer) => answer.set !== set),
    );
}

/** The sets of which it was kept what was told of them before any rule was touched for them. */
const atFirstSight = ["sixth", "seventh", "eighth"];

const splits = 100;

/** A curve fitted on one half of the answers and used on the other, over many splits. */
function compareHalves(answers: readonly Answer[]): void {
  const pairs = Array.from({ length: splits }, (_, seed) => {
    const shuffled = answers.toSorted((a, b) => orderOf(a, seed) - orderOf(b, seed));
    const [fitted, shown] = [shuffled.slice(0, shuffled.length / 2), shuffled.slice(shuffled.length / 2)];
    return { stated: shown, curved: applyCurve(fitCurve(fitted.map(pointOf)), shown) };
  });
  console.log("\nFitted on one half, shown on the other, mean of 100 splits: calibration error, Brier score");
  for (const name of ["stated", "curved"] as const) {
    const [error, brier] = [measureCalibrationError, measureBrier].map(
      (measure) => pairs.reduce((sum, pair) => sum + measure(pair[name]), 0) / splits,
    );
    console.log(`  ${name.padEnd(8)} ${error?.toFixed(3)}  ${brier?.toFixed(3)}`);
  }
}

/** The answers that were given on a set before any rule was touched for it: the only ones on unseen cases. */
function compareAtFirstSight(set: string, others: readonly Answer[]): void {
  const seen = readFirstSight(set);
  printReliability(`First sight of the ${set} set`, seen);
  const curved = applyCurve(fitCurve(others.map(pointOf)), seen);
  const right = seen.filter((answer) => answer.right).length / seen.length;
  for (const [name, list] of Object.entries({ stated: seen, "by a curve of the other sets": curved })) {
    const mean = list.reduce((sum, { confidence }) => sum + confidence, 0) / list.length;
    console.log(
      `  ${name}: mean ${mean.toFixed(2)}, right ${right.toFixed(2)}, Brier score ${measureBrier(list).toFixed(3)}`,
    );
  }
}

const pointOf = ({ confidence, right }: Sure) => ({ x: confidence, right });

function applyCurve(curve: (x: number) => number, answers: readonly Sure[]): Sure[] {
  return answers.map(({ confidence, right }) => ({ confidence: curve(confidence), right }));
}

/** A place in an order that depends on the answer and the seed alone. */
function orderOf({ set, score, confidence }: Answer, seed: number): number {
  const x = Math.sin(seed * 12.9898 + score * 78.233 + confidence * 37.719 + set.length) * 43758.5453;
  return x - Math.floor(x);
}

const inputs: Record<string, (answer: Answer) => number> = {
  "the stated confidence": ({ confidence }) => confidence,
  "the judge's score": ({ score }) => score,
};

async function listSets(): Promise<[string, Case[]][]> {
  const written = await Promise.all(
    [".", "more", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "openstack"].map(
      async (under): Promise<[string, Case[]]> => {
        const cases = await readIncidentCases(under);
        return [
          under,
          cases.map(({ log, truth }) => ({
            log,
            isRight: (final) =>
              truth.category === "none" ? final.category === "none" : namesCause(final.hypothesis, truth),
          })),
        ];
      },
    ),
  );
  const hadoop = readHadoopCases().map(({ log, row }): Case => {
    return { log, isRight: ({ category }) => category === categoryOf(row.label) };
  });
  const services = readNezhaCases().map(({ log, row }): Case => {
    return { log, isRight: ({ affected_components: [first] }) => first === row.root_service };
  });
  return [...written, ["hadoop", hadoop], ["trainticket", services]];
}

function fitWithoutEach(answers: readonly Answer[], pick: (answer: Answer) => number): Sure[] {
  return [...Map.groupBy(answers, ({ set }) => set)].flatMap(([set, own]) => {
    const curve = fitCurve(answers.filter((answer) => answer.set !== set).map((one) => ({ ...one, x: pick(one) })));
    return own.map((answer) => ({ right: answer.right, confidence: curve(pick(answer)) }));
  });
}

const steps = 2000;
const rate = 0.5;
const damping = 0.02;

/** A logistic curve by gradient descent, its slope held back a little. */
function fitCurve(points: readonly { x: number; right: boolean }[]): (x: number) => number {
  let [level, slope] = [0, 0];
  const curve = (x: number) => 1 / (1 + Math.exp(-(level + slope * x)));
  for (let step = 0; step < steps; step += 1) {
    const errors = points.map(({ x, right }) => ({ x, by: (curve(x) - Number(right)) / points.length }));
    const [up, tilt] = [
      errors.reduce((sum, { by }) => sum + by, 0),
      errors.reduce((sum, { x, by }) => sum + by * x, 0),
    ];
    [level, slope] = [level - rate * up, slope - rate * (tilt + damping * slope)];
  }
  return curve;
}
