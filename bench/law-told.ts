/**
 * What a debate changes: scenarios told as stories and questions that the knowledge cannot answer, with and without critiques.
 * Run: node bench/law-told.ts [--misses] [FILE of examples/law …]
 */
import type { LawDecision } from "../src/packs/law/index.ts";
import { type Asked, type Played, questionsIn, runArm } from "./law-arms.ts";
import { percent, tableOf } from "./law-table.ts";

type Convergence = NonNullable<LawDecision["summary"]>["convergence"];

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
    tableOf(
      ["arm", "position", "route", "review"],
      [writeRow("debate", debated), writeRow("no critique", uncriticised)],
    ),
  );
  console.log(
    `positions changed by critiques ${changed.length}: fixed ${fixed.length}, broken ${broken.length}\n${writeCourse(debated)}`,
  );
  if (process.argv.includes("--misses"))
    for (const run of debated.filter((one) => !isRight(one) || one.scores["review"] === 0)) printMiss(run);
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
  return [arm, count("position"), count("route"), count("review")];
}

/** What became of the critiques, which conditions held at the end (the first of them ended the debate), and how many a person must look at. */
function writeCourse(runs: Played[]): string {
  const critiques = runs.flatMap(({ decision }) => decision.summary?.critiques ?? []);
  const rounds = runs.flatMap(({ decision }) => decision.rounds);
  const verdicts = rounds.flatMap(({ nla_on_ala, ala_on_nla }) =>
    [nla_on_ala, ala_on_nla].flatMap((message) => message?.verdicts ?? []),
  );
  const rejected = rounds
    .flatMap(({ nla, ala }) => [...nla.responses, ...ala.responses])
    .filter(({ response }) => response === "rejected");
  const list = (names: string[]): string =>
    [...Map.groupBy(names, (name) => name)].map(([name, of]) => `${name} ${of.length}`).join(", ") || "none";
  const held = runs.flatMap(({ decision }) => listHeld(decision.summary?.convergence));
  const escalated = runs.filter(({ outcome }) => outcome === "escalated").length;
  const upheld = verdicts.filter(({ verdict }) => verdict === "upheld").length;
  return [
    `critiques: raised ${critiques.length}, contested ${rejected.length} (upheld ${upheld}); at the end ${list(critiques.map(({ status }) => status))}`,
    `conditions that held at the end: ${list(held.toSorted())}; rounds ${rounds.length}; escalated ${escalated}`,
  ].join("\n");
}

function listHeld(convergence: Convergence | undefined): string[] {
  if (!convergence) return [];
  const { open_critical, open_major, domain_conflicts_raised, domain_conflicts_open, answer_change } =
    convergence.numbers;
  if (open_critical > 0) return ["(none: CRITICAL open)"];
  const held = [
    open_major <= 1,
    domain_conflicts_raised > 0 && domain_conflicts_open === 0,
    answer_change !== null && answer_change < 0.15,
  ];
  return held.flatMap((holds, index) => (holds ? [`(${index + 1})`] : []));
}

function printMiss({ id, decision, gold }: Played): void {
  console.log(
    `  ${id}: position ${decision.position} (gold ${gold.positions.join("/")}), route ${decision.route.label}${decision.route.out_of_scope ? " out" : ""} (gold ${gold.route}), review ${decision.needs_human_review}: ${decision.query.slice(0, 90)}`,
  );
}
