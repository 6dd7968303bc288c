import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Server } from "../setting/server.ts";
import { makeAnswerTool } from "./answer-tool.ts";
import { createRunTasks } from "./mcp-tasks.ts";
import { createMcpServer, type Play } from "./mcp-server.ts";

/**
 * Answers one MCP request over streamable HTTP. Each is answered by a server of its own: there are no sessions that one
 * client could take over from another, and no events that could be read again with somebody else's id.
 */
export async function serveMcp(server: Server, request: Request, body: unknown): Promise<Response> {
  const { store, castOf, config, live } = server;
  const rules = { casts: server.rules.casts, budget: config.budget ?? {}, ownRuns: listOwnRuns(server) };
  const play: Play = async (asked, { signal, onTurn }) => {
    const taken = await live.start(asked, (event) => {
      if (event.type === "turn") onTurn(event.turn);
    });
    signal.addEventListener("abort", () => live.cancel(taken.id));
    return taken;
  };
  const { server: mcp } = await createMcpServer({
    setting: { store, castOf },
    config,
    rules,
    play,
    tasks: createRunTasks(server, rules, request.signal),
    tools: { answer_turn: makeAnswerTool(server, rules) },
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
