import { type Command, InvalidArgumentError } from "commander";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { ParleyError } from "../contract/error.ts";
import { readServerSettings } from "../runs/settings.ts";
import { dayBudget } from "../store/store.ts";
import { defineCommand, flag, type Given, list, parsed, rare, text, withDefault } from "./command.ts";
import type { Io } from "./io.ts";
import { configOption, parseDuration, parseInteger, runsOptions, serverSetOption } from "./options.ts";
import { locateStore, type Runs, withRuns } from "./stores.ts";

const options = {
  address: withDefault(
    text("<address>", "address to listen on; anything but loopback needs PARLEY_TOKEN"),
    "127.0.0.1",
  ),
  port: withDefault(parsed("<number>", "the port; 0 picks a free one", parsePort), 4180),
  allowCast: list("<cast>", "a cast that may be used from the web; can be repeated"),
  allowHost: list("<host>", "another name of this server, with its port; can be repeated"),
  fleet: flag("have runs played by the workers of a shared store (--store postgres://…)"),
  ...serverSetOption,
  ...runsOptions,
  ...configOption,
  quiet: rare(flag("no log")),
};
type Options = Given<typeof options>;

export function command(io: Io): Command {
  return defineCommand({
    name: "serve",
    options,
    action: (given) => withRuns(io, given, (runs) => serve(io, given, runs)),
  });
}

function parsePort(text: string): number {
  const port = parseInteger(text);
  if (port < 0 || port > 65_535) throw new InvalidArgumentError("Give a port from 0 to 65535.");
  return port;
}

const mostQueued = 1000;

async function serve(io: Io, options: Options, { store, fleet, config }: Runs): Promise<void> {
  const { startServer } = await import("../server/start-server.ts");
  const settings = readServerSettings(config, options.set);
  const usd = settings.max_usd_per_day;
  // The daily limit covers all workers, so it is kept in the shared store.
  if (fleet) await store.spending.setLimits(dayBudget, usd === undefined ? {} : { usd });
  const started = await startServer({
    store,
    fleet: fleet ?? undefined,
    folder: locateStore(io, options, config),
    config,
    env: io.env,
    rules: {
      casts: [...new Set([config.cast ?? "expert", "expert", ...options.allowCast.map((cast) => cast.trim())])],
      maxRuns: settings.max_runs,
      maxQueued: mostQueued,
      maxFollowers: 1000,
      maxBodyBytes: 8_000_000,
      maxUsdPerDay: usd ?? null,
      mcpAllRuns: settings.mcp_all_runs,
      blind: settings.blind_review,
    },
    address: options.address,
    port: options.port,
    hosts: options.allowHost,
    tokens: { operator: io.env.PARLEY_TOKEN, reader: io.env.PARLEY_READER_TOKEN },
    makeToken: () => randomBytes(32).toString("base64url"),
    resumeMost: settings.resume_interrupted ? mostQueued : 0,
    write: options.quiet ? () => undefined : io.err,
  });
  io.out(`Parley listens on ${started.url}\nOpen it with this link:  ${started.url}/enter/${started.createCode()}\n`);
  if (io.env.PARLEY_TOKEN === undefined)
    io.err("For programs: set PARLEY_TOKEN, and send it as Authorization: Bearer\n");
  if (started.resumed > 0) io.err(`${started.resumed} unfinished runs of an earlier server continue.\n`);
  if (!io.signal.aborted) await once(io.signal, "abort");
  await started.close(parseDuration(settings.grace ?? "5s"));
  throw new ParleyError("interrupted", "the server was stopped; unfinished runs continue when it starts again");
}
