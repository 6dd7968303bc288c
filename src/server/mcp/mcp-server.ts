import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type ServerNotification,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { BudgetSchema } from "../../contract/budget.ts";
import { ParleyError } from "../../contract/error.ts";
import { suggestName } from "../../text/similar.ts";
import { type Turn, turnIdOf } from "../../contract/turn.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { loadPack, loadPackOf, listPackNames } from "../../packs/registry.ts";
import { exportJson } from "../../runs/export/export-run.ts";
import { readRun, version } from "../../runs/read-run.ts";
import { buildResultJson, headlineOf } from "../../runs/show-run.ts";
import { type FinishedRun, type RunRequest, type RunSetting, startRun } from "../../runs/start.ts";
import { checkValue, type UserConfig } from "../../runs/settings.ts";
import { redecide } from "../../runs/redecide.ts";
import { RequestError } from "../http/request.ts";
import { makeRequest } from "../routes/act-on-runs.ts";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Server as OpenServer } from "../setting/server.ts";

type Tool = {
  description: string;
  inputSchema: Record<string, unknown>;
  call(given: unknown, during: During): Promise<unknown>;
};

export type During = { signal: AbortSignal; onTurn(turn: Turn): void };

/** `play` hands runs to the server; without it each call plays its own run. */
type McpSetting = { setting: RunSetting; config: UserConfig; rules: McpRules; play?: Play };

type Playing = { signal: AbortSignal; onEvent: NonNullable<RunSetting["onEvent"]> };
export type Play = (request: RunRequest, playing: Playing) => Promise<FinishedRun>;

