import { hasCode, ParleyError } from "../contract/error.ts";
import { type AttemptBody, EntryBodySchema, type JournalEntry } from "../contract/journal.ts";
import type { DebateResult } from "../contract/result.ts";
import type { Run } from "../contract/run.ts";
import { type Turn, turnIdOf, type TurnKey } from "../contract/turn.ts";
import { hashValue } from "../engine/hash.ts";
import { genesis, hashEntry, type Journal, recall, recallTurns } from "../engine/journal.ts";
import type { Finding } from "../engine/pack.ts";
import type { Store } from "../store/store.ts";
import { shortenText } from "../text/format.ts";
import { pickSealedFacts } from "./start.ts";
import { readFileSync } from "node:fs";

/** A run read from its journal; `result` is null until it ends. */
export type StoredRun = {
  run: Run;
  entries: readonly JournalEntry[];
  material: unknown;
  turns: Turn[];
  result: DebateResult | null;
};

export async function requireRun(store: Store, id: string): Promise<Run> {
  const run = await store.get(id);
  if (run) return run;
  throw new ParleyError("unknown_run", `no run ${id} in ${store.location}`);
}

export async function findRun(store: Store, idOrPrefix: string): Promise<Run> {
  const exact = await store.get(idOrPrefix);
  if (exact) return exact;
  const ids = idOrPrefix === "" ? [] : await store.ids(idOrPrefix);
  const [only] = ids;
  if (only !== undefined && ids.length > 1)
    throw new ParleyError(
      "unknown_run",
      `"${shortenText(idOrPrefix)}" begins several runs: ${ids.slice(-6).toReversed().join(", ")}`,
    );
  const run = only === undefined ? null : await store.get(only);
  if (run) return run;
  throw new ParleyError(
    "unknown_run",
    `no run "${shortenText(idOrPrefix)}" in ${store.location}; \`parley runs\` lists them`,
  );
}

/** Reads a run with its turns in order; refuses a run that was changed since it was written. */
export async function readRun(store: Store, idOrPrefix: string): Promise<StoredRun> {
  const { run, entries } = await readEntries(store, idOrPrefix);
  requireChain(run, entries);
  return assembleStoredRun(run, entries);
}

export function assembleStoredRun(run: Run, entries: readonly JournalEntry[]): StoredRun {
  const end = entries.findLast((entry) => entry.body.kind === "end")?.body;
  try {
    const material = recall(entries).material?.value ?? null;
    return { run, entries, material, turns: recallTurns(entries), result: end?.kind === "end" ? end.result : null };
  } catch (cause) {
    throw new ParleyError(
      "corrupt_store",
      `a reply of run ${run.id} does not match its turn: ${(cause as Error).message}`,
    );
  }
}

export async function readEntries(store: Store, idOrPrefix: string): Promise<Pick<StoredRun, "run" | "entries">> {
  const { id } = await findRun(store, idOrPrefix);
  for (let tries = 1; ; tries += 1) {
    const run = await findRun(store, id);
    const { entries } = await store.journal(id);
    if ((await store.get(id))?.headHash === run.headHash || tries === 20) return { run, entries };
  }
}

/** How long a run took; null until it ends. */
export function findElapsed(entries: readonly JournalEntry[]): number | null {
  const ends = entries.flatMap(({ body }) => (body.kind === "end" ? [body.elapsedMs] : []));
  return ends.length === 0 ? null : Math.max(...ends);
}

export function listAttempts(entries: readonly JournalEntry[]): AttemptBody[] {
  return entries.map(({ body }) => body).filter((body) => body.kind === "attempt");
}

export type Prompted = { key: TurnKey; promptHash: string };

/** The prompt of a turn as sent; empty if it was not kept, an error if it was lost or changed. */
export async function requirePrompt(journal: Journal, runId: string, { key, promptHash }: Prompted): Promise<string[]> {
  const trouble = await findPromptTrouble(journal, promptHash);
  if (typeof trouble !== "string") return trouble;
  throw new ParleyError(
    "corrupt_store",
    `run ${runId} is damaged: ${turnIdOf(key)}: ${trouble}. \`parley verify ${runId}\` checks all of it`,
  );
}

export async function findPromptTrouble(journal: Journal, hash: string): Promise<string[] | string> {
  try {
    return (await journal.prompt(hash)) ?? "a part of its prompt is missing";
  } catch (error) {
    if (!hasCode(error, "corrupt_store")) throw error;
    return `its prompt was changed after it was sent (${error.message})`;
  }
}

export function findTurn(turns: readonly Turn[], name: string): Turn | null {
  return turns.find((turn) => turnIdOf(turn.key) === name) ?? null;
}

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
    findings.push(
      bad(
        "hash_chain",
        "tail",
        `the run has ${run.entryCount} entries, ${entries.length} are there: the tail was cut off or replaced`,
      ),
    );
  return findings.length > 0 ? findings : [good("hash_chain", run.id, `${entries.length} entries, unbroken`)];
}

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
      return bad("schema_version", where, "is an entry of a version that this Parley does not know");
    prev = entry.hash;
  }
  return null;
}

export function good(check: string, where: string, message: string): Finding {
  return { check, ok: true, where, message };
}

export function bad(check: string, where: string, message: string): Finding {
  return { check, ok: false, where, message };
}

export const version: string = (
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string }
).version;

export function nameVersions(error: unknown, recordedBy: string): unknown {
  if (!hasCode(error, "drifted")) return error;
  const readBy = recordedBy === version ? "as is this one: its code or prompts were changed" : `this is ${version}`;
  return new ParleyError("drifted", `${error.message}\nIt was recorded by Parley ${recordedBy}; ${readBy}.`, {
    cause: error,
    details: { ...error.details, recordedBy, readBy: version },
  });
}
