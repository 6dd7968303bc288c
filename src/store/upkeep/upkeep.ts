import type { EntryBody } from "../../contract/journal.ts";
import { ManifestSchema } from "../../contract/run.ts";
import type { StoredEntry } from "../sqlite/sqlite-chunks.ts";
import { noPieces } from "../sqlite/stored-pieces.ts";

/** Which runs a person's data is in: those of a case, or those in which a text stands. */
export type Wanted = { caseId: string } | { text: string };

/** What is left to be said after runs were removed or erased: where something of them may still be. */
export type Cleaned = { left: string | null };

/** Looks after what is in a store. Every implementation passes the suite in test/support/describe-upkeep.ts. */
export type Upkeep = {
  /** The runs that hold something, oldest first: in what they were started with, their entries or their prompts. */
  find(wanted: Wanted): Promise<string[]>;
  /** Removes runs with their journals; instructions, which runs share, stay. One that somebody holds is an error. */
  remove(ids: readonly string[]): Promise<Cleaned>;
  /**
   * Erases what runs were about and what was said in them. A run stays as a row of hashes: each entry becomes a tombstone
   * that keeps its place in the chain, so that it can still be told that nothing was taken out or put in between.
   */
  erase(ids: readonly string[], at: string): Promise<Cleaned>;
  close(): Promise<void>;
};

/** A text as it stands in a manifest, and as it stands in an entry: a reply is text within text there, so escaped twice. */
export function writeStoredForms(text: string): [string, string] {
  const once = JSON.stringify(text).slice(1, -1);
  return [once, JSON.stringify(once).slice(1, -1)];
}

/** The tombstone of an entry. */
export function buryEntry({ seq, prev, hash, body }: StoredEntry, at: string): StoredEntry {
  const { kind } = JSON.parse(body) as EntryBody;
  const tombstone: EntryBody = { kind: "erased", was: kind, at };
  return { seq, prev, hash, body: kind === "erased" ? body : JSON.stringify(tombstone), pieces: noPieces };
}

/** What a run was started with, without what it was about. */
export function emptyManifest(text: string): string {
  const manifest = ManifestSchema.parse(JSON.parse(text));
  return JSON.stringify({ ...manifest, input: null, given: {}, config: {}, parent: null });
}
