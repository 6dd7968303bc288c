/** What becomes of recorded runs when a later version's readers know other words. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { loadPack, packNames } from "../src/packs/registry.ts";
import { castOfStrings } from "../src/runs/cast.ts";
import { startRun } from "../src/runs/start.ts";
import { sqliteStore } from "../src/store/sqlite.ts";
import { jsonCopy } from "../src/text/json.ts";
import { newFolder, spawnCli } from "./support/cli.ts";

const hookIn = (file: string): string => pathToFileURL(join(import.meta.dirname, "support", file)).href;

/** The command line of a version with other words, or without readers. */
const runWith = (hook: string, args: string[], cwd: string) =>
  spawnCli(args, { cwd, node: ["--import", hookIn(hook)], fromSources: true }).ran;

async function showSame(hook: string, cwd: string, runs: number): Promise<void> {
  const verified = await runWith(hook, ["verify", "--all", "--store", cwd], cwd);
  expect(verified, verified.out + verified.err).toMatchObject({ code: 0 });
  const { out } = await runWith(hook, ["redecide", "--check", cwd, "--json"], cwd);
  const replayed = out.trim().split("\n");
  const statuses = replayed.map((line) => (JSON.parse(line) as { status: string }).status);
  expect(statuses).toEqual(Array.from({ length: runs }, () => "same"));
}

it("a run of any pack verifies and redecides to the same bytes after word lists have changed, and without readers", async () => {
  const cwd = newFolder();
  const store = sqliteStore(join(cwd, "parley.db"));
  const setting = { store, castOf: castOfStrings(store) };
  const runs: { run: string; pack: string; input: unknown; config: unknown; decision: unknown }[] = [];
  for (const name of packNames) {
    const pack = await loadPack(name);
    for (const { input, config } of pack.examples) {
      const { runId: run, finished } = await startRun(setting, { pack, input, config, cast: "expert" });
      runs.push({ run, pack: name, input, config, decision: jsonCopy(finished.result.decision) });
    }
  }
  await store.close();

  await showSame("other-words.mjs", cwd, runs.length);
  await showSame("no-readers.mjs", cwd, runs.length);
  const explained = packNames.map((name) => {
    const { run = "" } = runs.find(({ pack }) => pack === name) ?? {};
    return runWith("no-readers.mjs", ["show", run, "--why", "--store", cwd], cwd);
  });
  expect((await Promise.all(explained)).map(({ code }) => code)).toEqual(packNames.map(() => 0));
  const [first] = runs;
  const anew = await runWith("no-readers.mjs", ["run", "sentiment", JSON.stringify(first?.input)], newFolder());
  expect(anew.err).toContain("was asked");

  // The same words change what new runs decide, or all this would show nothing.
  const decided = packNames.map(async (name) => {
    const own = runs.filter(({ pack, config }) => pack === name && config === undefined);
    const folder = newFolder();
    writeFileSync(join(folder, "cases.jsonl"), own.map(({ input }) => `${JSON.stringify(input)}\n`).join(""));
    const { out } = await runWith("other-words.mjs", ["run", name, "--input", "cases.jsonl"], folder);
    const anew = out.split("\n", own.length).map((line) => (JSON.parse(line) as { decision: unknown }).decision);
    expect(anew.map((decision) => JSON.stringify(decision))).not.toEqual(
      own.map(({ decision }) => JSON.stringify(decision)),
    );
  });
  await Promise.all(decided);
});
