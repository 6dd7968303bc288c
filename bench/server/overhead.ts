import { spawn } from "node:child_process";
import { loadPack } from "../../src/packs/registry.ts";
import { castOfStrings } from "../../src/runs/start/cast-of.ts";
import { startRun } from "../../src/runs/start/start-run.ts";
import { sqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { figureOf } from "../speed/figure.ts";
import { withFolder } from "../speed/with-folder.ts";
import { openBenchServer } from "./open-bench-server.ts";

const pack = await loadPack("sentiment");
const request = (n: number) => ({
  pack,
  input: pack.fromText?.(`The coffee was cold but barista ${n} was kind, and the cake was dry.`),
  cast: "expert",
});
const runsEach = 40;

await withFolder(async (folder) => {
  const store = sqliteStore(`${folder}/parley.db`);
  const castOf = castOfStrings(store);
  const { server } = openBenchServer(store);
  const library = async (n: number): Promise<void> => void (await startRun({ store, castOf }, request(n)));
  const served = async (n: number): Promise<void> => void (await (await server.live.start(request(n))).done);
  const time = async (play: (n: number) => Promise<void>): Promise<number> => {
    const startedMs = performance.now();
    for (let n = 0; n < runsEach; n += 1) await play(n);
    return performance.now() - startedMs;
  };
  await time(library);
  await time(served);
  const ratios: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const [one, other] = round % 2 === 0 ? [await time(library), await time(served)] : [0, 0];
    if (round % 2 === 0) ratios.push(other / one);
    else {
      const second = await time(served);
      ratios.push(second / (await time(library)));
    }
  }
  const started: number[] = [];
  for (let n = 0; n < 5; n += 1) started.push(await measureStart(`${folder}/start-${n}`));
  await store.close();
  console.log(
    JSON.stringify([
      figureOf("a run through the server / the library", ratios, {
        unit: "×",
        target: { atMost: 1.05 },
        note: `${runsEach} expert debates one after another, SQLite`,
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
