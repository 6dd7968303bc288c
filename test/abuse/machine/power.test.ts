import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkChain, readEntries } from "../../../src/runs/read-run.ts";
import { verifyRun } from "../../../src/runs/verify.ts";
import { sqliteStore } from "../../../src/store/sqlite.ts";
import type { Store } from "../../../src/store/store.ts";
import { cleanEnv, newFolder, spawnCli } from "../../support/cli.ts";
import { type FileEvent, type FileLog, watchFiles, whyUnwatched } from "../../support/power/file-log.ts";
import { type Survival, writeLostDisk } from "../../support/power/lost-disk.ts";
import { shareOf, timesOf } from "../../support/share.ts";
import { startTenCalls, type TenCalls, tenCalls } from "../../support/ten-calls.ts";

if (whyUnwatched !== null)
  console.error(`SKIPPED: what a loss of power does to a store is not tested: ${whyUnwatched}`);

/** The same draws for the same number. */
function drawFrom(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What can be on the disk of that which was not synced. */
const survivals: Record<string, (seed: number) => Survival> = {
  nothing: () => () => false,
  everything: () => () => true,
  "all but the log": () => (path) => !path.endsWith("-wal"),
  "any half of it": (seed) => {
    const draw = drawFrom(seed);
    return () => draw() < 0.5;
  },
  "nearly all of it": (seed) => {
    const draw = drawFrom(seed);
    return () => draw() < 0.9;
  },
};

/** The store as it is found after a loss of power. */
async function findStore<T>(
  log: FileLog,
  events: readonly FileEvent[],
  { survives, work }: { survives: Survival; work(store: Store, folder: string): Promise<T> },
): Promise<T> {
  const folder = newFolder();
  writeLostDisk(log.folder, events, folder, survives);
  const store = sqliteStore(join(folder, ".parley", "parley.db"));
  try {
    return await work(store, folder);
  } finally {
    await store.close();
  }
}

/** The ids of a store with how many entries each run has, all of them linked. */
async function countEntries(store: Store): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const id of await store.ids()) {
    const { run, entries } = await readEntries(store, id);
    expect(checkChain(run, entries).filter(({ ok }) => !ok)).toEqual([]);
    counts.set(id, entries.length);
  }
  return counts;
}

/** What had been said to be done by then: how many entries of each run. */
function readSaid(events: readonly FileEvent[]): Map<string, number> {
  const inodes = events.flatMap((one) => (one.kind === "create" && one.path.endsWith(".said") ? [one.inode] : []));
  const said = new Map<string, number>();
  for (const event of events)
    if (event.kind === "write" && inodes.includes(event.inode))
      for (const line of event.bytes.toString().trim().split("\n")) {
        const [id = "", count] = line.split(" ");
        said.set(id, Number(count));
      }
  return said;
}

describe.skipIf(whyUnwatched !== null)("power is lost at any moment (skipped where there is no gcc)", () => {
  describe.each(["power", "process"] as const)("durability: %s", (durability) => {
    let log: FileLog;
    let events: FileEvent[] = [];
    let moments: number[] = [];
    beforeAll(() => {
      log = watchFiles();
      const script = join(import.meta.dirname, "../../support/power/append-and-say.ts");
      const args = [
        "--disable-warning=ExperimentalWarning",
        script,
        join(log.folder, ".parley", "parley.db"),
        durability,
      ];
      const { status, stderr } = spawnSync(process.execPath, args, {
        env: { ...cleanEnv(), ...log.env },
        encoding: "utf8",
      });
      expect(status, stderr).toBe(0);
      events = log.until();
      const every = timesOf({ quick: 41, whole: 2 });
      moments = Array.from(events.keys()).filter((moment) => moment % every === 0);
    });

    it("the log of files misses nothing: with everything kept it is the folder as it stands", () => {
      const folder = newFolder();
      writeLostDisk(log.folder, events, folder, () => true);
      const place = (root: string): string => join(root, ".parley");
      expect(readdirSync(place(folder)).toSorted()).toEqual(readdirSync(place(log.folder)).toSorted());
      for (const name of readdirSync(place(folder)))
        expect(readFileSync(join(place(folder), name)).equals(readFileSync(join(place(log.folder), name))), name).toBe(
          true,
        );
      expect(readSaid(events).size).toBe(12);
    });

    it.each(Object.keys(survivals))("the store is sound when %s of what was not synced is kept", async (name) => {
      let missing = 0;
      for (const moment of moments) {
        const happened = events.slice(0, moment + 1);
        const survives = survivals[name]?.(moment) ?? (() => false);
        await findStore(log, happened, {
          survives,
          async work(store) {
            expect(await store.problems(), `at event ${moment}`).toEqual([]);
            const counts = await countEntries(store);
            const lost = [...readSaid(happened)].filter(([id, count]) => (counts.get(id) ?? 0) < count);
            if (durability === "power") expect(lost, `at event ${moment}`).toEqual([]);
            if (lost.length === 0) return;
            missing += 1;
          },
        });
      }
      if (durability === "power") return;
      if (name === "nothing" || name === "all but the log") expect(missing).toBeGreaterThan(0);
      if (name === "everything") expect(missing).toBe(0);
    });
  });

  describe("a debate of ten calls, then a second", () => {
    let ten: TenCalls;
    let log: FileLog;
    /** Where the log was when a call arrived, and how many replies the debate had built on by then. */
    const arrivals: { moment: number; replies: number }[] = [];
    let ends: number[] = [];
    beforeAll(async () => {
      ten = await startTenCalls();
      log = watchFiles(ten.folder());
      const config = join(log.folder, "parley.config.yaml");
      writeFileSync(config, `${readFileSync(config, "utf8")}durability: power\n`);
      for (const done of [0, 10]) {
        ten.begin((count) => {
          const round = Math.floor((count - 1) / 3) * 3;
          arrivals.push({ moment: log.now(), replies: done + round });
        });
        const { code, err } = await spawnCli(tenCalls, { cwd: log.folder, env: log.env }).ran;
        expect(code, err).toBe(0);
        ends.push(log.now());
      }
    });
    afterAll(() => ten.close());

    const countReplies = async (store: Store): Promise<number> => {
      let replies = 0;
      for (const id of await store.ids()) {
        expect((await verifyRun(store, id)).filter(({ ok }) => !ok)).toEqual([]);
        const { entries } = await readEntries(store, id);
        replies += entries.filter(({ body }) => body.kind === "attempt").length;
      }
      return replies;
    };

    it.each(Object.keys(survivals))("what a call was built on is there when %s of the rest is", async (name) => {
      const kept = [...arrivals, ...ends.map((moment, at) => ({ moment, replies: 10 * (at + 1) }))];
      for (const { moment, replies } of shareOf(kept, (_, at) => at % 3 === 1)) {
        const survives = survivals[name]?.(moment) ?? (() => false);
        const found = await findStore(log, log.until(moment), { survives, work: countReplies });
        expect(found, `at byte ${moment} of the log`).toBeGreaterThanOrEqual(replies);
      }
    });
  });
});
