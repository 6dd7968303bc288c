import type { DatabaseSync } from "node:sqlite";
import type { EntryBody } from "../../contract/journal.ts";
import { ManifestSchema } from "../../contract/run.ts";
import { createChunks, type StoredEntry } from "../sqlite/sqlite-chunks.ts";
import { noPieces } from "../sqlite/sqlite-pieces.ts";
import { dropTally } from "../sqlite/tally.ts";
import { changeStore, requireUnheld, shrink, workOnFile } from "./open-for-upkeep.ts";
import type { Cleaned } from "./remove-runs.ts";

/** Which runs a person's data is in: those of a case, or those in which a text stands. */
export type Wanted = { caseId: string } | { text: string };

/** The runs that hold something, oldest first: in what they were started with, their entries or their prompts. */
export function findRunsWith(file: string, wanted: Wanted): string[] {
  return workOnFile(file, (database) => {
    if ("caseId" in wanted)
      return listIds(database, "SELECT id FROM runs WHERE case_id = ? ORDER BY rowid", wanted.caseId);
    const { read } = createChunks(database);
    const inside = JSON.stringify(wanted.text).slice(1, -1);
    const ids = listIds(database, "SELECT id FROM runs ORDER BY rowid");
    const manifestOf = database.prepare("SELECT manifest || coalesce(case_id, '') AS text FROM runs WHERE id = ?");
    return ids.filter(
      (id) =>
        String(manifestOf.get(id)?.text).includes(inside) ||
        read(id).some(({ body, pieces }) => hasText(body, inside) || hasText(pieces, inside)),
    );
  });
}

/** A reply lies in its entry as text within text: what stands in it is escaped twice. */
function hasText(stored: string, inside: string): boolean {
  return stored.includes(inside) || stored.includes(JSON.stringify(inside).slice(1, -1));
}

function listIds(database: DatabaseSync, sql: string, ...values: string[]): string[] {
  return (database.prepare(sql).all(...values) as { id: string }[]).map(({ id }) => id);
}

/**
 * Erases what runs were about and what was said in them. A run stays as a row of hashes: each entry becomes a tombstone
 * that keeps its place in the chain, so that it can still be told that nothing was taken out or put in between.
 */
export async function eraseRuns(file: string, ids: readonly string[], at: string): Promise<Cleaned> {
  await requireUnheld(file, new Set(ids));
  dropTally(file);
  return workOnFile(file, (database) => {
    changeStore(database, () => {
      for (const id of ids) eraseRun(database, id, at);
    });
    return { isClean: shrink(database) };
  });
}

function eraseRun(database: DatabaseSync, id: string, at: string): void {
  const chunks = createChunks(database);
  const entries = chunks.read(id).map((entry) => bury(entry, at));
  database.prepare("DELETE FROM chunks WHERE run = ?").run(id);
  const last = entries.length === 0 ? null : chunks.add(id, null, entries);
  const { manifest } = database.prepare("SELECT manifest FROM runs WHERE id = ?").get(id) as { manifest: string };
  database
    .prepare("UPDATE runs SET manifest = ?, case_id = NULL, batch = NULL, key = ? WHERE id = ?")
    .run(JSON.stringify(emptyManifest(manifest)), `erased ${id}`, id);
  database
    .prepare(
      `UPDATE progress SET last = ?, reviewed = 0, status = 'finished', holder = NULL,
        outcome = CASE outcome WHEN 'escalated' THEN NULL ELSE outcome END WHERE run_id = ?`,
    )
    .run(last, id);
}

function bury({ seq, prev, hash, body }: StoredEntry, at: string): StoredEntry {
  const { kind } = JSON.parse(body) as EntryBody;
  const tombstone: EntryBody = { kind: "erased", was: kind, at };
  return { seq, prev, hash, body: kind === "erased" ? body : JSON.stringify(tombstone), pieces: noPieces };
}

/** What a run was started with, without what it was about. */
function emptyManifest(text: string): unknown {
  const manifest = ManifestSchema.parse(JSON.parse(text));
  return { ...manifest, input: null, given: {}, config: {}, parent: null };
}
