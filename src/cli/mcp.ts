import type { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import { openMeteredLevel, withBudgets } from "../runs/budgets.ts";
import { readServerSettings } from "../runs/settings.ts";
import { defineCommand, list } from "./command.ts";
import type { Io } from "./io.ts";
import { configOption, runsOptions, serverSetOption } from "./options.ts";
import { withRuns } from "./stores.ts";

/** In bytes; more ends the connection, and far less is answered with an error. */
const longestMessage = 100_000_000;

const options = {
  allowCast: list("<cast>", "a cast that clients may use; can be repeated (default: the configuration's)"),
  ...serverSetOption,
  ...runsOptions,
  ...configOption,
};

export function command(io: Io): Command {
  return defineCommand({
    name: "mcp",
    options,
    action: (given) =>
      withRuns({ ...io, interactive: false }, given, async ({ setting, config }) => {
        const [{ StdioServerTransport }, { createMcpServer }] = await Promise.all([
          import("@modelcontextprotocol/sdk/server/stdio.js"),
          import("../server/mcp/mcp-server.ts"),
        ]);
        const { mcp_all_runs, max_calls } = readServerSettings(config, given.set);
        const { cast = "expert" } = config;
        const casts = [...new Set([cast, "expert", ...given.allowCast.map((one) => one.trim())])];
        // All debates of this process share one budget.
        const total = openMeteredLevel({ calls: max_calls }, "server (max_calls)");
        const castOf = withBudgets(setting.castOf, [total]);
        const { server, whenIdle } = await createMcpServer({
          setting: { ...setting, castOf },
          config,
          rules: { casts, ownRuns: mcp_all_runs ? null : new Set() },
        });
        const closed = new Promise<void>((done) => {
          // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's server has no other way
          server.onclose = done;
          process.stdin.once("end", () => void server.close());
          for (const end of [io.signal, io.unread]) end.addEventListener("abort", () => void server.close());
        });
        // oxlint-disable-next-line unicorn/prefer-add-event-listener -- nor for this
        server.onerror = ({ message }) => io.err(`parley: ${message}\n`);
        await server.connect(
          new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: longestMessage }),
        );
        if (io.signal.aborted) await server.close();
        await closed;
        await whenIdle();
        if (io.signal.aborted) throw new ParleyError("interrupted", "the server was stopped");
      }),
  });
}
