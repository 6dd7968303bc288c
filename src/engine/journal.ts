import type { WorstCase } from "../contract/budget.ts";
import type { AttemptBody, EntryBody, JournalEntry } from "../contract/journal.ts";
import { type Turn, turnIdOf, type TurnKey } from "../contract/turn.ts";
import { sumWorstCases } from "./budget.ts";
import { sha256 } from "./hash.ts";
import { assembleTurn } from "./turn.ts";

/**
 * Stores a run's entries as a hash chain. `append` resolves when the entry and its prompt are durable. It may be
 * called again before that; it keeps the order of the calls, and stores nothing after an entry that failed. Prompt
 * parts that are already stored are not stored again.
 */
export type Journal = {
  readonly entries: readonly JournalEntry[];
  append(body: EntryBody, prompt: readonly string[]): Promise<void>;
  /** The parts of the prompt with this hash; null when one is missing. */
  prompt(hash: string): Promise<string[] | null>;
};

export type JournalWriter = {
  /** Resolves when this entry and all before it are durable. */
  write(body: EntryBody, prompt?: readonly string[]): Promise<void>;
  /** Adds an entry that nothing outside depends on yet; the next `write` or `done` makes it durable. */
  add(body: EntryBody, prompt?: readonly string[]): void;
  /** Resolves when everything is durable. */
  done(): Promise<void>;
};

/** The previous hash of the first entry. */
export const genesis = "0".repeat(64);

/** The hash of an entry: the previous hash, its position, and its body as stored. */
export function hashEntry(prev: string, seq: number, text: string): string {
  return sha256(`${prev}\n${seq}\n${text}`);
}

/** An entry with its body exactly as hashed. */
export type Linked = { entry: JournalEntry; text: string };

/** Continues the hash chain of `entries`. */
export function chainAfter(entries: readonly JournalEntry[]): (body: EntryBody) => Linked {
  const last = entries.at(-1);
  let prev = last?.hash ?? genesis;
  let seq = (last?.seq ?? -1) + 1;
  return (body) => {
    const text = JSON.stringify(body);
    const entry: JournalEntry = { seq, prev, hash: hashEntry(prev, seq, text), body };
    prev = entry.hash;
    seq += 1;
    return { entry, text };
  };
}

/** Writes after the last entry of `journal`; entries become durable in the order of the calls. */
export function openJournal(journal: Journal): JournalWriter {
  let added = Promise.resolve();
  let failure: { error: unknown } | null = null;
  const noteFailure = (error: unknown): void => {
    failure = { error };
  };
  return {
    async write(body, prompt = []) {
      if (failure) throw failure.error;
      try {
        await journal.append(body, prompt);
      } catch (error) {
        noteFailure(error);
        throw error;
      }
    },
    add(body, prompt = []) {
      if (!failure) added = journal.append(body, prompt).catch(noteFailure);
    },
    async done() {
      await added;
      if (failure) throw failure.error;
    },
  };
}

/** Parts of prompts by prompt hash. */
export type Prompts = Map<string, string[]>;

/** A journal in memory, for the library, redecisions and tests. */
export function createMemoryJournal(entries: JournalEntry[] = [], prompts: Prompts = new Map()): Journal {
  const link = chainAfter(entries);
  return {
    entries,
    append: async (body, prompt) => {
      if (body.kind === "attempt") prompts.set(body.promptHash, [...prompt]);
      entries.push(link(body).entry);
    },
    prompt: async (hash) => prompts.get(hash) ?? null,
  };
}

/** The history of a run, read from its journal: attempts of each turn, their cost, calls lost in flight, time used. */
export type Past = {
  /** Null until it was journaled. */
  material: { hash: string; value: unknown } | null;
  attempts: Map<string, AttemptBody[]>;
  spent: WorstCase;
  lost: WorstCase;
  elapsedMs: number;
};

type Said = Pick<JournalEntry, "body">;

export function recall(entries: readonly Said[]): Past {
  const attempts = new Map<string, AttemptBody[]>();
  const inFlight = new Map<string, WorstCase[]>();
  const spent: WorstCase[] = [];
  let material: Past["material"] = null;
  let elapsedMs = 0;
  for (const { body } of entries) {
    if (body.kind === "material") material = { hash: body.hash, value: body.value };
    if (body.kind === "call") push(inFlight, callIdOf(body.turn, body.attempt), body.worst);
    if (body.kind === "end") elapsedMs = Math.max(elapsedMs, body.elapsedMs);
    if (body.kind !== "attempt") continue;
    push(attempts, turnIdOf(body.turn), body);
    spent.push(body.spent);
    inFlight.delete(callIdOf(body.turn, body.number));
    elapsedMs = Math.max(elapsedMs, body.attempt.startedMs + body.attempt.durationMs);
  }
  const lost = [...inFlight.values()].flat();
  return { material, attempts, spent: sumWorstCases(spent), lost: sumWorstCases(lost), elapsedMs };
}

/** The concluded turns of a journal, in the order they were asked. */
export function recallTurns(entries: readonly Said[]): Turn[] {
  const attempts = [...recall(entries).attempts.values()];
  return attempts
    .toSorted(([a], [b]) => (a?.place ?? 0) - (b?.place ?? 0))
    .map((bodies) => assembleTurn(bodies))
    .filter((turn) => turn !== null);
}

function callIdOf(turn: TurnKey, attempt: number): string {
  return `${turnIdOf(turn)}#${attempt}`;
}

function push<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}
