import type { Incident } from "../../src/knowledge/incidents/index.ts";
import { learnIncident } from "../../src/knowledge/incidents/index.ts";
import { parseLines, type ParsedLog } from "../../src/knowledge/logs/index.ts";
import { arms, playArm } from "./arms.ts";
import { type IncidentCase, namesCause, readIncidentCases, readIncidentLines } from "./incident-cases.ts";

/** Of OpenStack incidents, each with all others as history: is the cause named, when others have told it in other words? */
async function benchOthersAsHistory(): Promise<void> {
  const cases = await readIncidentCases("openstack");
  const learned = cases.map(learnCase);
  const labels = new Map(cases.map(({ truth }) => [truth.cause, truth.label]));
  console.log(
    `\n${cases.length} OpenStack incidents of six causes, each with the ${cases.length - 1} others as history`,
  );
  console.log(`${"arm".padEnd(26)} cause named  category  without history: cause named`);
  for (const arm of Object.keys(arms)) {
    let named = 0;
    let category = 0;
    let alone = 0;
    for (const { truth, log } of cases) {
      const others = learned.filter(({ id }) => id !== idOf(truth.file));
      const { decision } = await playArm(arm, log, others, {});
      const final = decision?.final_hypothesis;
      const said = final?.hypothesis ?? "";
      named += Number(labels.has(said) ? labels.get(said) === truth.label : namesCause(said, truth));
      category += Number(final?.category === truth.category);
      alone += Number(namesCause(await sayCause(arm, log, [], []), truth));
    }
    const share = (count: number, width: number) => `${count}/${cases.length}`.padEnd(width);
    console.log(`${arm.padEnd(26)} ${share(named, 12)} ${share(category, 9)} ${share(alone, 10)}`);
  }
}

/** History: with the true causes of all written incidents learned, is a like log told the learned cause, and an unlike one not? */
export async function benchHistory(): Promise<void> {
  await benchOthersAsHistory();
  const sets = await Promise.all([".", "more", "third", "fourth"].map((under) => readIncidentCases(under)));
  const cases = sets.flat();
  const faults = cases.filter(({ truth }) => truth.category !== "none");
  const learned = faults.map(learnCase);
  console.log(`\nhistory: the true causes of ${learned.length} written incidents are learned from their logs`);
  console.log(
    `${"arm".padEnd(26)} like log, same cause found  unlike log, wrongly a learned cause   unlike log, cause named`,
  );
  const variants = await Promise.all(faults.map(async (one) => ({ ...one, log: await varyLog(one) })));
  for (const arm of Object.keys(arms)) {
    let said = 0;
    let wrongly = 0;
    let named = 0;
    for (const { truth, log } of variants) {
      const like = await sayCause(arm, log, learned, []);
      said += Number(like === truth.cause);
      const unlike = await sayCause(arm, log, learned, [idOf(truth.file)]);
      wrongly += Number(learned.some(({ cause }) => cause === unlike));
      named += Number(namesCause(unlike, truth));
    }
    const share = (count: number, width: number) => `${count}/${variants.length}`.padEnd(width);
    console.log(`${arm.padEnd(26)} ${share(said, 25)} ${share(wrongly, 40)} ${share(named, 10)}`);
  }
}

async function sayCause(arm: string, log: ParsedLog, learned: Incident[], excluded: string[]): Promise<string> {
  const { decision } = await playArm(arm, log, learned, { exclude_ids: excluded });
  return decision?.final_hypothesis?.hypothesis ?? "";
}

const idOf = (file: string) => file.replace(/\..*$/, "");

function learnCase({ truth, log }: IncidentCase): Incident {
  const { file, cause = "", category } = truth;
  return learnIncident(log, { id: idOf(file), title: cause, cause, category });
}

/** The same trouble on another day: two lines in five are missing, and the numbers of orders, requests and ports differ. */
async function varyLog({ truth, under }: IncidentCase): Promise<ParsedLog> {
  const lines = readIncidentLines(under, truth.file);
  let state = 7;
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 4_294_967_296;
  const kept = lines.filter((line) => /^\s|^(?:Caused by|Traceback)/.test(line) || next() > 0.4);
  const changed = kept.map((line) => line.replace(/(?<= )\d{3,6}(?= |$)/g, (number) => String(1 + Number(number) * 2)));
  return parseLines(changed, { name: truth.file });
}
