import { ParleyError } from "../contract/error.ts";
import { type Turn, turnIdOf } from "../contract/turn.ts";
import type { AnyPack } from "../engine/pack.ts";
import { findFirstDifference } from "../engine/turn.ts";
import type { Store } from "../store/store.ts";
import { type Difference, diffJson } from "../text/json.ts";
import { requirePrompt, type StoredRun } from "./read-run.ts";
import { compareHeadlines, compareRules, type Flip, type RuleChange } from "./redecide.ts";
import { present } from "./show-run.ts";

export type TurnChange = {
  turn: string;
  change: "only_in_first" | "only_in_second" | "prompt" | "reply" | "status";
  prompt: string | null;
  reply: Difference[];
};

/** The differences between two runs: request, turns, rules, result. */
export type RunDiff = {
  start: Difference[];
  turns: TurnChange[];
  rules: RuleChange[];
  headline: Flip[];
  end: Difference[];
};

/** Compares two runs of a pack, except times and ids. */
export async function diffRuns(store: Store, pack: AnyPack, a: StoredRun, b: StoredRun): Promise<RunDiff> {
  const [one, other] = [a.run.manifest.pack, b.run.manifest.pack];
  if (one !== other)
    throw new ParleyError(
      "bad_input",
      `${a.run.id} is a ${one} run and ${b.run.id} a ${other} run; only runs of one pack can be compared`,
    );
  return {
    start: diffJson(started(a), started(b)),
    turns: await compareTurns(store, a, b),
    rules: compareRules(a.result?.notes ?? [], b.result?.notes ?? []),
    headline: present(pack, a, (first) => present(pack, b, (second) => compareHeadlines(pack, first, second))),
    end: diffJson(ended(a), ended(b)),
  };
}

export function isSame({ start, turns, rules, end }: RunDiff): boolean {
  return start.length + turns.length + rules.length + end.length === 0;
}

function started({ run }: StoredRun) {
  const { pack, input, config, cast, seed, parley } = run.manifest;
  return { pack, parley, cast, seed, config, input };
}

function ended({ result }: StoredRun) {
  return result === null
    ? null
    : { outcome: result.outcome, reasons: result.reasons, quorum: result.quorum, decision: result.decision };
}

async function compareTurns(store: Store, a: StoredRun, b: StoredRun): Promise<TurnChange[]> {
  const left = new Map(a.turns.map((turn) => [turnIdOf(turn.key), turn]));
  const right = new Map(b.turns.map((turn) => [turnIdOf(turn.key), turn]));
  const names = [...new Set([...left.keys(), ...right.keys()])];
  const changes = await Promise.all(
    names.map((name) => compareTurn(store, name, { a, b, first: left.get(name), second: right.get(name) })),
  );
  return changes.filter((change) => change !== null);
}

type Pair = { a: StoredRun; b: StoredRun; first: Turn | undefined; second: Turn | undefined };

async function compareTurn(store: Store, turn: string, { a, b, first, second }: Pair): Promise<TurnChange | null> {
  if (!first || !second) return { turn, change: first ? "only_in_first" : "only_in_second", prompt: null, reply: [] };
  const reply = diffJson(first.reply, second.reply);
  if (first.requestHash !== second.requestHash) {
    const before = await readPrompt(store, a, first);
    const after = await readPrompt(store, b, second);
    return { turn, change: "prompt", prompt: findFirstDifference(before, after), reply };
  }
  if (reply.length > 0) return { turn, change: "reply", prompt: null, reply };
  return first.status === second.status ? null : { turn, change: "status", prompt: null, reply };
}

async function readPrompt(store: Store, { run }: StoredRun, turn: Turn): Promise<string[]> {
  return requirePrompt(await store.journal(run.id), run.id, turn);
}
