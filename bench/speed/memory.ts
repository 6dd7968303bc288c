/** Memory over 10,000 runs in one process: in-process model, SQLite store. Flat means that it does not grow with the runs. */
import { sqliteStore } from "../../src/store/sqlite.ts";
import { type Figure, figureOf, progress, quantile, report } from "./figure.ts";
import { mockModel } from "./mock-model.ts";
import { castOfPlayer, parleyDebate, playerOfModel } from "./parley-debate.ts";
import { withFolder } from "./with-folder.ts";

const runs = 10_000;
const interval = 1_000;
const atOnce = 16;

type Sample = { run: number; rssMb: number; heapMb: number };

function sample(run: number): Sample {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { run, rssMb: rss / 2 ** 20, heapMb: heapUsed / 2 ** 20 };
}

async function samples(folder: string): Promise<Sample[]> {
  const store = sqliteStore(`${folder}/parley.db`);
  const castOf = castOfPlayer(playerOfModel(mockModel(0)));
  const taken: Sample[] = [];
  for (let run = 0; run < runs; run += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, () => parleyDebate(store, castOf)));
    if (Math.floor(run / interval) === Math.floor((run + atOnce) / interval)) continue;
    progress(`memory ${run + atOnce}/${runs}`);
    taken.push(sample(run + atOnce));
  }
  await store.close();
  return taken;
}

async function measure(): Promise<Figure[]> {
  const taken = await withFolder(samples);
  // The first runs warm the process up: code is compiled, caches and the allocator reach their size. Single samples of what the
  // allocator holds go up and down by a tenth, so the middle of three is taken.
  const figure = (name: string, of: "rssMb" | "heapMb"): Figure => {
    const middle = (from: number): number =>
      quantile(
        taken.slice(from, from + 3).map((one) => one[of]),
        0.5,
      );
    return figureOf(`${name} after 8,000 to 10,000 runs / 2,000 to 4,000`, [middle(7) / middle(1)], {
      unit: "×",
      target: { atMost: 1.05 },
      note: `MB at every 1,000 runs: ${taken.map((one) => one[of].toFixed(1)).join(" ")}`,
    });
  };
  return [figure("heap", "heapMb"), figure("RSS", "rssMb")];
}

report(await measure());
