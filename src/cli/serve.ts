import { type Command, InvalidArgumentError } from "commander";
import { randomBytes } from "node:crypto";
import { ParleyError } from "../contract/error.ts";
import type { Fleet } from "../fleet/fleet.ts";
import type { UserConfig } from "../runs/user-config.ts";
import type { ServerRules } from "../server/setting/server.ts";
import { dayBudget, type Store } from "../store/store.ts";
import { choice, defineCommand, flag, type Given, list, off, parsed, rare, text, withDefault } from "./command.ts";
import type { Io } from "./io.ts";
import { configOption, parseConcurrency, parseDuration, parseInteger, runsOptions } from "./options.ts";
import { locateStore, withFleet, withNewStore } from "./stores.ts";

const examples = `
Examples:
  parley serve                                              on this machine alone; open the link it prints
  parley serve --allow-cast openai/gpt-5-mini --max-usd-per-day 5
  PARLEY_TOKEN=… parley serve --address 0.0.0.0 --allow-host parley.example.org:4180

Programs send "Authorization: Bearer TOKEN" with the token in PARLEY_TOKEN (operator) or PARLEY_READER_TOKEN (only looks).`;

const options = {
  address: withDefault(text("<address>", "where to listen; any but loopback needs PARLEY_TOKEN"), "127.0.0.1"),
  port: withDefault(parsed("<number>", "the port; 0 for any that is free", parsePort), 4180),
  allowCast: list("<cast>", "a cast that may be used from the web; can be repeated"),
  allowHost: list("<host>", "another name of this server, with its port; can be repeated"),
  maxUsdPerDay: parsed("<amount>", "the most that all runs together may cost per day (UTC)", parseUsd),
  maxRuns: withDefault(parsed("<number>", "runs at once", parseConcurrency), 8),
  fleet: flag("have runs played by the workers of a shared store (--store postgres://…)"),
  ...runsOptions,
  ...configOption,
  mcpAllRuns: rare(flag("let MCP clients look at every run, not only at those they started here")),
  blindReview: rare(flag("keep the verdict of escalated runs back until a reviewer has answered")),
  reviewDeadline: rare(parsed("<time>", "how long an item may wait for a person, e.g. 24h", parseDuration)),
  atDeadline: rare(
    withDefault<"abstain" | "wait">(choice("<what>", "what a turn does then", ["abstain", "wait"]), "wait"),
  ),
  resumeInterrupted: rare(off("do not continue runs that an earlier server was playing when it stopped")),
  grace: rare(withDefault(text("<time>", "how long running debates may take to end when the server is stopped"), "5s")),
  quiet: rare(flag("no log")),
};
type Options = Given<typeof options>;

/** `parley serve` */
export function command(io: Io): Command {
  return defineCommand({
    name: "serve",
    about: "Serves runs, the review inbox and the viewer over HTTP, on this machine alone.",
    options,
    examples,
    action: (given) =>
      given.fleet
        ? withFleet(io, given, (fleet, config) => serve(io, given, { store: fleet.store, fleet }, config))
        : withNewStore(io, given, (store, config) => serve(io, given, { store }, config)),
  });
}

function parsePort(text: string): number {
  const port = parseInteger(text);
  if (port < 0 || port > 65_535) throw new InvalidArgumentError("Give a port from 0 to 65535.");
  return port;
}

function parseUsd(text: string): number {
  const amount = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text)) throw new InvalidArgumentError(`"${text.slice(0, 40)}" is not an amount.`);
  return amount;
}

/** Runs that may wait for their turn. */
const mostQueued = 1000;

type Kept = { store: Store; fleet?: Fleet };

async function serve(io: Io, options: Options, { store, fleet }: Kept, config: UserConfig): Promise<void> {
  if (fleet) await limitDay(store, options.maxUsdPerDay);
  const { startServer } = await import("../server/start-server.ts");
  const graceMs = parseDuration(options.grace);
  const started = await startServer({
    store,
    fleet,
    folder: locateStore(io, options, config),
    config,
    env: io.env,
    rules: readRules(options, config),
    address: options.address,
    port: options.port,
    hosts: options.allowHost,
    tokens: { operator: io.env.PARLEY_TOKEN, reader: io.env.PARLEY_READER_TOKEN },
    makeToken: () => randomBytes(32).toString("base64url"),
    resumeMost: options.resumeInterrupted ? mostQueued : 0,
    write: options.quiet ? () => undefined : io.err,
  });
  io.out(`Parley listens on ${started.url}\nOpen it with this link:  ${started.url}/enter/${started.createCode()}\n`);
  if (io.env.PARLEY_TOKEN === undefined)
    io.err("For programs: set PARLEY_TOKEN, and send it as Authorization: Bearer\n");
  if (started.resumed > 0) io.err(`${started.resumed} unfinished runs of an earlier server continue.\n`);
  await new Promise<void>((done) => {
    if (io.signal.aborted) done();
    io.signal.addEventListener("abort", () => done());
  });
  await started.close(graceMs);
  throw new ParleyError("interrupted", "the server was stopped; unfinished runs continue when it starts again");
}

/** The daily cost limit holds for all workers, so it is kept in the shared store. */
async function limitDay({ spending }: Store, usd: number | undefined): Promise<void> {
  await spending.setLimits(dayBudget, usd === undefined ? {} : { usd });
}

function readRules(options: Options, config: UserConfig): ServerRules {
  const casts = [...new Set([config.cast ?? "expert", "expert", ...options.allowCast.map((cast) => cast.trim())])];
  return {
    casts,
    maxRuns: options.maxRuns,
    maxQueued: mostQueued,
    maxFollowers: 1000,
    maxBodyBytes: 8_000_000,
    maxUsdPerDay: options.maxUsdPerDay ?? null,
    mcpAllRuns: options.mcpAllRuns ?? false,
    blind: options.blindReview ?? false,
    deadlineMs: options.reviewDeadline ?? null,
    atDeadline: options.atDeadline,
  };
}
