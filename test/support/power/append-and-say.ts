/**
 * Appends to the journals of a store and says after each append that it is done, in a file that nobody reads back: the log
 * of files shows what was on the disk by then. Started as `node append-and-say.ts STORE DURABILITY`.
 */
import { appendFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { EntryBody } from "../../../src/contract/journal.ts";
import { hashValue } from "../../../src/engine/hash.ts";
import { pickSealedFacts } from "../../../src/runs/start.ts";
import { sqliteStore } from "../../../src/store/sqlite.ts";
import { createRun } from "../stored-run.ts";
import type { Store } from "../../../src/store/store.ts";

const [file = "", durability] = process.argv.slice(2);
const runsAtOnce = 3;

/** An entry that hardly gets smaller when it is compressed. */
function createBody(id: string, round: number): EntryBody {
  const step = Array.from({ length: 40 }, (_, at) => ((at + 1) * (round + 7) * 7_919 * id.length) % 65_521).join(".");
  const turn = { round, step, role: id };
  return { kind: "call", turn, attempt: 1, worst: { calls: 1, tokens: 1, usd: 0 } };
}

async function runOne(store: Store, id: string): Promise<void> {
  const run = createRun(id);
  await store.create(run);
  const journal = await store.journal(id);
  const manifestHash = hashValue(pickSealedFacts(run));
  await journal.append({ kind: "begin", version: 1, manifestHash }, []);
  for (let round = 1; round < 7; round += 1) {
    await journal.append(createBody(id, round), []);
    appendFileSync(`${file}.said`, `${id} ${round + 1}\n`);
  }
}

for (const opened of ["a", "b"]) {
  const store = sqliteStore(file, { durability: durability === "power" ? "power" : "process" });
  const ids = Array.from({ length: runsAtOnce }, (_, n) => `${opened}${n}`);
  await Promise.all(ids.map((id) => runOne(store, `${id}-early`)));
  // In the middle the log begins anew, as it does every 16 MB.
  const other = new DatabaseSync(file);
  other.exec("PRAGMA wal_checkpoint(RESTART)");
  other.close();
  await Promise.all(ids.map((id) => runOne(store, `${id}-late`)));
  await store.close();
}
