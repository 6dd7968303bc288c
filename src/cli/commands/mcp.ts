import { Command } from "commander";
import { ParleyError } from "../../contract/error.ts";
import { openFollowers } from "../terminal/followers.ts";
import type { Io } from "../terminal/io.ts";
import { withRunsOptions } from "../setting/options.ts";
import { makeRunSetting } from "../setting/setting.ts";
import { withNewStore } from "../setting/with-store.ts";

const example = `
Example, for a client that is configured with JSON:
  { "mcpServers": { "parley": { "command": "parley", "args": ["mcp", "--store", "/path/to/.parley"] } } }`;

/** `parley mcp` */
export function command(io: Io): Command {
  return withRunsOptions(
    new Command("mcp").description(
      "Serves debates as MCP tools over stdio: one for each pack, plus show_run and redecide_run.",
    ),
  )
    .option("--config <file>", "configuration file (default: parley.config.yaml, when there is one)")
    .addHelpText("after", example)
    .action(async (options: { store?: string; config?: string }) =>
      withNewStore(io, options, async (store, config) => {
        const [{ StdioServerTransport }, { createMcpServer }] = await Promise.all([
          import("@modelcontextprotocol/sdk/server/stdio.js"),
          import("../../server/doors/mcp-server.ts"),
        ]);
        const followers = await openFollowers(io, { quiet: true, telemetry: config.telemetry });
        const { server, whenIdle } = await createMcpServer({
          setting: { ...makeRunSetting({ ...io, interactive: false }, store, config), onEvent: followers.trace },
          config,
        });
        const closed = new Promise<void>((done) => {
          // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's server has no other way
          server.onclose = done;
          process.stdin.once("end", () => void server.close());
          for (const end of [io.signal, io.unread]) end.addEventListener("abort", () => void server.close());
        });
        await server.connect(new StdioServerTransport());
        if (io.signal.aborted) await server.close();
        await closed;
        await whenIdle();
        await followers.close();
        if (io.signal.aborted) throw new ParleyError("interrupted", "the server was stopped");
      }),
    );
}
