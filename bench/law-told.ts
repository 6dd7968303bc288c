/**
 * What a debate changes: scenarios told as stories and questions that the knowledge cannot answer, with and without critiques.
 * Run: node bench/law-told.ts [--misses] [FILE of examples/law …]
 */
import { type Asked, type Played, questionsIn, runArm } from "./law-arms.ts";
import { percent, tableOf } from "./law-table.ts";

const given = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const files = given.length > 0 ? given : ["told-scenarios.jsonl", "near-domain.jsonl", "questions.jsonl"];
for (const file of files) await compareArms(file, questionsIn(file));

/** Plays a file with and without critiques: how often each is right, and what the critiques changed. */
async function compareArms(file: string, asked: Asked[]): Promise<void> {
  const [debated, uncriticised] = [await runArm(asked, {}), await runArm(asked, { critique: false })];
  const pairs = debated.map((run, index) => ({ run, before: uncriticised[index] as Played }));
  const changed = pairs.filter(({ run, before }) => run.decision.position !== before.decision.position);
  const fixed = changed.filter(({ run, before }) => isRight(run) && !isRight(before));
  const broken = changed.filter(({ run, before }) => !isRight(run) && isRight(before));
  console.log(`\n${file}: ${asked.length} questions, experts only`);
  console.log(
    tableOf(["arm", "position", "route"], [writeRow("debate", debated), writeRow("no critique", uncriticised)]),
  );
  console.log(
    `positions changed by critiques ${changed.length}: fixed ${fixed.length}, broken ${broken.length}; ${writeCourse(debated)}`,
  );
  if (process.argv.includes("--misses")) for (const run of debated.filter((one) => !isRight(one))) printMiss(run);
}

function isRight({ scores }: Played): boolean {
  return scores["position"] === 1;
}

function writeRow(arm: string, runs: Played[]): string[] {
  const count = (metric: string): string => {
    const values = runs.flatMap(({ scores }) => scores[metric] ?? []);
    const right = values.filter((value) => value === 1).length;
    return values.length === 0 ? "–" : `${right}/${values.length} (${percent(right / values.length)})`;
  };
  return [arm, count("position"), count("route")];
}

/** What became of the critiques, which condition ended the debates, and how many a person must look at. */
function writeCourse(runs: Played[]): string {
  const statuses = Map.groupBy(
    runs.flatMap(({ decision }) => decision.summary?.critiques ?? []),
    ({ status }) => status,
  );
  const conditions = Map.groupBy(runs, ({ decision }) => decision.summary?.convergence.condition ?? "none");
  const upheld = runs
    .flatMap(({ decision }) => decision.rounds.flatMap(({ nla_on_ala, ala_on_nla }) => [nla_on_ala, ala_on_nla]))
    .flatMap((message) => message?.verdicts ?? [])
    .filter(({ verdict }) => verdict === "upheld");
  const list = (groups: Map<unknown, unknown[]>): string =>
    [...groups].map(([name, of]) => `${String(name)} ${of.length}`).join(", ");
  const escalated = runs.filter(({ outcome }) => outcome === "escalated").length;
  return `critiques ${list(statuses)}; verdicts upheld ${upheld.length}; ended by condition ${list(conditions)}; escalated ${escalated}`;
}

function printMiss({ id, decision, gold }: Played): void {
  console.log(
    `  ${id}: position ${decision.position} (gold ${gold.positions.join("/")}), route ${decision.route.label}${decision.route.out_of_scope ? " out" : ""} (gold ${gold.route}): ${decision.query.slice(0, 90)}`,
  );
}
