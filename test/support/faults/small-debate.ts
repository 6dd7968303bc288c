/** Holds one small debate in a store and writes it to a file. Started as `node small-debate.ts STORE OUT`. */
import { expertPlayer } from "../../../src/players/offline-players.ts";
import { ParleyError } from "../../../src/contract/error.ts";
import { startRun } from "../../../src/runs/start.ts";
import { replaceFile } from "../../../src/store/replace-file.ts";
import { sqliteStore } from "../../../src/store/sqlite.ts";
import { toyPack } from "../toy.ts";

const [file = "", out = ""] = process.argv.slice(2);
try {
  const store = sqliteStore(file, { durability: "power", waitMs: 100 });
  const player = expertPlayer();
  const setting = { store, castOf: async () => () => player };
  const { runId, finished } = await startRun(setting, {
    pack: toyPack,
    input: { question: "How many?" },
    cast: "expert",
  });
  replaceFile(out, JSON.stringify({ runId, sum: finished.result.decision?.sum }).padEnd(20_000));
  await store.close();
  process.stdout.write(`done ${runId}\n`);
} catch (error) {
  if (!(error instanceof ParleyError)) throw error;
  process.stderr.write(`clear ${error.code}: ${error.message}\n`);
  process.exitCode = 1;
}
