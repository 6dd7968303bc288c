/** A process that plays the model of the bench debate over HTTP; started by `startServerProcess`. */
import { startModelServer } from "../../test/support/model-server.ts";
import { textOfRequest } from "../../test/support/model-server-answer.ts";
import { replyTo } from "./debate-case.ts";

/** Calls, the time that each was in flight summed up, and the time from the first one's start to the last one's end. */
export type Load = { calls: number; inFlightMs: number; windowMs: number };

const server = await startModelServer({
  latencyMs: Number(process.argv[2] ?? 50),
  // The bare loop sends schemas as the AI SDK writes them, which the hosts' strict mode refuses.
  takesAnySchema: true,
  respond(request) {
    const text = textOfRequest(request);
    const seen = server.seen.at(-1);
    // A long measurement must not pile up prompts.
    if (seen) seen.body = { model: "", messages: [] };
    return { content: replyTo(text) };
  },
});

process.on("message", () => {
  const calls = server.seen.splice(0).filter((call) => call.endedMs !== null);
  const ends = calls.map((call) => call.endedMs ?? 0);
  const load: Load = {
    calls: calls.length,
    inFlightMs: calls.reduce((sum, call) => sum + (call.endedMs ?? 0) - call.startedMs, 0),
    windowMs: ends.reduce((a, b) => Math.max(a, b), 0) - (calls[0]?.startedMs ?? 0),
  };
  process.send?.(load);
});
process.on("disconnect", () => process.exit());
process.send?.(server.baseUrl);
