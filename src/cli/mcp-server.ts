import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { BudgetSchema } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import { suggestion } from "../contract/nearest-name.ts";
import type { AnyPack } from "../engine/pack.ts";
import { loadPack, packNames } from "../packs/registry.ts";
import { exportJson } from "../runs/export/export-json.ts";
import { readRun } from "../runs/read-run.ts";
import { checked } from "../runs/read-settings.ts";
import { redecide } from "../runs/redecide.ts";
import { type RunSetting, startRun } from "../runs/start-run.ts";
import { packSection, type UserConfig } from "../runs/user-config.ts";
import { version } from "../runs/version.ts";
import { resultJson } from "./print-result.ts";

/** A tool: what it is for, what it takes, and what it does. */
type Tool = {
  description: string;
  inputSchema: Record<string, unknown>;
  call(given: unknown, signal: AbortSignal): Promise<unknown>;
};

/** What the tools work with. */
export type McpSetting = { setting: RunSetting; config: UserConfig };

/** The server, and a way to wait for calls that are under way when it closes. */
export type McpServer = { server: Server; settled(): Promise<unknown> };

/** Debates as MCP tools: one a pack, one to show a run, one to redecide it. */
export async function createMcpServer(mcp: McpSetting): Promise<McpServer> {
  const underWay = new Set<Promise<unknown>>();
  const tools: Record<string, Tool> = { show_run: showTool(mcp), redecide_run: redecideTool(mcp) };
  for (const name of packNames) tools[`debate_${name.replaceAll("-", "_")}`] = debateTool(mcp, await loadPack(name));
  const server = new Server({ name: "parley", version }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: Object.entries(tools).map(([name, { description, inputSchema }]) => ({
      name,
      description,
      inputSchema: { type: "object" as const, ...inputSchema },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const tool = Object.hasOwn(tools, params.name) ? tools[params.name] : undefined;
    try {
      if (!tool)
        throw new ParleyError(
          "bad_input",
          `unknown tool "${params.name}"${suggestion(params.name, Object.keys(tools))}`,
        );
      const calling = tool.call(params.arguments ?? {}, signal);
      underWay.add(calling);
      const value = await calling.finally(() => underWay.delete(calling));
      return {
        content: [{ type: "text", text: JSON.stringify(value, null, 2) }],
        structuredContent: value as Record<string, unknown>,
      };
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      return { isError: true, content: [{ type: "text", text: error.message }] };
    }
  });
  return { server, settled: () => Promise.allSettled(underWay) };
}

function debateTool({ setting, config }: McpSetting, pack: AnyPack): Tool {
  const schema = z.strictObject({
    input: z.unknown(),
    cast: z.string().optional(),
    config: z.record(z.string(), z.unknown()).optional(),
    seed: z.int().optional(),
    budget: BudgetSchema.optional(),
  });
  const input = z.toJSONSchema(pack.input, { io: "input", unrepresentable: "any" });
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: "input" });
  return {
    description: `${pack.summary} Returns the decision with its run's id, outcome, quorum and cost.`,
    inputSchema: {
      ...shape,
      properties: { ...shape.properties, input: { ...input, $schema: undefined } },
      required: ["input"],
    },
    async call(given, signal) {
      const {
        input: pickedInput,
        cast,
        config: changes,
        seed,
        budget,
      } = checked(schema, given, `debate_${pack.name}`, "bad_input");
      const done = await startRun(
        { ...setting, signal: setting.signal ? AbortSignal.any([setting.signal, signal]) : signal },
        {
          pack,
          input: pickedInput,
          config: { ...(packSection(config, pack.name) as object), ...changes },
          cast: cast ?? config.cast ?? "expert",
          seed: seed ?? config.seed ?? 0,
          budget: budget ?? config.budget ?? {},
        },
      );
      return resultJson(done);
    },
  };
}

function showTool({ setting }: McpSetting): Tool {
  const schema = z.strictObject({ run: z.string().describe("a run's id, or the beginning of it") });
  return {
    description: "Shows a run: what it was started with, every turn with its prompt and reply, and how it ended.",
    inputSchema: z.toJSONSchema(schema),
    call: async (given) =>
      exportJson(setting.store, await readRun(setting.store, checked(schema, given, "show_run", "bad_input").run)),
  };
}

function redecideTool({ setting }: McpSetting): Tool {
  const schema = z.strictObject({
    run: z.string().describe("a run's id, or the beginning of it"),
    set: z.array(z.string()).describe("settings to change, each key=value, e.g. debate_override.min_total=1.0"),
  });
  return {
    description: "Runs the rules of a run again over its recorded turns with changed settings. No model is called.",
    inputSchema: z.toJSONSchema(schema),
    async call(given) {
      const { run, set } = checked(schema, given, "redecide_run", "bad_input");
      const stored = await readRun(setting.store, run);
      const { finished, ...changes } = await redecide(await loadPack(stored.run.manifest.pack), stored, set);
      return { run: stored.run.id, ...changes, result: finished.result };
    },
  };
}
