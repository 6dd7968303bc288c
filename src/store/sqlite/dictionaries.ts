import type { DatabaseSync } from "node:sqlite";
import { hasCode, ParleyError } from "../../contract/error.ts";
import { sha256 } from "../../engine/hash.ts";
import { zstdCompressSync, zstdDecompressSync } from "../node-parts.ts";

/**
 * Runs of a pack say much the same: tasks, names of fields, settings. So a long chunk is packed against the text of an
 * earlier run, its dictionary, which is stored once, is named by its own hash, and goes when that run goes.
 */
export const dictionarySchema = `
CREATE TABLE dictionaries (
  id INTEGER PRIMARY KEY,
  pack TEXT NOT NULL,
  run TEXT NOT NULL,
  since INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
`;

/** What chunks are packed against. */
export type Dictionary = { id: number; text: Uint8Array };

export type Dictionaries = {
  /** The text of a dictionary; one that is missing or not as it was written is an error. */
  read(id: number): Uint8Array;
  /** The dictionary for a chunk of this run, made of an earlier run if need be; null when there is none like it. */
  choose(run: string): Dictionary | null;
  /** Makes a dictionary of the newest run of a pack that has enough to say; null when there is none. */
  make(pack: string): Dictionary | null;
  /** The dictionaries that are text of these runs. */
  listOf(runs: readonly string[]): { id: number; pack: string }[];
  drop(id: number): void;
};

/** How many chunks a dictionary serves: so it stays like what is written, and few runs are lost with a damaged one. */
const serves = 4_096;
/** The end of a run is kept, where most of its text is: its result. */
const longest = 64 * 1024;
/** A run with less text than this is not worth leaning on. */
const shortest = 4_000;
/** How many runs are looked at for one with enough text. */
const candidates = 5;
/** How many dictionaries are kept in memory. */
const kept = 8;

/** The dictionaries of a store; `textOf` gives all that is stored of a run's journal. */
export function createDictionaries(database: DatabaseSync, textOf: (run: string) => string): Dictionaries {
  const texts = new Map<number, Uint8Array>();
  const remember = (id: number, text: Uint8Array): Uint8Array => {
    if (texts.size >= kept) texts.clear();
    texts.set(id, text);
    return text;
  };
  const selectNewest = database.prepare(
    `SELECT runs.pack AS pack, dictionaries.id AS id, (SELECT max(id) FROM chunks) - since AS served
      FROM runs LEFT JOIN dictionaries ON dictionaries.pack = runs.pack WHERE runs.id = ? ORDER BY since DESC LIMIT 1`,
  );
  const read = (id: number): Uint8Array => texts.get(id) ?? remember(id, readText(database, id));
  const make = (pack: string): Dictionary | null => {
    const source = findSource(database, pack, textOf);
    if (!source) return null;
    const id = nameText(source.text);
    database
      .prepare(
        `INSERT INTO dictionaries SELECT ?, ?, ?, coalesce(max(id), 0), ? FROM chunks WHERE true
          ON CONFLICT (id) DO UPDATE SET run = excluded.run, since = excluded.since`,
      )
      .run(id, pack, source.run, zstdCompressSync(source.text));
    return { id, text: remember(id, source.text) };
  };
  return {
    read,
    make,
    listOf(runs) {
      const rows = database.prepare("SELECT id, pack, run FROM dictionaries ORDER BY id").all();
      return (rows as { id: number; pack: string; run: string }[]).filter(({ run }) => runs.includes(run));
    },
    drop(id) {
      database.prepare("DELETE FROM dictionaries WHERE id = ?").run(id);
      texts.delete(id);
    },
    choose(run) {
      // Asked for each time: a transaction that was undone, or another process, may have taken the last one away.
      const { pack, id, served } = (selectNewest.get(run) ?? {}) as { pack?: string; id?: number; served?: number };
      if (typeof pack !== "string") return null;
      const text = typeof id === "number" && (served ?? 0) < serves ? readIfSound(() => read(id)) : null;
      return typeof id === "number" && text ? { id, text } : make(pack);
    },
  };
}

/** The name of a dictionary: the first 48 bits of its hash. */
export function nameText(text: Uint8Array): number {
  return Number.parseInt(sha256(text).slice(0, 12), 16);
}

function readText(database: DatabaseSync, id: number): Uint8Array {
  const data = database.prepare("SELECT data FROM dictionaries WHERE id = ?").get(id)?.data;
  const text = data instanceof Uint8Array ? tryUnpack(data) : null;
  if (text === null || nameText(text) !== id)
    throw new ParleyError("corrupt_store", "the text that it is packed against is missing or damaged");
  return text;
}

function tryUnpack(data: Uint8Array): Uint8Array | null {
  try {
    return zstdDecompressSync(data);
  } catch {
    return null;
  }
}

/** What is read; null when it is damaged. */
export function readIfSound<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (!hasCode(error, "corrupt_store")) throw error;
    return null;
  }
}

/** The newest run of a pack that was decided and has enough text; one that cannot be read is passed over. */
function findSource(database: DatabaseSync, pack: string, textOf: (run: string) => string) {
  const rows = database
    .prepare(
      `SELECT runs.id AS run FROM runs JOIN progress ON run_id = runs.id
        WHERE pack = ? AND outcome = 'decided' ORDER BY runs.id DESC LIMIT ?`,
    )
    .all(pack, candidates) as { run: string }[];
  for (const { run } of rows)
    try {
      const text = Buffer.from(textOf(run).slice(-longest));
      if (text.length >= shortest) return { run, text };
    } catch {
      // A damaged run is nothing to lean on, and is found by whoever reads it.
    }
  return null;
}
