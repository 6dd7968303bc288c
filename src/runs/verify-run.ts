import { EntryBodySchema } from "../contract/journal.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { JournalEntry } from "../contract/journal.ts";
import type { DebateResult } from "../contract/result.ts";
import { type Run, RunSchema } from "../contract/run.ts";
import { hashOf } from "../engine/hash.ts";
import { entryHash, genesis, type Journal } from "../engine/journal.ts";
import type { AnyPack, Finding } from "../engine/pack.ts";
import { piecesFromTexts } from "../engine/prompt-pieces.ts";
import { loadPack } from "../packs/registry.ts";
import type { Store } from "../store/store.ts";
import { readRun, type StoredRun } from "./read-run.ts";
import { debatedResult, isSameResult, replay } from "./redecide.ts";
import { runKey, sealed } from "./start-run.ts";
import { version } from "./version.ts";

/** Checks a run: its row, its hash chain, its prompts, that its decision follows from its turns, and the pack's own checks. */
export async function verifyRun(store: Store, id: string): Promise<Finding[]> {
  try {
    const stored = await readRun(store, id);
    const journal = await store.journal(stored.run.id);
    const basic = [
      ...rowFindings(stored),
      ...chainFindings(stored.run, stored.entries),
      ...(await promptFindings(stored, journal)),
    ];
    if (basic.some((finding) => !finding.ok) || !stored.result) return basic;
    const pack = await loadPack(stored.run.manifest.pack);
    return [...basic, ...(await replayFindings(pack, stored)), ...packFindings(pack, stored)];
  } catch (error) {
    if (hasCode(error, "corrupt_store")) return [bad("stored_json", id, error.message)];
    throw error;
  }
}

function rowFindings({ run, entries, result }: StoredRun): Finding[] {
  const findings: Finding[] = [];
  const parsed = RunSchema.safeParse(run);
  if (!parsed.success)
    findings.push(
      bad(
        "run_record",
        run.id,
        parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; "),
      ),
    );
  else if (run.key !== runKey(run.manifest, run.caseId))
    findings.push(bad("run_record", run.id, "its key is not the key of its manifest"));
  const ended = entries.at(-1)?.body.kind === "end";
  if ((run.status === "finished") !== ended && !(ended && goesOn(result)))
    findings.push(bad("run_record", run.id, `marked ${run.status}, but its journal ${ended ? "ends" : "has no end"}`));
  if (ended && run.status === "finished" && run.outcome !== result?.outcome)
    findings.push(bad("run_record", run.id, `marked ${run.outcome}, but its journal says ${result?.outcome}`));
  return findings.length > 0 ? findings : [good("run_record", run.id, "the run's record agrees with its journal")];
}

/** A run that stopped early can be taken up again, and may have been stopped once more since. */
function goesOn(result: DebateResult | null): boolean {
  return result?.outcome === "failed" || result?.outcome === "budget_exhausted";
}

/** Every entry follows the one before, none is missing, and the run knows the last one. */
export function chainFindings(run: Run, entries: readonly JournalEntry[]): Finding[] {
  const findings: Finding[] = [];
  let prev = genesis;
  for (const [seq, entry] of entries.entries()) {
    const where = `entry ${seq}`;
    if (entry.seq !== seq)
      findings.push(bad("hash_chain", where, `numbered ${entry.seq}: an entry is missing, added or out of order`));
    else if (entry.prev !== prev) findings.push(bad("hash_chain", where, "does not follow the entry before it"));
    else if (entry.hash !== entryHash(prev, seq, JSON.stringify(entry.body)))
      findings.push(bad("hash_chain", where, "was changed after it was written"));
    else if (!EntryBodySchema.safeParse(entry.body).success)
      findings.push(bad("schema_version", where, "is not an entry of a version this Parley knows"));
    if (findings.length > 0) return findings;
    prev = entry.hash;
  }
  const first = entries[0]?.body;
  if (first?.kind === "begin" && first.manifestHash !== hashOf(sealed(run)))
    findings.push(bad("hash_chain", "entry 0", "the run's input, config, cast or other facts changed after it began"));
  if (entries.length > 0 && first?.kind !== "begin")
    findings.push(bad("hash_chain", "entry 0", "is not the beginning of a run"));
  if (run.entryCount !== entries.length || run.headHash !== prev)
    findings.push(
      bad(
        "hash_chain",
        "tail",
        `the run has ${run.entryCount} entries, ${entries.length} are there: the tail was cut off or replaced`,
      ),
    );
  return findings.length > 0 ? findings : [good("hash_chain", run.id, `${entries.length} entries, unbroken`)];
}

async function promptFindings({ run, turns }: StoredRun, journal: Journal): Promise<Finding[]> {
  for (const turn of turns) {
    const texts = await journal.prompt(turn.promptHash);
    const where = `${turn.key.round}/${turn.key.step}/${turn.key.role}`;
    if (!texts) return [bad("prompts", where, "a part of its prompt is missing")];
    if (piecesFromTexts(texts).at(-1)?.hash !== turn.promptHash)
      return [bad("prompts", where, "its prompt was changed after it was sent")];
  }
  return [good("prompts", run.id, `${turns.length} prompts as they were sent`)];
}

/** The rules, run again over the recorded turns, must come to the recorded decision; only this version's own rules can tell. */
async function replayFindings(pack: AnyPack, stored: StoredRun): Promise<Finding[]> {
  const { run } = stored;
  const result = debatedResult(stored);
  if (run.manifest.parley !== version)
    return [good("replay", run.id, `not replayed: made by Parley ${run.manifest.parley}, this is ${version}`)];
  if (!result || result.outcome === "failed" || result.outcome === "budget_exhausted")
    return [good("replay", run.id, "not replayed: the run stopped early")];
  try {
    const again = await replay(pack, stored, run.manifest.config);
    const same = isSameResult(result, again.result);
    return [
      same
        ? good("replay", run.id, "the rules come to the recorded decision again")
        : bad("replay", run.id, "the rules, run again over the recorded turns, come to another decision"),
    ];
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return [bad("replay", run.id, error.message)];
  }
}

function packFindings(pack: AnyPack, { run, turns, result }: StoredRun): Finding[] {
  if (!result?.decision || !pack.verify) return [];
  const { input, config } = run.manifest;
  return pack.verify({ input, config, result, turns });
}

function good(check: string, where: string, message: string): Finding {
  return { check, ok: true, where, message };
}

function bad(check: string, where: string, message: string): Finding {
  return { check, ok: false, where, message };
}
