import * as z from "zod";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { WorstCase } from "../contract/budget.ts";
import { frameOf } from "../contract/frame-words.ts";
import type { AttemptBody, EntryBody, JournalEntry } from "../contract/journal.ts";
import type { DebateResult } from "../contract/result.ts";
import { RunSchema } from "../contract/run.ts";
import { type Turn, turnIdOf } from "../contract/turn.ts";
import { sumUsage, sumWorstCases } from "../engine/budget.ts";
import { hashValue } from "../engine/hash.ts";
import { type Journal, recall } from "../engine/journal.ts";
import type { AnyFinished, AnyPack, Finding } from "../engine/pack.ts";
import type { Player } from "../engine/player.ts";
import { loadPackOf } from "../packs/registry.ts";
import type { Store } from "../store/store.ts";
import { diffJson, formatDifference, jsonCopy } from "../text/json.ts";
import {
  assembleStoredRun,
  bad,
  checkChain,
  findErased,
  findPromptTrouble,
  good,
  listAttempts,
  readEntries,
  type StoredRun,
  version,
} from "./read-run.ts";
import { findDebatedResult, replay } from "./redecide.ts";
import { applyRuling, findReview } from "./review.ts";
import { finishedOf, isRecorded, listFindings } from "./show-run.ts";
import { runKey } from "./start.ts";

/**
 * Checks a run: its row, its hash chain, its prompts, that its decision follows from its turns, and the pack's own
 * checks. Pass an unregistered pack as `own`.
 */
export async function verifyRun(store: Store, id: string, own?: AnyPack): Promise<Finding[]> {
  try {
    const { run, entries } = await readEntries(store, id);
    const chain = checkChain(run, entries);
    if (chain.some((finding) => !finding.ok)) return chain;
    const erased = findErased(entries);
    if (erased) return [...chain, good("erased", id, `erased on ${erased.at}: hashes and order of its entries hold`)];
    const stored = assembleStoredRun(run, entries);
    const basic = [
      ...checkRecord(stored),
      ...(isRecorded(stored.turns) ? [good("recorded", id, frameOf("en").recorded)] : []),
      ...chain,
      ...checkOrder(run.id, entries),
      ...(await checkPrompts(stored, await store.journal(run.id))),
    ];
    if (basic.some((finding) => !finding.ok) || !stored.result) return basic;
    const pack = own ?? (await loadPackOf(run.manifest));
    return [...basic, ...(await checkReplay(pack, stored)), ...checkByPack(pack, stored)];
  } catch (error) {
    if (hasCode(error, "corrupt_store")) return [bad("stored_json", id, error.message)];
    if (hasCode(error, "unknown_run")) return [bad("run_record", id, "is listed, but cannot be found by its id")];
    if (hasCode(error, "bad_input")) return [bad("pack", id, error.message)];
    throw error;
  }
}

export function checkRecord({ run, entries, result }: StoredRun): Finding[] {
  const findings: Finding[] = [];
  const parsed = RunSchema.safeParse(run);
  if (!parsed.success) findings.push(bad("run_record", run.id, z.prettifyError(parsed.error)));
  else if (run.key !== runKey(run.manifest, run.caseId))
    findings.push(bad("run_record", run.id, "its key is not the key of its manifest"));
  const ended = entries.at(-1)?.body.kind === "end";
  if ((run.status === "finished") !== ended && !(ended && canGoOn(result)))
    findings.push(bad("run_record", run.id, `marked ${run.status}, but its journal ${ended ? "ends" : "has no end"}`));
  if (ended && run.status === "finished" && run.outcome !== result?.outcome)
    findings.push(bad("run_record", run.id, `marked ${run.outcome}, but its journal says ${result?.outcome}`));
  return findings.length > 0 ? findings : [good("run_record", run.id, "the run's record agrees with its journal")];
}

/** A run that stopped early can be resumed, and may have stopped again. */
function canGoOn(result: Pick<DebateResult, "outcome"> | null): boolean {
  return result?.outcome === "failed" || result?.outcome === "budget_exhausted";
}

async function checkPrompts({ run, entries }: StoredRun, journal: Journal): Promise<Finding[]> {
  const attempts = listAttempts(entries);
  for (const { turn, promptHash } of attempts) {
    const trouble = await findPromptTrouble(journal, promptHash);
    if (typeof trouble === "string") return [bad("prompts", turnIdOf(turn), trouble)];
  }
  return [good("prompts", run.id, `${attempts.length} prompts as they were sent`)];
}

