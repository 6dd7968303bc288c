import { ParleyError } from "../../contract/error.ts";
import type { EntryBody, JournalEntry } from "../../contract/journal.ts";
import { type Run, RunSchema } from "../../contract/run.ts";
import { isRecord } from "../../text/is-record.ts";
import { requireChain } from "../record/check-chain.ts";
import { assembleStoredRun, type StoredRun } from "../record/read-run.ts";
import type { Proof } from "./make-proof.ts";

/** The run of a proof, as a store would know it. */
export function readProof(proof: Proof): StoredRun {
  const entries = proof.entries.map((entry): JournalEntry => ({ ...entry, body: JSON.parse(entry.body) as EntryBody }));
  const end = entries.findLast(({ body }) => body.kind === "end")?.body;
  const run: Run = {
    ...proof.run,
    status: "finished",
    outcome: end?.kind === "end" ? end.result.outcome : null,
    headHash: entries.at(-1)?.hash ?? "",
    entryCount: entries.length,
  };
  requireChain(run, entries);
  return assembleStoredRun(run, entries);
}

/** The run of a proof's text; a text that is none is an error that names the file. */
export function parseProof(text: string, file: string): StoredRun {
  try {
    const value = JSON.parse(text) as Proof;
    if (!isRecord(value) || value.format !== "parley-proof") throw new Error("it is not a proof of a run");
    const stored = readProof(value);
    RunSchema.parse(stored.run);
    return stored;
  } catch (cause) {
    throw new ParleyError("bad_input", `${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
