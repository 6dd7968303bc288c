/**
 * Leaves out each rule and each row of data in turn and counts what that costs, on all labelled texts:
 * `node bench/sentiment-ablate.ts [--lang ko|en] [--cumulative] [--out FILE]`. A gain is how many more answers are
 * right with the rule than without it (near, scoped, Stage 1, structure), and what it does for the terms that are found.
 * `--cumulative` goes on without whatever nothing needs, until everything that is left is needed.
 */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { type Item, listItems, measures, readItem, type Tally } from "./ablation/read-items.ts";
import { ablation, dataFiles, installSwitches } from "./ablation/switchboard.ts";
import { loadDatasets } from "./sentiment-data.ts";

const { values } = parseArgs({
  options: {
    lang: { type: "string" },
    cumulative: { type: "boolean" },
    out: { type: "string", default: "out/ablation.jsonl" },
  },
});
const data = process.env.PARLEY_DATA ?? join(import.meta.dirname, "../../shared/data");
const folders = ["absa_en", "absa_ko", "absa_train"].map((name) => join(data, name));
const own = ["", "-held-out", "-fresh", "-later", "-idioms"].map((name) =>
  join(import.meta.dirname, `../examples/sentiment/misreadings${name}.jsonl`),
);
const sets = loadDatasets([...folders, ...own]);

/** Of the large sets every so many texts are read. */
const shares: Record<string, number> = { mams_atsa_train: 12, product_reviews_1: 2 };
const items = listItems(sets)
  .filter(({ row }) => row.aspects.length > 0 && (values.lang === undefined || row.lang === values.lang))
  .filter(({ set }, index) => !(set in shares) || index % (shares[set] as number) === 0);

const root = join(import.meta.dirname, "../src/knowledge/opinions");
mkdirSync(dirname(values.out), { recursive: true });
writeFileSync(values.out, "");
installSwitches();
const opinions = await import("../src/knowledge/opinions/index.ts");

type Cut = { name: string; texts: readonly number[]; lay(): void; lift(): void };
type Gain = { name: string; texts: number; total: number; crashes: boolean; gains: Partial<Record<string, Tally>> };

/** From this many answers lost on, nothing more need be counted; below half of it another pass may find it needless. */
const enough = 6;

let base: Tally[] = [];
let actedOn: number[][] = [];
const gone: string[] = [];
measureAll();
const before = sum(base);
if (values.cumulative) leaveOutAll();
else for (const cut of listCuts()) if (cut.texts.length > 0) keep(leaveOut(cut));
print();

/** Reads every text with all that is still there, and notes where each rule acts. */
function measureAll(): void {
  actedOn = ablation.rules.map(() => []);
  base = items.map((item, index) => {
    ablation.acted = new Set();
    const tally = readItem(opinions, item);
    while (actedOn.length < ablation.rules.length) actedOn.push([]);
    for (const id of ablation.acted) actedOn[id]?.push(index);
    ablation.acted = null;
    return tally;
  });
}

function listCuts(): Cut[] {
  const rules = ablation.rules.map((rule, id): Cut => {
    const source = readFileSync(join(root, rule.file), "utf8").slice(rule.start, rule.end);
    return {
      name: `${rule.file}:${rule.line} ${rule.start}-${rule.end} ${rule.instead} ${source.replace(/\s+/g, " ")}`,
      texts: actedOn[id] ?? [],
      lay: () => ablation.out.add(id),
      lift: () => ablation.out.delete(id),
    };
  });
  return [...rules, ...listRows()].filter(({ name }) => !gone.includes(name));
}

