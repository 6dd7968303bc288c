import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import * as z from "zod";
import { turnIdOf } from "../../contract/turn.ts";
import { loadPackOf } from "../../packs/registry.ts";
import { readRun } from "../../runs/read-run.ts";
import { findWaitingTurn } from "../../runs/review-turn.ts";
import { checkValue } from "../../runs/settings.ts";
import { answerAs } from "../routes/reviews.ts";
import type { Server } from "../setting/server.ts";
import { createMcpServer, type McpRules, type Play, requireOwnRun, type Tool } from "./mcp-server.ts";

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

const reviewer = "an MCP client";

function makeAnswerTool(server: Server, rules: McpRules): Tool {
  const schema = z.strictObject({
    run: z.string().describe("a run's id, or the first characters of it"),
    reply: z.unknown().optional().describe("the answer in the schema of the turn; left out: say what is asked"),
  });
  return {
    description: "Answers a turn that waits for a person. Without a reply it says what is asked, and in which schema.",
    inputSchema: z.toJSONSchema(schema, { io: "input" }),
    async call(given) {
      const asked = checkValue(schema, given, "answer_turn", "bad_input");
      const run = requireOwnRun(rules, asked.run);
      if (asked.reply !== undefined) return answerAs(server, run, { reviewer, reply: asked.reply });
      const stored = await readRun(server.store, run);
      const turn = await findWaitingTurn(await loadPackOf(stored.run.manifest), stored, server.config);
      if (!turn) return { run, turn: null };
      const { key, prompt, schema: replySchema, problems } = turn;
      return { run, turn: turnIdOf(key), prompt, schema: replySchema, problems };
    },
  };
}
