/** Kinds of misreading, three texts each: `node bench/sentiment-misreadings.ts [FILE] [--wrong]` prints what each reading gets right, kind by kind. */
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Aspect } from "../src/packs/sentiment/index.ts";
import { viewAspects } from "../src/knowledge/opinions/index.ts";
import { loadDatasets, type Row } from "./sentiment-data.ts";
import { play } from "./sentiment-play.ts";

type Item = { kind: string; lang: string; gold: string; text: string; term: string; said: Record<string, string> };

const { values, positionals } = parseArgs({ allowPositionals: true, options: { wrong: { type: "boolean" } } });
const file = positionals[0] ?? join(import.meta.dirname, "../examples/sentiment/misreadings.jsonl");
const systems = ["near", "scoped", "stage 1", "decision", "from text"] as const;

const items: Item[] = [];
for (const row of loadDatasets([file]).flatMap((dataset) => dataset.rows)) items.push(...(await judgeRow(row)));

const groups = Map.groupBy(items, (item) => `${item.lang} ${item.kind}`);
printRow(["kind", ...systems, "of"]);
for (const [name, own] of groups) printRow([name, ...systems.map((one) => countRight(own, one)), own.length]);
for (const lang of ["en", "ko"]) {
  const own = items.filter((item) => item.lang === lang);
  if (own.length > 0) printRow([`all ${lang}`, ...systems.map((one) => countRight(own, one)), own.length]);
}
if (values.wrong)
  for (const { kind, gold, term, text, said } of items)
    if (said.decision !== gold || said["stage 1"] !== gold)
      console.log(`${kind}: "${term}" is ${gold}, not ${JSON.stringify(said)}: ${text}`);

/** The aspects are given, but for the last column: there the whole program finds them in the bare text. */
async function judgeRow(row: Row & { kind?: string }): Promise<Item[]> {
  const aspects = row.aspects.map(
    ({ from, to }): Aspect => ({
      term: row.text.slice(from, to),
      span: { start: from, end: to },
      normalized: null,
      syntactic_head: null,
      confidence: 1,
      rationale: "given",
    }),
  );
  const given = (await play(row.text, row.lang, { neutral_policy: "mention" }, aspects)).output.final_result;
  const bare = (await play(row.text, row.lang, { neutral_policy: "mention" })).output.final_result;
  const views = viewAspects(row.text, row.lang, aspects);
  return row.aspects.map(({ polarity }, index) => {
    const term = aspects[index]?.term ?? "";
    const view = views.find((one) => one.term === term);
    const find = (tuples: typeof given.final_tuples, missing: string) =>
      tuples.find((tuple) => tuple.aspect_term === term)?.polarity ?? missing;
    const said = {
      near: view?.near.polarity ?? "neutral",
      scoped: view?.scoped.polarity ?? "neutral",
      "stage 1": find(given.stage1_tuples, "neutral"),
      decision: find(given.final_tuples, "neutral"),
      "from text": find(bare.final_tuples, "absent"),
    };
    return { kind: row.kind ?? "", lang: row.lang, gold: polarity, text: row.text, term, said };
  });
}

function countRight(own: readonly Item[], system: string): number {
  return own.filter((item) => item.said[system] === item.gold).length;
}

function printRow([first, ...rest]: (string | number)[]): void {
  console.log(String(first).padEnd(28) + rest.map((cell) => String(cell).padStart(10)).join(""));
}
