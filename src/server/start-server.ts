import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import type { Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { ParleyError } from "../contract/error.ts";
import { findViewerBuild } from "../print/viewer-build.ts";
import { createApp, type Site } from "./create-app.ts";
import { createAccess } from "./guard/access.ts";
import { isLoopback, listOwnHosts } from "./guard/guard.ts";
import { createLog } from "./http/request.ts";
import { type OpenOptions, OpenServer } from "./open-server.ts";
import type { UserConfig } from "../runs/settings.ts";
import { readStaticFiles } from "./pages/pages.ts";

type StartOptions = Omit<OpenOptions, "log"> & {
  address: string;
  port: number;
  hosts: readonly string[];
  tokens: OwnTokens;
  /** Makes a token if the owner chose none. Nobody knows it: only the printed link opens the server. */
  makeToken(): string;
  resumeMost: number;
  write(text: string): void;
};

const tickMs = 500;
const beatMs = 15_000;

export async function startServer(options: StartOptions) {
  const { address, port, tokens, now = () => new Date() } = options;
  requireSafeAddress(address, tokens);
  const log = createLog(options.write, now);
  const opened = new OpenServer({ ...options, log });
  const access = createAccess(
    {
      operator: tokens.operator ?? options.makeToken(),
      reader: tokens.reader ?? null,
      reviewers: readReviewers(options.config, options.env),
      bind: `${tokens.operator ?? ""}:${tokens.reader ?? ""}`,
    },
    { book: options.store.sessions },
  );
  const site: Site = { hosts: new Set(), port, isReady: false };
  const app = createApp({
    server: opened.server,
    access,
    site,
    files: readStaticFiles(findViewerBuild("web")),
    log,
  });
  const listening = await listen(app, address, port).catch(async (error: unknown) => {
    await opened.close(0);
    throw error;
  });
  site.hosts = listOwnHosts(address, listening.port, options.hosts);
  Object.assign(site, { port: listening.port, isReady: true });
  const resumed = await opened.resumeInterrupted(options.resumeMost);
  const closing = new AbortController();
  const tick = (): Promise<void> => opened.server.tails.tick().catch(() => log("error", { code: "round" }));
  const rounds = doRounds(tick, closing.signal);
  const beat = setInterval(() => opened.server.tails.beat(), beatMs);
  log("listening", { address, port: listening.port, resumed });
  return {
    url: `http://${address.includes(":") ? `[${address}]` : address}:${listening.port}`,
    resumed,
    createCode: access.createCode,
    async close(graceMs: number): Promise<void> {
      site.isReady = false;
      clearInterval(beat);
      closing.abort();
      await rounds;
      await opened.close(graceMs);
      await listening.stop();
      log("stopped");
    },
  };
}

/** Calls `tick` one after another until the signal; resolves when the last call is over. */
async function doRounds(tick: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(tickMs, null, { signal }).catch(() => undefined);
    if (!signal.aborted) await tick();
  }
}

export type Listening = { address: string; port: number; stop(): Promise<void> };

/** Timeouts and connection limits, so that a slow header or body cannot hold a connection for ever. */
const patience = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 5_000,
  maxConnections: 5_000,
  connectionsCheckingInterval: 2_000,
};

export async function listen(
  // oxlint-disable-next-line typescript/no-explicit-any
  app: Hono<any>,
  address: string,
  port: number,
  given: Partial<typeof patience> = {},
): Promise<Listening> {
  const { connectionsCheckingInterval, ...limits } = { ...patience, ...given };
  const serverOptions = { connectionsCheckingInterval };
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false, serverOptions }) as HttpServer;
  Object.assign(server, limits, { maxHeadersCount: 100 });
  await new Promise<void>((done, failed) => {
    server.once("error", (cause: NodeJS.ErrnoException) => failed(explainListenError(cause, address, port)));
    server.listen(port, address, done);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    address,
    port: bound,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 500).unref();
      }),
  };
}

type OwnTokens = { operator: string | undefined; reader: string | undefined };

/** Any address other than loopback needs a token chosen by the owner, and no token may be easy to guess. */
export function requireSafeAddress(address: string, { operator, reader }: OwnTokens): void {
  for (const [name, token] of [
    ["PARLEY_TOKEN", operator],
    ["PARLEY_READER_TOKEN", reader],
  ])
    if (token !== undefined && token.length < 16)
      throw new ParleyError("bad_config", `${name} is too short to be safe; use 16 characters or more`);
  if (isLoopback(address) || operator !== undefined) return;
  throw new ParleyError(
    "bad_config",
    `${address} can be reached by others, so it needs a token: set PARLEY_TOKEN (16 characters or more), or listen on 127.0.0.1`,
  );
}

export function readReviewers({ reviewers = {} }: UserConfig, env: OpenOptions["env"]): Record<string, string> {
  const tokens = Object.entries(reviewers).map(([name, given]) => {
    const token = typeof given === "string" ? given : (env[given.token_env] ?? "");
    const where = typeof given === "string" ? `reviewers.${name}` : given.token_env;
    if (token.length >= 16) return [name, token] as const;
    const state = token === "" ? "missing" : "too short";
    throw new ParleyError("bad_config", `the token of ${name} is ${state}: set ${where} to 16 characters or more`);
  });
  const all = [...tokens.map(([, token]) => token), env.PARLEY_TOKEN, env.PARLEY_READER_TOKEN].filter(Boolean);
  if (new Set(all).size < all.length)
    throw new ParleyError("bad_config", "two people have the same token; give each reviewer one of their own");
  return Object.fromEntries(tokens);
}

const reasons: Record<string, string> = {
  EADDRINUSE: "another program listens there already; choose another with --port, or 0 for any",
  EADDRNOTAVAIL: "this machine does not have that address",
  EACCES: "that port needs rights that this user does not have; choose one above 1023",
};

function explainListenError(cause: NodeJS.ErrnoException, address: string, port: number): ParleyError {
  const why = reasons[cause.code ?? ""] ?? cause.message;
  return new ParleyError("bad_config", `cannot listen on ${address}:${port}: ${why}`, { cause });
}
