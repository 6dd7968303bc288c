import type { DurableEvent, PassingEvent } from "../../contract/api/index.ts";
import type { DebateEvent, AttemptBody, JournalEntry } from "../../contract/journal.ts";
import { turnIdOf } from "../../contract/turn.ts";
import type { Store } from "../../store/store.ts";
import { describeEntry, writeEvent } from "./event-stream.ts";

/** Where a follower's events go; `send` answers false when no more will be taken. */
export type Sink = { send(text: string): boolean; end(): void };

type Follower = { sink: Sink; seq: number; isCaughtUp: boolean };
type Tail = { followers: Set<Follower>; seq: number; reading: Promise<void> | null; isStale: boolean };

const batchSize = 200;

type Censor = (run: string, event: DurableEvent) => Promise<DurableEvent>;

type Greet = (run: string) => PassingEvent[];

/** The followers of runs: each entry is read and written once, however many follow. */
export class RunTails {
  readonly #store: Store;
  readonly #censor: Censor;
  readonly #greet: Greet;
  readonly #tails = new Map<string, Tail>();

  constructor(store: Store, censor: Censor, greet: Greet = () => []) {
    this.#store = store;
    this.#censor = censor;
    this.#greet = greet;
  }

  /** Follows a run from after `seq`; resolves when the follower has all that is durable. The function returned leaves. */
  follow(run: string, seq: number, sink: Sink): { caughtUp: Promise<void>; leave(): void } {
    const tail = this.#tails.get(run) ?? { followers: new Set(), seq, reading: null, isStale: false };
    this.#tails.set(run, tail);
    const follower: Follower = { sink, seq, isCaughtUp: false };
    tail.followers.add(follower);
    return { caughtUp: this.#catchUp(run, tail, follower), leave: () => this.#leave(run, follower) };
  }

  async grow(run: string): Promise<void> {
    const tail = this.#tails.get(run);
    if (!tail) return;
    tail.isStale = true;
    tail.reading ??= this.#readOn(run, tail).finally(() => (tail.reading = null));
    await tail.reading;
  }

  pass(run: string, event: PassingEvent): void {
    const text = writeEvent(event);
    for (const follower of this.#tails.get(run)?.followers ?? [])
      if (follower.isCaughtUp) this.#send(run, follower, text);
  }

  end(run: string): void {
    for (const { sink } of this.#tails.get(run)?.followers ?? []) sink.end();
    this.#tails.delete(run);
  }

  runs(): string[] {
    return [...this.#tails.keys()];
  }

  count(): number {
    return [...this.#tails.values()].reduce((sum, tail) => sum + tail.followers.size, 0);
  }

  tellAll(text: string, isLast: boolean): void {
    for (const [run, tail] of this.#tails)
      for (const follower of tail.followers) {
        this.#send(run, follower, text);
        if (isLast) follower.sink.end();
      }
    if (isLast) this.#tails.clear();
  }

  async #write(run: string, entry: JournalEntry): Promise<string> {
    return writeEvent(await this.#censor(run, await describeEntry(entry, () => readEarlier(this.#store, run, entry))));
  }

  #leave(run: string, follower: Follower): void {
    const tail = this.#tails.get(run);
    tail?.followers.delete(follower);
    if (tail?.followers.size === 0) this.#tails.delete(run);
  }

  #send(run: string, follower: Follower, text: string): void {
    if (!follower.sink.send(text)) this.#leave(run, follower);
  }

  async #readOn(run: string, tail: Tail): Promise<void> {
    do {
      tail.isStale = false;
      const entries = await this.#store.entriesAfter(run, tail.seq, batchSize);
      for (const entry of entries) {
        const text = await this.#write(run, entry);
        tail.seq = entry.seq;
        for (const follower of tail.followers) {
          if (!follower.isCaughtUp || follower.seq >= entry.seq) continue;
          follower.seq = entry.seq;
          this.#send(run, follower, text);
        }
      }
      if (entries.length === batchSize) tail.isStale = true;
    } while (tail.isStale);
  }

  async #catchUp(run: string, tail: Tail, follower: Follower): Promise<void> {
    for (;;) {
      const entries = await this.#store.entriesAfter(run, follower.seq, batchSize);
      for (const entry of entries) {
        const text = await this.#write(run, entry);
        follower.seq = entry.seq;
        this.#send(run, follower, text);
      }
      if (entries.length < batchSize && follower.seq >= tail.seq) break;
    }
    follower.isCaughtUp = true;
    for (const event of this.#greet(run)) this.#send(run, follower, writeEvent(event));
    const caughtUp = [...tail.followers].filter((one) => one.isCaughtUp).map((one) => one.seq);
    if (tail.reading === null) tail.seq = Math.max(tail.seq, Math.min(...caughtUp));
  }
}

async function readEarlier(store: Store, run: string, { seq, body }: JournalEntry): Promise<AttemptBody[]> {
  const entries = await store.entriesAfter(run, -1, seq);
  const turn = body.kind === "attempt" ? turnIdOf(body.turn) : "";
  return entries
    .map((entry) => entry.body)
    .filter((one) => one.kind === "attempt")
    .filter((one) => turnIdOf(one.turn) === turn);
}

/** The store, telling of each run whose journal has grown once that is durable. */
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

/** How much of a streaming reply is kept; a follower who joins late sees its end. */
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

  tell(run: string): PassingEvent[] {
    return [...(this.#runs.get(run)?.values() ?? [])].flatMap(({ started, text }) => [
      started,
      ...(text === "" ? [] : [{ type: "text" as const, key: started.key, text }]),
    ]);
  }

  forget(run: string): void {
    this.#runs.delete(run);
  }
}
