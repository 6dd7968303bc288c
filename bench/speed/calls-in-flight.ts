import { subscribe } from "node:diagnostics_channel";

/** Where Node's two HTTP clients say that a request was sent and that its answer came. */
const sent = ["http.client.request.start", "undici:request:create"];
const answered = ["http.client.response.finish", "undici:request:trailers"];

/** The HTTP calls of this process that are in flight, summed up over time. */
export type CallsInFlight = { reset(): void; meanSince(): number };

/** Counts calls from the moment they are sent to the moment they are answered. */
export function countCallsInFlight(): CallsInFlight {
  let inFlight = 0;
  let area = 0;
  let startedMs = 0;
  let lastMs = 0;
  const move = (change: number): void => {
    const nowMs = performance.now();
    if (startedMs === 0) startedMs = nowMs;
    else area += inFlight * (nowMs - lastMs);
    lastMs = nowMs;
    inFlight += change;
  };
  for (const channel of sent) subscribe(channel, () => move(1));
  for (const channel of answered) subscribe(channel, () => move(-1));
  return {
    reset: () => {
      area = 0;
      startedMs = 0;
    },
    meanSince: () => area / (lastMs - startedMs),
  };
}
