import type { DurableEvent, PassingEvent } from "../../contract/api/index.ts";
import type { DebateEvent, AttemptBody, JournalEntry } from "../../contract/journal.ts";
import { turnIdOf } from "../../contract/turn.ts";
import { listAttempts } from "../../runs/read-run.ts";
import type { Store } from "../../store/store.ts";
import { describeEntry, writeEvent } from "./event-stream.ts";

/** Receives a follower's events; `send` returns false when it accepts no more. */
export type Sink = { send(text: string): boolean; end(): void };

type Follower = { sink: Sink; seq: number; isCaughtUp: boolean; isStale: boolean; reading: Promise<void> | null };

const batchSize = 200;

type Censor = (run: string, event: DurableEvent) => Promise<DurableEvent>;

type Greet = (run: string) => PassingEvent[];

/** Followers of runs, each reading the journal from its own position. */
export class RunTails {
  readonly #store: Store;
  readonly #censor: Censor;
  readonly #greet: Greet;
  readonly #followers = new Map<string, Set<Follower>>();

  constructor(store: Store, censor: Censor, greet: Greet = () => []) {
    this.#store = store;
    this.#censor = censor;
    this.#greet = greet;
  }

  /** Follows a run after `seq`; `caughtUp` resolves when all durable events were sent. */
  follow(run: string, seq: number, sink: Sink): { caughtUp: Promise<void>; leave(): void } {
    const follower: Follower = { sink, seq, isCaughtUp: false, isStale: false, reading: null };
    this.#followers.set(run, this.#of(run).add(follower));
    const caughtUp = this.#readOn(run, follower).then(() => {
      follower.isCaughtUp = true;
      for (const event of this.#greet(run)) this.#send(run, follower, writeEvent(event));
    });
    return { caughtUp, leave: () => this.#leave(run, follower) };
  }

  async grow(run: string): Promise<void> {
    await Promise.all([...this.#of(run)].map((follower) => this.#readOn(run, follower)));
  }

  pass(run: string, event: PassingEvent): void {
    const text = writeEvent(event);
    for (const follower of this.#of(run)) if (follower.isCaughtUp) this.#send(run, follower, text);
  }

  end(run: string): void {
    for (const { sink } of this.#of(run)) sink.end();
    this.#followers.delete(run);
  }

  runs(): string[] {
    return [...this.#followers.keys()];
  }

  count(): number {
    return [...this.#followers.values()].reduce((sum, { size }) => sum + size, 0);
  }

  describeAll(text: string, isLast: boolean): void {
    for (const [run, followers] of this.#followers) {
      for (const follower of followers) this.#send(run, follower, text);
      if (isLast) this.end(run);
    }
  }

  #of(run: string): Set<Follower> {
    return this.#followers.get(run) ?? new Set();
  }

  #leave(run: string, follower: Follower): void {
    const followers = this.#of(run);
    followers.delete(follower);
    if (followers.size === 0) this.#followers.delete(run);
  }

  #send(run: string, follower: Follower, text: string): void {
    if (!follower.sink.send(text)) this.#leave(run, follower);
  }

  #readOn(run: string, follower: Follower): Promise<void> {
    follower.isStale = true;
    follower.reading ??= this.#read(run, follower);
    return follower.reading;
  }

  async #read(run: string, follower: Follower): Promise<void> {
    try {
      while (follower.isStale) {
        follower.isStale = false;
        const entries = await this.#store.entriesAfter(run, follower.seq, batchSize);
        if (entries.length === batchSize) follower.isStale = true;
        for (const entry of entries) {
          const event = await describeEntry(entry, () => readEarlier(this.#store, run, entry));
          follower.seq = entry.seq;
          this.#send(run, follower, writeEvent(await this.#censor(run, event)));
        }
      }
    } finally {
      // Synchronously, so that later growth is not missed.
      follower.reading = null;
    }
  }
}

async function readEarlier(store: Store, run: string, { seq, body }: JournalEntry): Promise<AttemptBody[]> {
  const entries = await store.entriesAfter(run, -1, seq);
  const turn = body.kind === "attempt" ? turnIdOf(body.turn) : "";
  return listAttempts(entries).filter((one) => turnIdOf(one.turn) === turn);
}

/** Wraps a store to report each run whose journal has durably grown. */
export function observeStore(store: Store, onGrown: (run: string) => void): Store {
  return {
    ...store,
    async journal(id, lease) {
      const journal = await store.journal(id, lease);
      return {
        ...journal,
        async append(body, prompt) {
          await journal.append(body, prompt);
          onGrown(id);
        },
      };
    },
  };
}

/** Characters of a streaming reply kept for followers who join late. */
const mostText = 50_000;

type Started = Extract<PassingEvent, { type: "turn_started" }>;

export class Speaking {
  readonly #runs = new Map<string, Map<string, { started: Started; text: string }>>();

  hear(run: string, event: DebateEvent): void {
    const turns = this.#runs.get(run) ?? new Map<string, { started: Started; text: string }>();
    if (event.type === "turn_started") {
      this.#runs.set(run, turns);
      turns.set(turnIdOf(event.key), { started: event, text: "" });
    } else if (event.type === "text") {
      const turn = turns.get(turnIdOf(event.key));
      if (turn) turn.text = (turn.text + event.text).slice(-mostText);
    } else if (event.type === "turn") turns.delete(turnIdOf(event.turn.key));
  }

  eventsOf(run: string): PassingEvent[] {
    return [...(this.#runs.get(run)?.values() ?? [])].flatMap(({ started, text }) => [
      started,
      ...(text === "" ? [] : [{ type: "text" as const, key: started.key, text }]),
    ]);
  }

  forget(run: string): void {
    this.#runs.delete(run);
  }
}