function checkByPack(pack: AnyPack, stored: StoredRun): Finding[] {
  if (!stored.result?.decision) return [];
  try {
    return listFindings(pack, finishedOf(stored));
  } catch (error) {
    if (error instanceof ParleyError) throw error;
    return [bad("decision", stored.run.id, `cannot be read by the ${pack.name} pack: ${(error as Error).message}`)];
  }
}

type Seen = {
  attempts: Map<string, AttemptBody[]>;
  places: Map<number, string>;
  called: Set<string>;
  last: EntryBody | null;
};

export function checkOrder(runId: string, entries: readonly JournalEntry[]): Finding[] {
  const seen: Seen = { attempts: new Map(), places: new Map(), called: new Set(), last: null };
  for (const [seq, { body }] of entries.entries()) {
    const problem = checks[body.kind](body as never, seen);
    if (problem !== null) return [bad("journal_order", `entry ${seq}`, problem)];
    seen.last = body;
  }
  return [good("journal_order", runId, "its entries come in order")];
}

type Of<K extends EntryBody["kind"]> = Extract<EntryBody, { kind: K }>;

const checks: { [K in EntryBody["kind"]]: (body: Of<K>, seen: Seen) => string | null } = {
  begin: (_, { last }) => (last === null ? null : "a run begins once"),
  material: ({ hash, value }, { last }) => {
    const isPrepared = last?.kind === "call" && last.turn.round === 0 && last.turn.step === "prepare";
    if (last?.kind !== "begin" && !isPrepared) return "material that is not at the start of the run";
    return hash === hashValue(value) ? null : "material that is not what its hash names";
  },
  call: ({ turn, attempt }, seen) => {
    seen.called.add(`${turnIdOf(turn)}#${attempt}`);
    const name = turnIdOf(turn);
    return checkAfterEnd(seen) ?? checkNext(seen.attempts.get(name) ?? [], name, attempt);
  },
  attempt: (body, seen) => {
    const name = turnIdOf(body.turn);
    const before = seen.attempts.get(name) ?? [];
    seen.attempts.set(name, [...before, body]);
    if (body.spent.tokens > 0 && !seen.called.has(`${name}#${body.number}`))
      return `${name} was paid for, but its call was never recorded`;
    if (before.some(({ place }) => place !== body.place)) return `${name} is asked in two places`;
    if (
      before.some(({ promptHash, requestHash }) => promptHash !== body.promptHash || requestHash !== body.requestHash)
    )
      return `${name} is asked two different things`;
    if ((seen.places.get(body.place) ?? name) !== name) return `${name} is asked in place of another turn`;
    seen.places.set(body.place, name);
    return checkAfterEnd(seen) ?? checkNext(before, name, body.number);
  },
  erased: () => "what it said was erased, and the entries around it were not",
  review: (_, { last }) =>
    last?.kind === "end" && last.result.outcome === "escalated" ? null : "a ruling on a run that was not escalated",
  end: (_, seen) => {
    if (seen.last === null) return "a run ends that never began";
    return seen.last.kind === "end" ? checkAfterEnd(seen) : null;
  },
};

function checkAfterEnd({ last }: Seen): string | null {
  if (last?.kind === "review") return "a turn between a ruling and the end it leads to";
  if (last?.kind !== "end") return null;
  return canGoOn(last.result) ? null : `an entry after the run ended ${last.result.outcome}`;
}

function checkNext(before: readonly AttemptBody[], name: string, number: number): string | null {
  if (before.at(-1)?.conclusion) return `${name} had already ended`;
  return number === before.length + 1 ? null : `${name} has ${before.length} attempts, and then number ${number}`;
}

