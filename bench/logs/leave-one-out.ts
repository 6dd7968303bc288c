import { createPlainMiner, type MergeSettings, mergeSettings } from "../../src/knowledge/logs/index.ts";
import { type GroupingMetrics, type LineLabel, measureGrouping } from "./measure-grouping.ts";
import { findSystems, readSystem, type System } from "./systems.ts";

/** What is tried for each setting, one setting at a time, until nothing gets better. */
const choices: { [K in keyof MergeSettings]: readonly MergeSettings[K][] } = {
  manyWords: [4, 6, 8, 12],
  manyCapitals: [4, 6, 10, 16],
  enoughContext: [1, 2, 3, 4],
  rareWords: [6, 12, 24, 1e9],
  optionalParts: [true, false],
  quotedTexts: [true, false],
};

/**
 * `npm run bench:logs -- --leave-one-out`: for each system, its figure with the settings that are best on the others, and with
 * the settings in use. Where both agree, the settings do not owe their figure to the system itself.
 */
export function measureLeaveOneOut(): void {
  const systems = findSystems().map(({ name, folder }) => readSystem(name, folder));
  if (systems.length < 2) return console.log("leaving one out takes at least two systems: set PARLEY_DATA (skipped)");
  const measure = rememberMeasures();
  console.log(
    `\n${["system", "GA", "FGA", "GA in use", "FGA in use", "chosen without it"].map((name) => name.padEnd(12)).join("")}`,
  );
  const rows = systems.map((system) => {
    const others = systems.filter((other) => other !== system);
    const chosen = chooseSettings(others, measure);
    const row = { left: measure(system, chosen), used: measure(system, mergeSettings) };
    console.log(`${system.name.padEnd(12)}${printScores(row.left)}${printScores(row.used)}${describeChoice(chosen)}`);
    return row;
  });
  const mean = (pick: (row: (typeof rows)[number]) => GroupingMetrics, key: "ga" | "fga") =>
    rows.reduce((sum, row) => sum + pick(row)[key], 0) / rows.length;
  const [left, used] = [(row: (typeof rows)[number]) => row.left, (row: (typeof rows)[number]) => row.used];
  const means = [mean(left, "ga"), mean(left, "fga"), mean(used, "ga"), mean(used, "fga")];
  console.log(`${"mean".padEnd(12)}${means.map((value) => value.toFixed(3).padEnd(12)).join("")}`);
}

type Measure = (system: System, settings: MergeSettings) => GroupingMetrics;

function rememberMeasures(): Measure {
  const known = new Map<string, GroupingMetrics>();
  return (system, settings) => {
    const key = `${system.name} ${JSON.stringify(settings)}`;
    const metrics = known.get(key) ?? measureGrouping(labelLines(system, settings), system.truth);
    known.set(key, metrics);
    return metrics;
  };
}

/** Goes from setting to setting and takes what is best for these systems, the one in use when several are. */
function chooseSettings(systems: readonly System[], measure: Measure): MergeSettings {
  const score = (settings: MergeSettings) =>
    systems.reduce((sum, system) => sum + measure(system, settings).ga + measure(system, settings).fga, 0);
  let best = { settings: mergeSettings, score: score(mergeSettings) };
  for (let before = -1; best.score > before + 1e-9; ) {
    before = best.score;
    for (const key of Object.keys(choices) as (keyof MergeSettings)[]) {
      for (const value of choices[key]) {
        const settings = { ...best.settings, [key]: value };
        const found = score(settings);
        if (found > best.score + 1e-9) best = { settings, score: found };
      }
    }
  }
  return best.settings;
}

function labelLines(system: System, settings: MergeSettings): LineLabel[] {
  const miner = createPlainMiner(undefined, settings);
  const shapes = system.contents.map((content) => miner.add(content).id);
  const mined = miner.finish();
  return shapes.map((shape) => {
    const index = mined.templateOf(shape);
    return { group: `${index}`, template: mined.templates[index]?.template ?? "" };
  });
}

function printScores({ ga, fga }: GroupingMetrics): string {
  return [ga, fga].map((value) => value.toFixed(3).padEnd(12)).join("");
}

function describeChoice(settings: MergeSettings): string {
  const changed = (Object.keys(choices) as (keyof MergeSettings)[]).filter(
    (key) => settings[key] !== mergeSettings[key],
  );
  return changed.length === 0 ? "as in use" : changed.map((key) => `${key} ${settings[key]}`).join(", ");
}
