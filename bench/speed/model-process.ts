/** A process that plays the model of the bench debate over HTTP; started by the throughput measurement. */
import { startModelServer } from "../../test/support/model-server.ts";
import { textOfRequest } from "../../test/support/model-server-answer.ts";
import { replyTo } from "./debate-case.ts";

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

process.on("disconnect", () => process.exit());
process.send?.(server.baseUrl);