/** Replaying the rules over the recorded turns must reach the recorded result, whatever version the run names. */
export async function checkReplay(pack: AnyPack, stored: StoredRun): Promise<Finding[]> {
  const { run } = stored;
  const result = findDebatedResult(stored);
  if (!result) return [];
  const { parley } = run.manifest;
  const isOwn = parley === version;
  try {
    const again = await replay(pack, stored, run.manifest.config, { missing: findStop(result) });
    const [problem] = [
      ...listDifferences("", endOf(result), endOf(again.result)),
      ...compareTurns(stored.turns, again.turns),
      ...listDifferences("usage", result.usage, sumUsage(stored.turns.map((turn) => turn.usage))),
      ...compareSpend(stored, result),
      // Later versions may have other defaults.
      ...(isOwn ? listDifferences("config", run.manifest.config, pack.config.parse(run.manifest.given ?? {})) : []),
      ...compareRuling(stored, result),
    ];
    if (problem !== undefined) throw new ParleyError("drifted", `${otherwise}: ${problem}`);
    const by = isOwn ? "" : `, although it says that Parley ${parley} made it and this is ${version}`;
    return [good("replay", run.id, `replaying the rules gives the recorded decision${by}`)];
  } catch (error) {
    const hint = isOwn
      ? ""
      : `. It says that Parley ${parley} made it, and this is ${version}: only that one can confirm it`;
    const what = error instanceof ParleyError ? "" : "its turns cannot be replayed: ";
    return [bad("replay", run.id, `${what}${(error as Error).message}${hint}`)];
  }
}

const otherwise = "the rules, applied again to the recorded turns, give a different result from the recorded one";

/** Ends the replay of a run that stopped early at the turn it never got. */
function findStop(result: DebateResult): Player | undefined {
  if (!canGoOn(result)) return undefined;
  const { outcome, reasons } = result;
  const code = outcome === "failed" ? "endpoint_failed" : "budget_exhausted";
  return { id: "recording", play: () => Promise.reject(new ParleyError(code, reasons[0] ?? outcome)) };
}

function endOf({ outcome, reasons, decision, quorum, notes, promptTokens }: DebateResult) {
  return { outcome, reasons, decision, quorum, notes, promptTokens };
}

function compareTurns(recorded: readonly Turn[], again: AnyFinished["turns"]): string[] {
  // The wording of a problem may change, but not its code.
  const plain = ({ problems }: Pick<Turn, "problems">) =>
    problems.map(({ code, severity, path }) => ({ code, severity, path }));
  const said = (turn: Turn) => {
    const { key, status, reply, requestHash, promptHash, attempts } = turn;
    return { key, status, reply, requestHash, promptHash, problems: plain(turn), attempts: attempts.map(plain) };
  };
  return listDifferences("turns", recorded.map(said), again.map(said));
}

/**
 * The spend is the cost of the turns, and at most the worst case of calls without a reply beside it. A turn that failed
 * may have made calls without a charge, which leave no entry.
 */
function compareSpend({ entries }: StoredRun, { spend, outcome }: DebateResult): string[] {
  const { spent, lost } = recall(entries);
  const most = sumWorstCases([spent, lost]);
  const mostLost = sumUnanswered(entries);
  const saidLost = entries.flatMap(({ body }) => (body.kind === "end" ? [body.lost] : []));
  return (["calls", "tokens", "usd"] as const).flatMap((what) => {
    const said = spend[what] ?? 0;
    const isOpen = what === "calls" && canGoOn({ outcome });
    const least = spent[what] ?? 0;
    if (said < least - 1e-9) return [`spend.${what}: ${said} is less than what its turns cost, ${least}`];
    if (!isOpen && said > (most[what] ?? Infinity) + 1e-9)
      return [`spend.${what}: ${said} is more than its calls can cost`];
    const wrong = saidLost.find((one) => (one[what] ?? 0) > (mostLost[what] ?? Infinity) + 1e-9);
    return wrong ? [`lost.${what}: ${wrong[what]} is more than calls without a reply can cost`] : [];
  });
}

/**
 * The worst case of calls that a dying process may have made: those recorded before being made, less one per recorded
 * attempt.
 */
function sumUnanswered(entries: readonly JournalEntry[]): WorstCase {
  const answered = new Set(listAttempts(entries).map(({ turn, number }) => `${turnIdOf(turn)}#${number}`));
  const calls = entries.flatMap(({ body }) => (body.kind === "call" ? [body] : []));
  return sumWorstCases(
    calls.flatMap(({ turn, attempt, worst }) => (answered.delete(`${turnIdOf(turn)}#${attempt}`) ? [] : [worst])),
  );
}

/** The outcome must be that of the person's ruling, while the decision stays as debated. */
function compareRuling({ entries, result }: StoredRun, debated: DebateResult): string[] {
  const review = findReview(entries);
  return review ? listDifferences("after the ruling", result, applyRuling(debated, review)) : [];
}

function listDifferences(what: string, before: unknown, after: unknown): string[] {
  return diffJson(before, jsonCopy(after), what).map(formatDifference);
}
