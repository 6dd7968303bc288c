import type { Sink } from "./run-tails.ts";
import { writeEvent } from "./stream-events.ts";

const encoder = new TextEncoder();

/** The most that waits for a slow client, in bytes; then it is let go, and can come back with its last id. */
const mostWaiting = 1_000_000;

/** A stream of server-sent events; `onGone` hears when the client has left. */
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
      const message = "you read too slowly and were let go; come back with the last id you saw";
      controller.enqueue(encoder.encode(writeEvent({ type: "dropped", message })));
      end();
      return false;
    },
    end,
  };
  return { body, sink };
}