export async function createMcpServer(mcp: McpSetting) {
  const underWay = new Set<Promise<unknown>>();
  const tools: Record<string, Tool> = {
    show_run: makeShowTool(mcp),
    redecide_run: makeRedecideTool(mcp),
  };
  for (const name of listPackNames()) tools[nameTool(name)] = makeDebateTool(mcp, await loadPack(name));
  const server = new Server({ name: "parley", version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: Object.entries(tools).map(([name, { description, inputSchema }]) => ({
      name,
      description,
      inputSchema: { type: "object" as const, ...inputSchema },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    const tool = Object.hasOwn(tools, params.name) ? tools[params.name] : undefined;
    try {
      if (!tool)
        throw new ParleyError(
          "bad_input",
          `unknown tool "${params.name}"${suggestName(params.name, Object.keys(tools))}`,
        );
      const { length } = JSON.stringify(params);
      if (length > longestCall)
        throw new ParleyError(
          "bad_input",
          `the call has ${length} characters, and at most ${longestCall} are taken here; give a shorter case`,
        );
      const during = { signal, onTurn: reportProgress(params._meta?.progressToken, sendNotification) };
      const calling = tool.call(params.arguments ?? {}, during);
      underWay.add(calling);
      return makeResult(await calling.finally(() => underWay.delete(calling)));
    } catch (error) {
      if (!(error instanceof ParleyError || error instanceof RequestError)) throw error;
      return { isError: true, content: [{ type: "text" as const, text: error.message }] };
    }
  });
  return { server, whenIdle: () => Promise.allSettled(underWay) };
}

const longestCall = 8_000_000;

type Send = (notification: ServerNotification) => Promise<void>;

/** Reports progress to clients that asked for it; a disconnected client does not disturb the debate. */
function reportProgress(progressToken: string | number | undefined, send: Send): During["onTurn"] {
  let progress = 0;
  return (turn) => {
    if (progressToken === undefined) return;
    progress += 1;
    const message = `${turnIdOf(turn.key)} ${turn.status} by ${turn.player}`;
    send({ method: "notifications/progress", params: { progressToken, progress, message } }).catch(() => undefined);
  };
}

function makeDebateTool({ setting, config, rules, play = playHere(setting) }: McpSetting, pack: AnyPack): Tool {
  const casts = `who plays; allowed here: ${rules.casts.join(" · ")}`;
  const schema = z.strictObject({
    text: z.string().optional().describe("the case as plain text: a question, a sentence, a log"),
    input: z.unknown().optional().describe("the case in full, instead of text"),
    cast: z.string().optional().describe(casts),
    config: z.record(z.string(), z.unknown()).optional().describe("settings of the pack"),
    seed: z.int().optional(),
    budget: BudgetSchema.optional().describe("limits of this run, within those of the owner"),
  });
  const input = z.toJSONSchema(pack.input, { io: "input", unrepresentable: "any" });
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: "input" });
  const name = nameTool(pack.name);
  return {
    description: `${pack.summary} Returns the decision with its run's id, outcome, headline, quorum and cost.`,
    inputSchema: { ...shape, properties: { ...shape.properties, input: { ...input, $schema: undefined } } },
    async call(given, { signal, onTurn }) {
      const asked = checkValue(schema, given, name, "bad_input");
      const request = await makeRequest({ config, rules }, { ...asked, pack: pack.name });
      const onEvent: Playing["onEvent"] = (event, run) => {
        rules.ownRuns?.add(run.id);
        if (event.type === "turn") onTurn(event.turn);
      };
      const done = await play(request, { signal, onEvent });
      const { parley, ...decision } = buildResultJson(done) as { parley: Record<string, unknown> };
      return { parley: { ...parley, headline: headlineOf(pack, done.finished) }, ...decision };
    },
  };
}

function playHere(setting: RunSetting): Play {
  return (request, { signal, onEvent }) => {
    const both = setting.signal ? AbortSignal.any([setting.signal, signal]) : signal;
    return startRun({ ...setting, signal: both, onEvent }, request);
  };
}

function nameTool(pack: string): string {
  return `debate_${pack.replaceAll("-", "_")}`;
}

function makeShowTool({ setting: { store }, rules }: McpSetting): Tool {
  const schema = z.strictObject({ run: z.string().describe("a run's id") });
  return {
    description: "Shows a run: what it was started with, every turn with its prompt and reply, and how it ended.",
    inputSchema: z.toJSONSchema(schema),
    async call(given) {
      const { run } = checkValue(schema, given, "show_run", "bad_input");
      return exportJson(store, await readRun(store, requireOwnRun(rules, run)));
    },
  };
}

function makeRedecideTool({ setting, rules }: McpSetting): Tool {
  const schema = z.strictObject({
    run: z.string().describe("a run's id"),
    set: z.array(z.string()).describe("settings to change, each key=value, e.g. debate_override.min_total=1.0"),
  });
  return {
    description: "Runs the rules of a run again over its recorded turns with changed settings. No model is called.",
    inputSchema: z.toJSONSchema(schema),
    async call(given) {
      const { run, set } = checkValue(schema, given, "redecide_run", "bad_input");
      const stored = await readRun(setting.store, requireOwnRun(rules, run));
      const { finished, ...changes } = await redecide(await loadPackOf(stored.run.manifest), stored, set);
      return { run: stored.run.id, ...changes, result: finished.result };
    },
  };
}

function makeResult(value: unknown): CallToolResult {
  const text = JSON.stringify(value, null, 2);
  return { content: [{ type: "text", text }], structuredContent: value as Record<string, unknown> };
}

type McpRules = {
  casts: readonly string[];
  /** Runs started by clients; `null` lets them see every run of the store. */
  ownRuns: Set<string> | null;
};

/** Resolves a run that clients may see; others are reported as missing. */
function requireOwnRun({ ownRuns }: McpRules, given: string): string {
  if (ownRuns === null || ownRuns.has(given)) return given;
  throw new ParleyError(
    "unknown_run",
    `no run "${given.slice(0, 40)}" was started here; to see all runs, the owner starts it with --set mcp_all_runs=true`,
  );
}

/**
 * Answers one MCP request over streamable HTTP. Each gets a server of its own: there is no session to take over, and
 * no event to replay with somebody else's id.
 */
export async function serveMcp(server: OpenServer, request: Request, body: unknown): Promise<Response> {
  const { store, castOf, config, live, mcpRuns: ownRuns } = server;
  const { server: mcp } = await createMcpServer({
    setting: { store, castOf },
    config,
    rules: { casts: server.rules.casts, ownRuns },
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
