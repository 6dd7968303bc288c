import type { Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import { ParleyError } from "../contract/error.ts";
import { isLoopback } from "./guard/origin.ts";

/** Where a server listens. */
export type Listening = { address: string; port: number; stop(): Promise<void> };

/** What a client may take its time for, and how many there may be: a header or body that never ends is not waited for. */
export type Patience = {
  headersTimeout: number;
  requestTimeout: number;
  keepAliveTimeout: number;
  maxConnections: number;
  /** How often clients that take too long are looked for. */
  connectionsCheckingInterval: number;
};
const patience: Patience = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 5_000,
  maxConnections: 5_000,
  connectionsCheckingInterval: 2_000,
};

/** Listens on an address; one that is taken, or is not this machine's, is an error that says so. */
export async function listen(
  // oxlint-disable-next-line typescript/no-explicit-any
  app: Hono<any>,
  address: string,
  port: number,
  given: Partial<Patience> = {},
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

/** The tokens that an owner may choose. */
export type OwnTokens = { operator: string | undefined; reader: string | undefined };

/** Anyone who reaches another address than loopback must have a token that the owner chose; none may be easy to guess. */
export function requireSafeAddress(address: string, { operator, reader }: OwnTokens): void {
  for (const [name, token] of [
    ["PARLEY_TOKEN", operator],
    ["PARLEY_READER_TOKEN", reader],
  ])
    if (token !== undefined && token.length < 16)
      throw new ParleyError("bad_config", `${name} is too short to keep anyone out; use 16 characters or more`);
  if (isLoopback(address) || operator !== undefined) return;
  throw new ParleyError(
    "bad_config",
    `${address} can be reached by others, so it needs a token: set PARLEY_TOKEN (16 characters or more), or listen on 127.0.0.1`,
  );
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
