/** One small debate, in which each write, cut, sync and rename goes wrong in turn: the old state, the new one, or a clear error. */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readRun } from "../../../src/runs/read-run.ts";
import { verifyRun } from "../../../src/runs/verify.ts";
import { sqliteStore } from "../../../src/store/sqlite.ts";
import { cleanEnv, newFolder } from "../../support/cli.ts";
import { whyUnwatched } from "../../support/power/file-log.ts";
import { timesOf } from "../../support/share.ts";
import { toyPack } from "../../support/toy.ts";

const script = join(import.meta.dirname, "../../support/faults/small-debate.ts");
const source = join(import.meta.dirname, "../../support/faults/io-fault.c");

describe.skipIf(whyUnwatched !== null)(
  "a fault at any write, cut, sync or rename (skipped where there is no gcc)",
  () => {
    const library = join(newFolder(), "io-fault.so");
    /** A folder with a finished run and an output of it. */
    const before = newFolder();
    let operations = 0;

    /** Holds the debate in a copy of the folder, with the fault at the n-th operation. */
    function hold(folder: string, kind: string, at: number) {
      const count = join(newFolder(), "count");
      const env = { LD_PRELOAD: library, IO_FAULT_ROOT: folder, IO_FAULT_KIND: kind, IO_FAULT_AT: `${at}` };
      const args = [
        "--disable-warning=ExperimentalWarning",
        script,
        join(folder, "parley.db"),
        join(folder, "out.json"),
      ];
      const ran = spawnSync(process.execPath, args, {
        env: { ...cleanEnv(), ...env, IO_FAULT_COUNT: count },
        encoding: "utf8",
        timeout: 60_000,
      });
      return { ...ran, count: existsSync(count) ? Number(readFileSync(count, "utf8")) : 0 };
    }

    beforeAll(() => {
      expect(spawnSync("gcc", ["-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"]).status).toBe(0);
      const first = hold(before, "none", 0);
      expect(first.stdout, first.stderr).toContain("done");
      const whole = newFolder();
      cpSync(before, whole, { recursive: true });
      operations = hold(whole, "none", 0).count;
      expect(operations).toBeGreaterThan(10);
    });

    it.each(["fail", "full", "short", "before", "after"])(
      "that is of the kind %s leaves the old state or the new one",
      async (kind) => {
        const old = readFileSync(join(before, "out.json"), "utf8");
        const every = timesOf({ quick: 31, whole: 1 });
        const ends: Record<string, number> = {};
        for (let at = 1; at <= operations; at += every) {
          const folder = newFolder();
          cpSync(before, folder, { recursive: true });
          const ran = hold(folder, kind, at);
          const where = `${kind} at ${at} of ${operations}: ${ran.stdout}${ran.stderr}`;
          const end =
            ran.status === 0
              ? "done"
              : ran.status === 99
                ? "died"
                : ran.stderr.startsWith("clear ")
                  ? "clear error"
                  : "";
          expect(end, where).not.toBe("");
          ends[end] = (ends[end] ?? 0) + 1;
          const out = readFileSync(join(folder, "out.json"), "utf8");
          const isNew = out !== old;
          if (isNew) expect(out.length, where).toBe(20_000);
          if (end === "done") expect(out, where).toContain(ran.stdout.trim().split(" ")[1] ?? "");
          await checkStore(folder, where, end === "done" ? 2 : 1);
          const after = hold(folder, "none", 0);
          expect(after.stdout, `${where}, then ${after.stderr}`).toContain("done");
          expect(readdirSync(folder).filter((name) => name.endsWith(".new")).length, where).toBeLessThanOrEqual(1);
        }
        console.log(`${kind}: ${JSON.stringify(ends)} of ${operations} operations`);
      },
      600_000,
    );

    async function checkStore(folder: string, where: string, finished: number): Promise<void> {
      const store = sqliteStore(join(folder, "parley.db"));
      try {
        expect(await store.problems(), where).toEqual([]);
        let whole = 0;
        for (const id of await store.ids()) {
          const { run } = await readRun(store, id);
          expect(
            (await verifyRun(store, id, toyPack)).filter(({ ok }) => !ok),
            where,
          ).toEqual([]);
          if (run.status === "finished") whole += 1;
        }
        expect(whole, where).toBeGreaterThanOrEqual(finished);
      } finally {
        await store.close();
      }
    }
  },
);
