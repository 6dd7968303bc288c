import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import { parseProof } from "../../runs/proof/read-proof.ts";
import { readRun, type StoredRun } from "../../runs/record/read-run.ts";
import type { Store } from "../../store/store.ts";
import type { Io } from "../terminal/io.ts";
import { openStoreFile } from "../setting/setting.ts";

/** Recorded runs, one after another: those of a store's folder, or of proofs (`*.json`) in a folder. */
export async function* readRecordings(io: Io, target: string): AsyncGenerator<StoredRun> {
  const path = resolve(io.cwd, target);
  if (!existsSync(path))
    throw new ParleyError("bad_input", `${target} does not exist; name a store folder, or a folder of proofs`);
  if (!statSync(path).isDirectory()) {
    yield parseProof(readFileSync(path, "utf8"), target);
    return;
  }
  const file = [path, join(path, ".parley")].map((folder) => join(folder, "parley.db")).find((one) => existsSync(one));
  if (file === undefined) yield* readProofs(path, target);
  else yield* readStore(openStoreFile(io, file));
}

function* readProofs(path: string, target: string): Generator<StoredRun> {
  const names = readdirSync(path)
    .filter((name) => name.endsWith(".json"))
    .sort();
  if (names.length === 0)
    throw new ParleyError(
      "bad_input",
      `${target} holds no runs: neither a store (parley.db) nor proofs (\`parley export RUN --proof FILE.json\`)`,
    );
  for (const name of names) yield parseProof(readFileSync(join(path, name), "utf8"), join(target, name));
}

async function* readStore(store: Store): AsyncGenerator<StoredRun> {
  try {
    for (const id of await store.ids()) {
      const stored = await readRun(store, id);
      if (stored.result) yield stored;
    }
  } finally {
    await store.close();
  }
}
