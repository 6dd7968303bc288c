import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { createDictionaries, type Dictionaries } from "./dictionaries.ts";
import { packText, unpackText } from "./pack-text.ts";
import { noPieces } from "./stored-pieces.ts";

/** The newest chunk that was committed: its number, its run, and the hash it ends with. */
export type Mark = { chunk: number; run: string; hash: string };

/** An entry as it is stored: its body as it was hashed, and the pieces of prompts that it brought. */
export type StoredEntry = { seq: number; prev: string; hash: string; body: string; pieces: string };

/** A chunk as it is stored: whose it is, its text, and the dictionary that this is packed against. */
export type StoredChunk = { run: string; data: SQLOutputValue; base: number | null };

type ChunkRow = StoredChunk & { id: number; before: number | null };

/** Below this many characters a chunk is packed by itself: a dictionary costs more time than so little text is worth. */
const shortestLeaning = 16_000;
/**
 * Where each entry is: its number and the hash before it, unless they follow from the entry before; its own hash; how
 * long its body is, and its pieces if it brought any.
 */
const LengthSchema = z.int().nonnegative();
const FollowingSchema = z.union([
  z.tuple([z.string(), LengthSchema]),
  z.tuple([z.string(), LengthSchema, LengthSchema]),
]);
const FirstSchema = z.tuple([LengthSchema, z.string(), z.string(), LengthSchema, LengthSchema]);
const HeadSchema = z.array(z.union([FollowingSchema, FirstSchema]));

/** Entries of one moment as one text: a line that says where each is, then their texts. */
export function joinEntries(entries: readonly StoredEntry[]): string {
  let head = "";
  let texts = "";
  let before: StoredEntry | undefined;
  for (const entry of entries) {
    const { seq, prev, hash, body, pieces } = entry;
    const follows = before !== undefined && seq === before.seq + 1 && prev === before.hash;
    const place = follows ? [hash, body.length] : [seq, prev, hash, body.length];
    const brings = pieces !== noPieces || !follows;
    head += `${before ? "," : ""}${JSON.stringify(brings ? [...place, pieces.length] : place)}`;
    texts += brings ? body + pieces : body;
    before = entry;
  }
  return `[${head}]\n${texts}`;
}

/** The entries of a text. */
function splitEntries(text: string): StoredEntry[] {
  let at = text.indexOf("\n") + 1;
  const take = (length: number): string => text.slice(at, (at += length));
  const entries: StoredEntry[] = [];
  for (const place of HeadSchema.parse(JSON.parse(text.slice(0, at)))) {
    const before = entries.at(-1);
    const [seq, prev, hash, body, pieces] =
      place.length === 5 ? place : ([(before?.seq ?? -1) + 1, before?.hash ?? "", ...place] as const);
    entries.push({ seq, prev, hash, body: take(body), pieces: pieces === undefined ? noPieces : take(pieces) });
  }
  if (at !== text.length) throw new Error("its lengths do not add up");
  return entries;
}

/** The entries of a chunk; one that is not as it was written is an error that names its run. */
function unpackEntries({ data, run, base }: StoredChunk, dictionaryOf: Dictionaries["read"]): StoredEntry[] {
  try {
    const dictionary = base === null ? undefined : dictionaryOf(base);
    return splitEntries(unpackText(data, dictionary));
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
  /** The entries of a chunk; one that is not as it was written is an error that names its run. */
  unpack(chunk: StoredChunk): StoredEntry[];
  /** Drops the dictionaries that are text of these runs; what was packed against them is packed anew. */
  dropDictionaries(runs: readonly string[]): void;
};

export function createChunks(database: DatabaseSync): Chunks {
  const insert = database.prepare("INSERT INTO chunks (run, before, base, data) VALUES (?, ?, ?, ?)");
  const select = database.prepare("SELECT id, run, before, base, data FROM chunks WHERE id = ?");
  const selectLast = database.prepare("SELECT last FROM progress WHERE run_id = ?");
  const last = (run: string): number | null => (selectLast.get(run)?.last as number | null | undefined) ?? null;
  const dictionaries = createDictionaries(database, (run) =>
    read(run)
      .map(({ body, pieces }) => body + pieces)
      .join(""),
  );
  const unpack = (chunk: StoredChunk): StoredEntry[] => unpackEntries(chunk, dictionaries.read);
  const read = (run: string, seq = -1): StoredEntry[] => {
    const found: StoredEntry[][] = [];
    for (let id = last(run); id !== null; ) {
      const chunk = select.get(id) as ChunkRow | undefined;
      if (chunk?.run !== run || (chunk.before !== null && chunk.before >= chunk.id))
        throw new ParleyError("corrupt_store", `run ${run} is not readable: a part of its journal is missing`);
      const entries = unpack(chunk);
      found.push(entries);
      id = (entries[0]?.seq ?? 0) <= seq + 1 && seq >= 0 ? null : chunk.before;
    }
    return found.reverse().flat();
  };
  let newest: Mark | null = null;
  return {
    add(run, before, entries) {
      const text = joinEntries(entries);
      const leaning = text.length < shortestLeaning ? null : dictionaries.choose(run);
      const data = packText(text, leaning?.text);
      const chunk = Number(insert.run(run, before, leaning?.id ?? null, data).lastInsertRowid);
      newest = { chunk, run, hash: entries.at(-1)?.hash ?? "" };
      return chunk;
    },
    takeNewest() {
      const taken = newest;
      newest = null;
      return taken;
    },
    last,
    read,
    unpack,
    dropDictionaries(runs) {
      const update = database.prepare("UPDATE chunks SET base = ?, data = ? WHERE id = ?");
      const selectLeaning = database.prepare("SELECT id FROM chunks WHERE base = ?");
      for (const { id, pack } of dictionaries.listOf(runs)) {
        const next = dictionaries.make(pack);
        // A run that stays said the same: it is that run's text now.
        if (next?.id === id) continue;
        for (const { id: chunk } of selectLeaning.all(id)) {
          const text = joinEntries(unpack(select.get(chunk as number) as ChunkRow));
          update.run(next?.id ?? null, packText(text, next?.text), chunk as number);
        }
        dictionaries.drop(id);
      }
    },
  };
}
