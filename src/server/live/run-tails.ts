import type { StreamEvent } from "../../contract/api/index.ts";
import type { DebateEvent, JournalEntry } from "../../contract/journal.ts";
import { turnIdOf } from "../../contract/turn.ts";
import type { Store } from "../../store/store.ts";

type Speaking = { turn: string; player: string; text: string };

/** The journal has grown since it was read; the connection has been quiet for long. */
type Follower = { isStale: boolean; isQuiet: boolean; wake(): void };

type Followed = { followers: Set<Follower>; status: string; message: string | null; isOver: boolean };

type TailsOptions = {
  store: Store;
  isLive(run: string): boolean;
  /** Statements are hidden from blind reviewers, in case the run is escalated. */
  blind: boolean;
};

const batchSize = 200;
const heartbeat = ": still here\n\n";

/**
 * Followers of runs. Each reads the journal from its own position and at its own pace, so nothing is buffered for a
 * slow one; who is speaking comes from the runs played here.
 */
export class RunTails {
  readonly #options: TailsOptions;
  readonly #runs = new Map<string, Followed>();
  readonly #speaking = new Map<string, Map<string, Speaking>>();
  #isClosed = false;

  constructor(options: TailsOptions) {
    this.#options = options;
  }

  /** The events of a run after `seq`, until it is over, the server closes or nobody reads them. */
  async follow(run: string, seq: number): Promise<AsyncGenerator<string>> {
    const events = this.#read(run, seq);
    // From here on the follower is counted, even if nobody reads yet.
    await events.next();
    return events;
  }

  async *#read(run: string, seq: number): AsyncGenerator<string> {
    const { store } = this.#options;
    const followed = this.#runs.get(run) ?? { followers: new Set(), status: "", message: null, isOver: false };
    const follower: Follower = { isStale: true, isQuiet: false, wake: () => undefined };
    this.#runs.set(run, followed);
    followed.followers.add(follower);
    const heard = new Map<Speaking, number>();
    let last = seq;
    let status = "";
    try {
      yield "";
      await this.tell(run);
      for (;;) {
        const woken = new Promise<void>((wake) => (follower.wake = wake));
        while (follower.isStale) {
          follower.isStale = false;
          const entries = await store.entriesAfter(run, last, batchSize);
          follower.isStale ||= entries.length > 0;
          for (const entry of entries) {
            last = entry.seq;
            yield writeEvent(describeEntry(entry));
          }
        }
        for (const speaking of this.#speaking.get(run)?.values() ?? []) {
          const { turn, player, text } = speaking;
          const from = heard.get(speaking);
          heard.set(speaking, text.length);
          if (from === undefined) yield writeEvent({ type: "turn_started", turn, player });
          if (text.length > (from ?? 0)) yield writeEvent({ type: "text", turn, text: text.slice(from) });
        }
        if (status !== followed.status) yield (status = followed.status);
        if (this.#isClosed) yield writeEvent({ type: "closing", message: "the server is shutting down" });
        if (this.#isClosed || (followed.isOver && !follower.isStale)) return;
        if (follower.isQuiet) yield heartbeat;
        follower.isQuiet = false;
        await woken;
      }
    } finally {
      followed.followers.delete(follower);
      if (followed.followers.size === 0) this.#runs.delete(run);
    }
  }

  hear(run: string, event: DebateEvent): void {
    const turns = this.#speaking.get(run) ?? new Map<string, Speaking>();
    this.#speaking.set(run, turns);
    if (event.type === "turn_started") {
      const turn = turnIdOf(event.key);
      turns.set(turn, { turn, player: event.player, text: "" });
    } else if (event.type === "text") {
      const speaking = turns.get(turnIdOf(event.key));
      if (speaking && !this.#options.blind) speaking.text += event.text;
    } else if (event.type === "turn") turns.delete(turnIdOf(event.turn.key));
    this.#wakeAll(run, event.type !== "text");
  }

  /** Passes on what the store says of a run; `message` says why it stopped, until it goes on. */
  async tell(run: string, message?: string | null): Promise<void> {
    const { store, isLive } = this.#options;
    const live = isLive(run);
    if (!live) this.#speaking.delete(run);
    const followed = this.#runs.get(run);
    const stored = followed && (await store.get(run));
    if (!stored) return;
    const { status, outcome } = stored;
    if (live || message !== undefined) followed.message = message ?? null;
    followed.status = writeEvent({ type: "status", status, outcome, live, message: followed.message });
    followed.isOver = status === "finished" && !live;
    this.#wakeAll(run, true);
  }

  /** Looks at the runs that other processes may play. */
  async tick(): Promise<void> {
    for (const run of this.#runs.keys()) if (!this.#options.isLive(run)) await this.tell(run);
  }

  beat(): void {
    for (const { followers } of this.#runs.values())
      for (const follower of followers) {
        follower.isQuiet = true;
        follower.wake();
      }
  }

  count(): number {
    return [...this.#runs.values()].reduce((sum, { followers }) => sum + followers.size, 0);
  }

  close(): void {
    this.#isClosed = true;
    for (const run of this.#runs.keys()) this.#wakeAll(run, false);
  }

  #wakeAll(run: string, hasGrown: boolean): void {
    for (const follower of this.#runs.get(run)?.followers ?? []) {
      follower.isStale ||= hasGrown;
      follower.wake();
    }
  }
}

function describeEntry({ seq, body }: Pick<JournalEntry, "seq" | "body">): StreamEvent {
  if (body.kind !== "call" && body.kind !== "attempt") return { type: body.kind, seq };
  const turn = turnIdOf(body.turn);
  const isTurn = body.kind === "attempt" && body.conclusion !== null;
  return { type: isTurn ? "turn" : body.kind, seq, turn };
}

function writeEvent(event: StreamEvent): string {
  const id = "seq" in event ? `id: ${event.seq}\n` : "";
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
