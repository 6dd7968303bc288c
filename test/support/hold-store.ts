/**
 * Holds a store file against all writers until it is told to let go: `node hold-store.ts FILE [exclusive]` prints "held"
 * and ends with its standard input. `exclusive` keeps readers out too.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";

/** Another process that holds the store; resolves when it does. */
export async function holdStore(
  file: string,
  how: "writers" | "exclusive" = "writers",
): Promise<{ letGo(): Promise<void> }> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", import.meta.filename, file, how], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return {
    async letGo() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

if (import.meta.main) {
  const [file = "", how] = process.argv.slice(2);
  const database = new DatabaseSync(file, { timeout: 10_000 });
  if (how === "exclusive") database.exec("PRAGMA locking_mode = EXCLUSIVE");
  database.exec("BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS held (x); DROP TABLE held");
  console.log("held");
  process.stdin.resume().once("end", () => {
    database.exec("ROLLBACK");
    database.close();
  });
}
