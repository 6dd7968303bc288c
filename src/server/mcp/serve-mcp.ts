import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Server } from "../setting/server.ts";
import { createMcpServer } from "./mcp-server.ts";

/**
 * Answers one MCP request over streamable HTTP. Each is answered by a server of its own: there are no sessions that one
 * client could take over from another, and no events that could be read again with somebody else's id.
 */
export async function serveMcp(server: Server, request: Request, body: unknown): Promise<Response> {
  const { store, castOf, config, live } = server;
  const ownRuns = listOwnRuns(server);
  const { server: mcp } = await createMcpServer({
    setting: { store, castOf },
    config,
    rules: { casts: server.rules.casts, budget: config.budget ?? {}, ownRuns },
    async play(asked, { signal, onEvent }) {
      const { id, done } = await live.start(asked, onEvent);
      ownRuns?.add(id);
      signal.addEventListener("abort", () => live.cancel(id));
      return done;
    },
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await mcp.connect(transport);
  return transport.handleRequest(request, { parsedBody: body });
}

/** Requests share nothing but what was started: a run that one of them started can be looked at by the next. */
const started = new WeakMap<Server, Set<string>>();

function listOwnRuns(server: Server): Set<string> | null {
  if (server.rules.mcpAllRuns) return null;
  const runs = started.get(server) ?? new Set();
  started.set(server, runs);
  return runs;
}
