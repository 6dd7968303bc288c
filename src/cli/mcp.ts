import { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import { openMeteredLevel, withBudgets } from "../runs/budgets.ts";
import type { UserConfig } from "../runs/user-config.ts";
import type { McpRules } from "../server/mcp/mcp-server.ts";
import type { Io } from "./io.ts";
import { collect, parseCount, withRunsOptions } from "./options.ts";
import { makeRunSetting } from "./settings.ts";
import { withNewStore } from "./stores.ts";

const example = `
Example, for a client that is configured with JSON:
  { "mcpServers": { "parley": { "command": "parley", "args": ["mcp", "--store", "/path/to/.parley"] } } }`;

type Options = {
  store?: string;
  config?: string;
  allowCast: string[];
  allRuns?: boolean;
  maxMessageMb: number;
  maxCalls: number;
};

/** `parley mcp` */
export function command(io: Io): Command {
  return withRunsOptions(
    new Command("mcp").description(
      "Serves debates as MCP tools over stdio: one for each pack, plus show_run and redecide_run.",
    ),
  )
    .option("--config <file>", "configuration file (default: parley.config.yaml, when there is one)")
    .option(
      "--allow-cast <cast>",
      "a cast that clients may use; can be repeated (default: that of the config)",
      collect,
      [],
    )
    .option("--all-runs", "let clients look at every run of the store, not only at those they started here")
    .option("--max-message-mb <number>", "the largest message that is taken", parseCount, 8)
    .option("--max-calls <number>", "the most model calls of all debates together, while it runs", parseCount, 200)
    .addHelpText("after", example)
    .action(async (options: Options) =>
      withNewStore(io, options, async (store, config) => {
        const [{ openStdio }, { createMcpServer }] = await Promise.all([
          import("../server/mcp/stdio.ts"),
          import("../server/mcp/mcp-server.ts"),
        ]);
        const setting = makeRunSetting({ ...io, interactive: false }, store, config);
        // All debates of this process draw on one budget, whatever each of them may use.
        const total = openMeteredLevel({ calls: options.maxCalls }, "server (--max-calls)");
        const castOf = withBudgets(setting.castOf, [total]);
        const { server, whenIdle } = await createMcpServer({
          setting: { ...setting, castOf },
          config,
          rules: readRules(options, config),
        });
        const closed = new Promise<void>((done) => {
          // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's server has no other way
          server.onclose = done;
          process.stdin.once("end", () => void server.close());
          for (const end of [io.signal, io.unread]) end.addEventListener("abort", () => void server.close());
        });
        await server.connect(openStdio(options.maxMessageMb * 1_000_000, (line) => io.err(`parley: ${line}\n`)));
        if (io.signal.aborted) await server.close();
        await closed;
        await whenIdle();
        if (io.signal.aborted) throw new ParleyError("interrupted", "the server was stopped");
      }),
    );
}

function readRules({ allowCast, allRuns }: Options, { cast = "expert", budget = {} }: UserConfig): McpRules {
  const casts = [...new Set([cast, "expert", ...allowCast.map((one) => one.trim())])];
  return { casts, budget, ownRuns: allRuns ? null : new Set() };
}
