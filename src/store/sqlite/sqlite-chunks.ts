import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { constants, zstdCompressSync, zstdDecompressSync } from "../node-parts.ts";
import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";

/** The newest chunk that was committed: its number, its run, and the hash it ends with. */
export type Mark = { chunk: number; run: string; hash: string };

/** An entry as it is stored: its body as it was hashed, and the pieces of prompts that it brought. */
export type StoredEntry = { seq: number; prev: string; hash: string; body: string; pieces: string };

type ChunkRow = { id: number; run: string; before: number | null; data: SQLOutputValue };

/** Below this many characters a chunk is kept as text: what compression would gain is not worth its cost. */
const shortest = 1_500;
/** Chunks are small: with the buffers for large texts, making them costs more than using them. */
const options = {
  chunkSize: 4_000,
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    [constants.ZSTD_c_windowLog]: 17,
    [constants.ZSTD_c_hashLog]: 13,
  },
};

/** Where each entry is: its number, the hash before it, its own, and how long its body and its pieces are. */
const HeadSchema = z.array(
  z.tuple([z.int().nonnegative(), z.string(), z.string(), z.int().nonnegative(), z.int().nonnegative()]),
);

/** Entries of one moment as one value: a line that says where each is, then their texts, compressed when that pays. */
export function packEntries(entries: readonly StoredEntry[]): string | Uint8Array {
  const head = entries.map(({ seq, prev, hash, body, pieces }) => [seq, prev, hash, body.length, pieces.length]);
  let text = `${JSON.stringify(head)}\n`;
  for (const { body, pieces } of entries) text += body + pieces;
  return text.length < shortest ? text : zstdCompressSync(text, options);
}

/** The entries of a chunk; one that is not as it was written is an error that names its run. */
export function unpackEntries(data: SQLOutputValue, run: string): StoredEntry[] {
  try {
    const text = typeof data === "string" ? data : zstdDecompressSync(data as Uint8Array).toString();
    let at = text.indexOf("\n") + 1;
    const take = (length: number): string => text.slice(at, (at += length));
    const entries = HeadSchema.parse(JSON.parse(text.slice(0, at))).map(([seq, prev, hash, body, pieces]) => ({
      seq,
      prev,
      hash,
      body: take(body),
      pieces: take(pieces),
    }));
    if (at !== text.length) throw new Error("its lengths do not add up");
    return entries;
  } catch (cause) {
    throw new ParleyError("corrupt_store", `run ${run} is not readable: a part of its journal is damaged`, { cause });
  }
}

/** The journals of a store: chunks in the order in which they were written, each leading to the one before it of its run. */
export type Chunks = {
  /** Adds a chunk after another of its run, and gives its number. */
  add(run: string, before: number | null, entries: readonly StoredEntry[]): number;
  /** The newest chunk since this was last asked; null when there is none. */
  takeNewest(): Mark | null;
  /** The number of the run's last chunk. */
  last(run: string): number | null;
  /** The run's entries after `seq`, in order; those of whole chunks, so there may be earlier ones among them. */
  read(run: string, seq?: number): StoredEntry[];
};

export function createChunks(database: DatabaseSync): Chunks {
  const insert = database.prepare("INSERT INTO chunks (run, before, data) VALUES (?, ?, ?)");
  const select = database.prepare("SELECT id, run, before, data FROM chunks WHERE id = ?");
  const selectLast = database.prepare("SELECT last FROM progress WHERE run_id = ?");
  const last = (run: string): number | null => (selectLast.get(run)?.last as number | null | undefined) ?? null;
  let newest: Mark | null = null;
  return {
    add(run, before, entries) {
      const chunk = Number(insert.run(run, before, packEntries(entries)).lastInsertRowid);
      newest = { chunk, run, hash: entries.at(-1)?.hash ?? "" };
      return chunk;
    },
    takeNewest() {
      const taken = newest;
      newest = null;
      return taken;
    },
    last,
    read(run, seq = -1) {
      const found: StoredEntry[][] = [];
      for (let id = last(run); id !== null; ) {
        const chunk = select.get(id) as ChunkRow | undefined;
        if (chunk?.run !== run || (chunk.before !== null && chunk.before >= chunk.id))
          throw new ParleyError("corrupt_store", `run ${run} is not readable: a part of its journal is missing`);
        const entries = unpackEntries(chunk.data, run);
        found.push(entries);
        id = (entries[0]?.seq ?? 0) <= seq + 1 && seq >= 0 ? null : chunk.before;
      }
      return found.reverse().flat();
    },
  };
}
