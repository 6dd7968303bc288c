import { EntryBodySchema, type JournalEntry } from "../../contract/journal.ts";
import { ParleyError } from "../../contract/error.ts";
import type { Run } from "../../contract/run.ts";
import { hashValue } from "../../engine/hash.ts";
import { genesis, hashEntry } from "../../engine/journal.ts";
import type { Finding } from "../../engine/pack.ts";
import { bad, good } from "./finding.ts";
import { pickSealedFacts } from "./run-seal.ts";

/** Every entry follows the one before, none is missing, the first vouches for the run, and the run knows the last one. */
export function checkChain(run: Run, entries: readonly JournalEntry[]): Finding[] {
  const broken = findBroken(entries);
  if (broken) return [broken];
  const findings: Finding[] = [];
  const first = entries[0]?.body;
  if (first?.kind === "begin" && first.manifestHash !== hashValue(pickSealedFacts(run)))
    findings.push(bad("hash_chain", "entry 0", "the run's input, config, cast or other facts changed after it began"));
  if (first && first.kind !== "begin" && first.kind !== "erased")
    findings.push(bad("hash_chain", "entry 0", "is not the beginning of a run"));
  if (run.entryCount !== entries.length || run.headHash !== (entries.at(-1)?.hash ?? genesis))
    findings.push(bad("hash_chain", "tail", explainTail(run.entryCount, entries.length)));
  return findings.length > 0 ? findings : [good("hash_chain", run.id, `${entries.length} entries, unbroken`)];
}

/** Throws when a journal is not as it was written: nothing may be built on it. */
export function requireChain(run: Run, entries: readonly JournalEntry[]): void {
  const erased = findErased(entries);
  if (erased)
    throw new ParleyError("corrupt_store", `run ${run.id} was erased on ${erased.at}; only its hashes are left`);
  const broken = checkChain(run, entries).find((finding) => !finding.ok);
  if (broken)
    throw new ParleyError(
      "corrupt_store",
      `run ${run.id} is damaged: ${broken.where}: ${broken.message}. Nothing was changed or called; \`parley verify ${run.id}\` checks all of it`,
    );
}

/** The first tombstone of a journal; null when nothing was erased. */
export function findErased(entries: readonly JournalEntry[]): { at: string } | null {
  const body = entries.find((entry) => entry.body.kind === "erased")?.body;
  return body?.kind === "erased" ? body : null;
}

function findBroken(entries: readonly JournalEntry[]): Finding | null {
  let prev = genesis;
  for (const [seq, entry] of entries.entries()) {
    const where = `entry ${seq}`;
    if (entry.seq !== seq)
      return bad("hash_chain", where, `numbered ${entry.seq}: an entry is missing, added or out of order`);
    if (entry.prev !== prev) return bad("hash_chain", where, "does not follow the entry before it");
    const isErased = entry.body.kind === "erased";
    if (!isErased && entry.hash !== hashEntry(prev, seq, JSON.stringify(entry.body)))
      return bad("hash_chain", where, "was changed after it was written");
    if (!EntryBodySchema.safeParse(entry.body).success)
      return bad("schema_version", where, "is not an entry of a version this Parley knows");
    prev = entry.hash;
  }
  return null;
}

function explainTail(counted: number, there: number): string {
  if (counted === there) return "the last entry is not the one that the run knows: the tail was replaced";
  return `the run has ${counted} entries, ${there} are there: the tail was cut off or replaced`;
}
