import { caseOfText } from "../../src/runs/record/show-run.ts";
import { castOfStrings } from "../../src/runs/start/cast-of.ts";
import { loadPack } from "../../src/packs/registry.ts";
import { prepareRun } from "../../src/runs/start/start-run.ts";
import { sqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../../src/store/store.ts";
import { figureOf } from "../speed/figure.ts";
import { withFolder } from "../speed/with-folder.ts";
import { openBenchServer, until } from "./open-bench-server.ts";

const text = "The coffee was cold but the barista was kind.";
const pack = await loadPack("sentiment");
const prepare = (store: Store): Promise<string> =>
  prepareRun({ store, castOf: castOfStrings(store) }, { pack, input: caseOfText(pack, text), cast: "expert" });
const countDurable = (stream: string): number => (stream.match(/^id: /gm) ?? []).length;
const megabytes = (): number => process.memoryUsage.rss() / 1e6;

/** Plays runs that are followed; says how long it took, what every stream should have, and what it had. */
async function follow(store: Store, runs: number, followersEach: number) {
  const server = openBenchServer(store, runs);
  const ids = await Promise.all(Array.from({ length: runs }, () => prepare(store)));
  const streams = await Promise.all(
    ids.flatMap((id) => Array.from({ length: followersEach }, () => server.ask(`/api/runs/${id}/events`))),
  );
  const texts = streams.map((stream) => stream.text());
  await until(() => server.server.tails.count() === runs * followersEach);
  const before = megabytes();
  const startedMs = performance.now();
  for (const id of ids) server.server.live.resume(id);
  const received = (await Promise.all(texts)).map(countDurable);
  const ms = performance.now() - startedMs;
  const expected = (await Promise.all(ids.map((id) => store.get(id)))).map((run) => run?.entryCount ?? 0);
  const lost = received.filter((got, n) => got !== expected[Math.floor(n / followersEach)]).length;
  return { ms, lost, grown: megabytes() - before, events: received.reduce((sum, one) => sum + one, 0) };
}

await withFolder(async (folder) => {
  const figures = [];
  for (const [name, runs, each] of [
    ["500 followers of one run", 1, 500],
    ["200 live runs, each followed", 200, 1],
  ] as const) {
    const store = sqliteStore(`${folder}/${runs}/parley.db`);
    await follow(store, 1, 1);
    const { ms, lost, grown, events } = await follow(store, runs, each);
    const note = `s; ${events.toLocaleString("en")} durable events, ${lost} streams with a loss or a repetition, ${grown.toFixed(0)} MB more memory`;
    figures.push(figureOf(name, [ms / 1000], { unit: "", target: null, note }));
    figures.push(
      figureOf(`${name}: streams that lost or repeated`, [lost], { unit: "", target: { atMost: 0 }, note: "" }),
    );
    await store.close();
  }
  console.log(JSON.stringify(figures));
});
