import { caseOfText } from "../../src/runs/record/show-run.ts";
import { spawn } from "node:child_process";
import { loadPack } from "../../src/packs/registry.ts";
import { castOfStrings } from "../../src/runs/start/cast-of.ts";
import { startRun } from "../../src/runs/start/start-run.ts";
import { sqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { figureOf, quantile } from "../speed/figure.ts";
import { withFolder } from "../speed/with-folder.ts";
import { openBenchServer } from "./open-bench-server.ts";

const pack = await loadPack("sentiment");
const request = (n: number) => ({
  pack,
  input: caseOfText(pack, `The coffee was cold but barista ${n} was kind, and the cake was dry.`),
  cast: "expert",
});
const runsEach = 40;

await withFolder(async (folder) => {
  const store = sqliteStore(`${folder}/parley.db`);
  const castOf = castOfStrings(store);
  const { server } = openBenchServer(store);
  const library = async (n: number): Promise<void> => void (await startRun({ store, castOf }, request(n)));
  const served = async (n: number): Promise<void> => void (await (await server.live.start(request(n))).done);
  const time = async (play: (n: number) => Promise<void>, n: number): Promise<number> => {
    const startedMs = performance.now();
    await play(n);
    return performance.now() - startedMs;
  };
  /** One after the other in turns, so that what else goes on in the machine meets both. */
  const compare = async (round: number): Promise<number> => {
    const times: Record<"library" | "served", number[]> = { library: [], served: [] };
    for (let n = 0; n < runsEach; n += 1)
      for (const way of (n + round) % 2 === 0 ? (["library", "served"] as const) : (["served", "library"] as const))
        times[way].push(await time(way === "library" ? library : served, n));
    return quantile(times.served, 0.5) / quantile(times.library, 0.5);
  };
  await compare(0);
  const ratios: number[] = [];
  for (let round = 0; round < 9; round += 1) ratios.push(await compare(round));
  const started: number[] = [];
  for (let n = 0; n < 5; n += 1) started.push(await measureStart(`${folder}/start-${n}`));
  await store.close();
  console.log(
    JSON.stringify([
      figureOf("a run through the server / the library", ratios, {
        unit: "×",
        target: { atMost: 1.05 },
        note: `medians of ${runsEach} expert debates each, in turns, SQLite`,
      }),
      figureOf("start-up", started, {
        unit: "",
        target: null,
        note: "s, from the command to listening, straight from the sources",
      }),
    ]),
  );
});

async function measureStart(folder: string): Promise<number> {
  const main = new URL("../../src/cli/main.ts", import.meta.url).pathname;
  const startedMs = performance.now();
  const child = spawn(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    main,
    "serve",
    "--port",
    "0",
    "--store",
    folder,
    "--quiet",
  ]);
  await new Promise<void>((done) =>
    child.stdout.on("data", (data: Buffer) => data.toString().includes("listens") && done()),
  );
  const ms = performance.now() - startedMs;
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGTERM");
  await gone;
  return ms / 1000;
}
