/**
 * Small recorded runs of every pack, kept for each version of the journal: the rules of today, over those turns, come to
 * the decision of then. A change that cannot do that is a deliberate break and is named in breaks.json.
 * `PARLEY_KEEP_JOURNALS=1` records the set of the present version anew.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runDebate } from "../src/engine/run-debate.ts";
import { loadPack, packNames } from "../src/packs/registry.ts";
import { castOfStrings } from "../src/runs/cast.ts";
import { castTurns } from "./support/influence.ts";
import { makeProof, parseProof, writeProof } from "../src/runs/proof.ts";
import { readRun } from "../src/runs/read-run.ts";
import { startRun } from "../src/runs/start.ts";
import { memoryStore } from "../src/store/sqlite.ts";
import { jsonCopy } from "../src/text/json.ts";

const root = join(import.meta.dirname, "journals");
const present = join(root, "v2");
const breaks = JSON.parse(readFileSync(join(root, "breaks.json"), "utf8")) as Record<string, string>;

beforeAll(async () => {
  if (process.env.PARLEY_KEEP_JOURNALS !== "1") return;
  mkdirSync(present, { recursive: true });
  for (const name of packNames) writeFileSync(join(present, `${name}.jsonl`), await recordSmallest(name));
});

/** The run of a pack's example that takes the least room. */
async function recordSmallest(name: string): Promise<string> {
  const pack = await loadPack(name);
  const store = memoryStore();
  const proofs: string[] = [];
  for (const { input, config } of pack.examples) {
    const { runId } = await startRun({ store, castOf: castOfStrings(store) }, { pack, input, config, cast: "expert" });
    proofs.push(writeProof(await makeProof(store, await readRun(store, runId), null)));
  }
  return proofs.toSorted((a, b) => a.length - b.length)[0] ?? "";
}

async function decideAgain(file: string) {
  const { run, material, turns, result } = parseProof(readFileSync(file, "utf8"), file);
  const { pack: name, input, config, seed } = run.manifest;
  const pack = await loadPack(name);
  const cast = castTurns(turns);
  const again = await runDebate({
    pack,
    input,
    config: pack.config.parse(config),
    cast,
    seed,
    material: { value: material },
  });
  const pick = (end: typeof result) => end && { outcome: end.outcome, decision: jsonCopy(end.decision) };
  return { before: pick(result), now: pick(again.result) };
}

describe.each(readdirSync(root).filter((name) => /^v\d+$/.test(name)))("journals of %s", (version) => {
  it.each(packNames)("%s: the rules come to the recorded decision", async (name) => {
    const file = join(root, version, `${name}.jsonl`);
    expect(existsSync(file), `${file} is kept`).toBe(true);
    const isSame = decideAgain(file).then(({ before, now }) => expect(now).toEqual(before));
    if (breaks[`${version}/${name}`] === undefined) await isSame;
    else await expect(isSame, "named in breaks.json, and does not break").rejects.toThrow();
  });
});
