import type { DurableEvent, PassingEvent, StreamEvent, TurnItem } from "../../contract/api/index.ts";
import type { DebateEvent, AttemptBody, JournalEntry } from "../../contract/journal.ts";
import { type Attempt, type Turn, turnIdOf } from "../../contract/turn.ts";
import { assembleTurn } from "../../engine/turn.ts";
import type { Sink } from "./run-tails.ts";

export function lightenTurn({ attempts, ...turn }: Turn): TurnItem {
  return { id: turnIdOf(turn.key), ...turn, attempts: attempts.map(dropRaw) };
}

function dropRaw({ raw: _raw, ...attempt }: Attempt): TurnItem["attempts"][number] {
  return attempt;
}

/** A journal entry as an event; `earlier` finds the first attempts of a repaired turn. */
export async function describeEntry(
  { seq, body }: JournalEntry,
  earlier: () => Promise<AttemptBody[]>,
): Promise<DurableEvent> {
  if (body.kind === "begin") return { type: "begun", seq };
  if (body.kind === "material") return { type: "prepared", seq, hash: body.hash };
  if (body.kind === "call") return { type: "call", seq, key: body.turn, attempt: body.attempt };
  if (body.kind === "end") return { type: "ended", seq, result: body.result };
  if (body.kind === "erased") return { type: "erased", seq, at: body.at };
  if (body.kind === "review") {
    const { verdict, ruling, reviewer, at } = body;
    return { type: "review", seq, verdict, ruling, reviewer, at };
  }
  const attempts = body.number === 1 ? [body] : [...(await earlier()), body];
  const turn = assembleTurn(attempts);
  if (turn === null) return { type: "attempt", seq, key: body.turn, attempt: body.number };
  return { type: "turn", seq, turn: lightenTurn(turn) };
}

export function describePassing(event: DebateEvent): PassingEvent | null {
  return event.type === "turn" || event.type === "ended" ? null : event;
}

/** True for events that reveal statements or decisions, which a blind reviewer must not see in case the run is escalated. */
export function isTelling({ type }: PassingEvent): boolean {
  return type === "text" || type === "note";
}

export function writeEvent(event: StreamEvent): string {
  const id = "seq" in event ? `id: ${event.seq}\n` : "";
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

export const heartbeat = ": still here\n\n";

const encoder = new TextEncoder();

/** Bytes buffered for a slow client; beyond that it is dropped, and can reconnect with its last id. */
const mostWaiting = 1_000_000;

export function openEventStream(onGone: () => void): { body: ReadableStream<Uint8Array>; sink: Sink } {
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const end = (): void => {
    controller?.close();
    controller = null;
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened;
      },
      cancel() {
        controller = null;
        onGone();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: mostWaiting }),
  );
  const sink: Sink = {
    send(text) {
      if (controller === null) return false;
      if ((controller.desiredSize ?? 0) > 0) {
        controller.enqueue(encoder.encode(text));
        return true;
      }
      const message = "you read too slowly and were disconnected; reconnect with the last id you saw";
      controller.enqueue(encoder.encode(writeEvent({ type: "dropped", message })));
      end();
      return false;
    },
    end,
  };
  return { body, sink };
}
