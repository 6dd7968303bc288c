/**
 * How good the law pack's experts are: 40 labelled questions in four arms, forged citations and their controls.
 * Run: npm run bench:law [-- --misses]
 */
import { inspectClaim, openCase } from "../src/packs/law/index.ts";
import { law } from "../src/packs/law/pack.ts";
import { tableOf, percent } from "./law-table.ts";
import { forgedQuestions, questionsIn, runArm, type Played } from "./law-arms.ts";

const arms = {
  debate: {},
  "no critique": { critique: false },
  single: { protocol: "single" },
  vote: { protocol: "vote" },
};
const showMisses = process.argv.includes("--misses");

const questions = questionsIn("questions.jsonl");
const played = new Map<string, Played[]>();
for (const [arm, config] of Object.entries(arms)) played.set(arm, await runArm(questions, config));
console.log(`${questions.length} questions, experts only\n`);
console.log(
  tableOf(
    [
      "arm",
      "route",
      "position",
      "cite recall",
      "cite precision",
      "valid ids",
      "with evidence",
      "no defect left",
      "outcome",
    ],
    [...played].map(([arm, runs]) => buildArmRow(arm, runs)),
  ),
);
console.log(debateTable(played.get("debate") ?? []));
if (showMisses) for (const run of played.get("debate") ?? []) printMisses(run);
await printControls();
await printForged();

function buildArmRow(arm: string, runs: Played[]): string[] {
  const mean = (metric: string): string => {
    const values = runs.flatMap(({ scores }) => scores[metric] ?? []);
    return values.length === 0 ? "–" : percent(values.reduce((sum, value) => sum + value, 0) / values.length);
  };
  const outcomes = Map.groupBy(runs, ({ outcome }) => outcome);
  return [
    arm,
    mean("route"),
    mean("position"),
    mean("citation_recall"),
    mean("citation_precision"),
    mean("valid_ids"),
    mean("claims_with_evidence"),
    soundShare(runs),
    [...outcomes].map(([outcome, of]) => `${of.length} ${outcome}`).join(", "),
  ];
}

/** The share of claims in which the critic's checks find nothing (scope unsaid, other regime or community, number without a source…). */
function soundShare(runs: Played[]): string {
  const claims = runs.flatMap(({ decision }) => {
    const file = openCase({ query: decision.query });
    return decision.claims.map((claim) => inspectClaim(file, claim).length === 0);
  });
  return claims.length === 0 ? "–" : percent(claims.filter(Boolean).length / claims.length);
}

function debateTable(runs: Played[]): string {
  const totals = runs.flatMap(({ decision }) => decision.summary?.critiques ?? []);
  const byIssue = [...Map.groupBy(totals, ({ critique }) => critique.issue_type)].map(([issue, list]) => {
    const count = (status: string): string => String(list.filter((one) => one.status === status).length);
    return [
      issue,
      String(list.length),
      count("accepted"),
      count("contested"),
      count("withdrawn"),
      count("finding"),
      count("open"),
    ];
  });
  const conditions = Map.groupBy(runs, ({ decision }) => decision.summary?.convergence.condition ?? "none");
  const echo = runs
    .flatMap(({ decision }) => decision.rounds.flatMap(({ nla_on_ala, ala_on_nla }) => [nla_on_ala, ala_on_nla]))
    .filter((one) => one?.echo_chamber);
  return [
    `\n${tableOf(["critiques", "raised", "accepted", "contested", "withdrawn", "finding", "open"], byIssue)}`,
    `convergence: ${[...conditions].map(([condition, of]) => `condition ${condition} ${of.length}×`).join(", ")}; rounds ${runs.reduce((sum, { decision }) => sum + decision.rounds.length, 0)}; echo_chamber flags ${echo.length}`,
  ].join("\n");
}

function printMisses({ id, decision, scores, gold }: Played): void {
  const cited = decision.claims
    .filter(({ claim }) => decision.used_claims.includes(claim))
    .flatMap(({ evidence }) => evidence);
  const lost = gold.must_cite.filter((one) => !cited.includes(one));
  if (scores["position"] === 0 || scores["route"] === 0 || lost.length > 0)
    console.log(
      `${id}: position ${decision.position} (gold ${gold.positions.join("/")}), route ${decision.route.label} (gold ${gold.route}), not cited: ${lost.join(", ") || "–"}`,
    );
}

/** Questions on real provisions must be answered from them: always refusing fails here. */
async function printControls(): Promise<void> {
  const runs = await runArm(questionsIn("questions-control.jsonl"), {});
  const answered = runs.filter(({ decision, scores }) => decision.position !== "D" && scores["citation_recall"] === 1);
  console.log(`\ncontrols on real provisions: ${answered.length}/${runs.length} answered from the provision they name`);
  for (const { id, decision } of runs.filter((run) => !answered.includes(run)))
    console.log(`  ${id}: position ${decision.position}, used ${decision.used_claims.join(", ") || "nothing"}`);
}

/** Questions that rest on a provision which is not in the knowledge base. */
async function printForged(): Promise<void> {
  const forged = forgedQuestions();
  if (!forged) return console.log("\nforged citations: SKIPPED, ../shared/data/legal_id is not here (set PARLEY_DATA)");
  const runs = await runArm(forged, {});
  const isHandled = ({ decision }: Played): boolean =>
    /tidak ada dalam basis pengetahuan ini|not in this knowledge base/.test(decision.answer) &&
    decision.position === "D" &&
    law
      .verify?.({
        input: { query: "" },
        material: null,
        config: law.config.parse({}),
        turns: [],
        result: { decision } as never,
      })
      ?.every(({ ok }) => ok) === true;
  const handled = runs.filter(isHandled);
  console.log(
    `forged citations: ${handled.length}/${runs.length} say that the provision is not in this knowledge base and cite nothing invented`,
  );
  for (const { id, decision } of runs.filter((run) => !isHandled(run)))
    console.log(`  ${id}: position ${decision.position}: ${decision.query}`);
}
