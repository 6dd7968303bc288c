/**
 * How roles fare with models that misbehave: every role of every pack is asked of scripted models on loopback; then how whole
 * debates end when every reply is bent in one way, and how many tokens the bundled examples take. Prints Markdown.
 * `npm run bench:models [-- --problems]` also lists what was wrong with the turns that did not come through.
 */
import { packNames } from "../src/packs/registry.ts";
import { sampleTurns } from "../test/abuse/sampled-turns.ts";
import { scriptedModels } from "../test/support/scripted-models.ts";
import { printBends, printTokens } from "./models/replies-and-tokens.ts";
import { tryModel, type Tried } from "./models/try-model.ts";

const samples = await sampleTurns(2);
const listsProblems = process.argv.includes("--problems");

console.log("| the model… | pack | turns | answered | repaired | salvaged | abstained | calls paid |");
console.log("|---|---|---|---|---|---|---|---|");
const all: { letter: string; tried: Tried[] }[] = [];
for (const model of scriptedModels) {
  const tried = await tryModel(model, samples);
  all.push({ letter: model.letter, tried });
  for (const pack of packNames) printRow(`${model.letter}) ${model.name}`, pack, tried);
}
console.log(`\n| role | ${scriptedModels.map(({ letter }) => letter).join(" | ")} |`);
console.log(`|---|${scriptedModels.map(() => "---|").join("")}`);
for (const role of new Set(samples.map(nameOf)))
  console.log(`| ${role} | ${all.map(({ tried }) => describeRole(role, tried)).join(" | ")} |`);
await printBends(packNames);
await printTokens(packNames);
if (listsProblems)
  for (const { letter, tried } of all)
    for (const { sample, status, problem } of tried)
      if (status === "abstained" || status === "salvaged")
        console.log(`${letter} ${nameOf(sample)} ${status}: ${problem}`);

function printRow(model: string, pack: string, tried: Tried[]): void {
  const own = tried.filter(({ sample }) => sample.pack === pack);
  const count = (status: string): number => own.filter((one) => one.status === status).length;
  const statuses = ["answered", "repaired", "salvaged", "abstained"].map(count);
  const calls = own.reduce((sum, one) => sum + one.calls, 0);
  console.log(`| ${model} | ${pack} | ${own.length} | ${statuses.join(" | ")} | ${calls} |`);
}

/** How the turns of a role ended, each with the calls it took: `answered 1, repaired 2`. */
function describeRole(role: string, tried: Tried[]): string {
  const own = tried.filter(({ sample }) => nameOf(sample) === role);
  return [...new Set(own.map(({ status, calls }) => `${status} ${calls}`))].join(", ");
}

function nameOf({ pack, role }: (typeof samples)[number]): string {
  return `${pack}/${role.name}`;
}