function listRows(): Cut[] {
  return dataFiles.flatMap((path) => {
    const lang = path.slice(0, 2);
    if (values.lang !== undefined && values.lang !== lang) return [];
    const lines = readFileSync(join(root, "../../../data/sentiment", path), "utf8").split("\n");
    return lines
      .filter((line) => /^[^#@]/.test(line))
      .map((line): Cut => {
        const [words = ""] = line.replace(/^[+-]\d /, "").split(" | ");
        const first = words
          .split(lang === "en" && path.endsWith("phrases.txt") ? "/" : " ")
          .map((word) => word.split(" ")[0] as string);
        return {
          name: `${path}: ${line}`,
          texts: items.flatMap(({ row }, index) => (row.lang === lang && mentions(row, first) ? [index] : [])),
          lay: () => change(() => ablation.rowsOut.add(`${path}: ${line}`)),
          lift: () => change(() => ablation.rowsOut.delete(`${path}: ${line}`)),
        };
      });
  });
}

function mentions({ text, lang }: Item["row"], words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  if (lang === "en") return words.some((word) => lower.includes(word));
  return opinions.readMorphemes(text).some((one) => words.includes(one.text));
}

function change(make: () => void): void {
  make();
  ablation.data += 1;
}

/** What is lost when one thing is left out; counting stops where it is plainly needed. */
function leaveOut(cut: Cut): Gain {
  cut.lay();
  const gains: Gain["gains"] = {};
  let [total, read] = [0, 0];
  let crashes = false;
  try {
    for (const index of spread(cut.texts)) {
      const item = items[index] as Item;
      const [was, is] = [base[index] as Tally, readItem(opinions, item)];
      const own = (gains[item.set] ??= emptyTally());
      for (const measure of measures) own[measure] += was[measure] - is[measure];
      total += measures.slice(0, 4).reduce((all, measure) => all + was[measure] - is[measure], 0);
      read += 1;
      if (total > enough || (read > 150 && total > enough / 2)) break;
    }
  } catch {
    crashes = true;
  }
  cut.lift();
  return { name: cut.name, texts: cut.texts.length, total, crashes, gains };
}

/** The same order every time, from all over the sets. */
function spread(texts: readonly number[]): number[] {
  return texts.toSorted((a, b) => ((a * 7919) % 10_007) - ((b * 7919) % 10_007));
}

/** Leaves out whatever nothing needs, the most harmful first, and counts anew after each. */
function leaveOutAll(): void {
  const needed = new Set<string>();
  for (let found = true; found; ) {
    const cuts = listCuts().filter((cut) => cut.texts.length > 0 && !needed.has(cut.name));
    const gains = cuts.map((cut, index) => {
      if (index % 50 === 49) console.log(`${index + 1} of ${cuts.length}`);
      return { cut, gain: leaveOut(cut) };
    });
    for (const { gain } of gains) if (gain.crashes || gain.total > enough / 2) needed.add(gain.name);
    console.log(`${cuts.length} left out one by one, ${needed.size} of them needed, ${gone.length} gone`);
    const idle = gains.filter(({ gain }) => isNeedless(gain)).sort((a, b) => a.gain.total - b.gain.total);
    found = idle.length > 0;
    for (const { cut } of idle) {
      const gain = leaveOut(cut);
      if (isNeedless(gain) && drop(cut)) keep(gain);
    }
  }
}

/** Leaves one thing out for good and reads everything anew; what was never seen alone may show itself now. */
function drop(cut: Cut): boolean {
  const was = { base, actedOn, sum: sum(base) };
  cut.lay();
  try {
    measureAll();
    const now = sum(base);
    if (sumAnswers(now) >= sumAnswers(was.sum) && now.structure >= was.sum.structure) return gone.push(cut.name) > 0;
  } catch {
    // a rule that others lean on
  }
  cut.lift();
  ({ base, actedOn } = was);
  return false;
}

/** Nothing is lost: on no set an answer of Stage 1 or after it, in sum no answer and no term, and no own case. */
function isNeedless({ texts, total, crashes, gains }: Gain): boolean {
  const all = sum(Object.values(gains) as Tally[]);
  const lost = Object.entries(gains).some(([set, gain = emptyTally()]) =>
    set.startsWith("misreadings") ? sumAnswers(gain) > 0 : gain.stage1 > 0 || gain.structure > 0,
  );
  return !crashes && texts > 0 && total <= 0 && !lost && 2 * all.found + all.named <= 0;
}

function sumAnswers({ near, scoped, stage1, structure }: Tally): number {
  return near + scoped + stage1 + structure;
}

function emptyTally(): Tally {
  return { near: 0, scoped: 0, stage1: 0, structure: 0, found: 0, named: 0 };
}

function sum(tallies: readonly Tally[]): Tally {
  const all = emptyTally();
  for (const tally of tallies) for (const measure of measures) all[measure] += tally[measure];
  return all;
}

function keep(gain: Gain): void {
  appendFileSync(values.out, `${JSON.stringify(gain)}\n`);
}

function print(): void {
  console.log(`${items.length} texts, ${ablation.rules.length} rules, ${gone.length} left out; see ${values.out}`);
  console.log("with all of it:", JSON.stringify(before));
  console.log("without:       ", JSON.stringify(sum(base)));
}
