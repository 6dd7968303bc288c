/** What becomes of recorded runs when a later version's readers know other words. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { loadPack, packNames } from "../src/packs/registry.ts";
import { castOfStrings } from "../src/runs/cast.ts";
import { startRun } from "../src/runs/start.ts";
import { sqliteStore } from "../src/store/sqlite.ts";
import { jsonCopy } from "../src/text/json.ts";
import { newFolder, spawnCli } from "./support/cli.ts";

const hook = pathToFileURL(join(import.meta.dirname, "support/other-words.mjs")).href;

/** The command line as that version runs it. */
const runLater = (args: string[], cwd: string) => spawnCli(args, { cwd, node: ["--import", hook] }).ran;

it("a run of any pack verifies and redecides to the same bytes after the word lists have changed", async () => {
  const cwd = newFolder();
  const store = sqliteStore(join(cwd, "parley.db"));
  const setting = { store, castOf: castOfStrings(store) };
  const runs: { pack: string; input: unknown; config: unknown; decision: unknown }[] = [];
  for (const name of packNames) {
    const pack = await loadPack(name);
    for (const { input, config } of pack.examples) {
      const { finished } = await startRun(setting, { pack, input, config, cast: "expert" });
      runs.push({ pack: name, input, config, decision: jsonCopy(finished.result.decision) });
    }
  }
  await store.close();

  const verified = await runLater(["verify", "--all", "--store", cwd], cwd);
  expect(verified, verified.out + verified.err).toMatchObject({ code: 0 });
  const { out } = await runLater(["redecide", "--check", cwd, "--json"], cwd);
  const replayed = out.trim().split("\n");
  expect(replayed.map((line) => (JSON.parse(line) as { status: string }).status)).toEqual(runs.map(() => "same"));

  // The same words change what new runs decide, or all this would show nothing.
  for (const name of packNames) {
    const own = runs.filter(({ pack, config }) => pack === name && config === undefined);
    const changed = own.map(async ({ input, decision }) => {
      const anew = await runLater(["run", name, JSON.stringify(input), "--json"], newFolder());
      const { parley: _, ...other } = JSON.parse(anew.out) as Record<string, unknown>;
      return JSON.stringify(other) !== JSON.stringify(decision);
    });
    expect(await Promise.all(changed), name).toContain(true);
  }
});
