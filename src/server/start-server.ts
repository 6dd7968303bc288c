import { createAccess } from "./guard/access.ts";
import { listOwnHosts } from "./guard/origin.ts";
import { createApp } from "./create-app.ts";
import { createLog } from "./http/server-log.ts";
import { listen, type OwnTokens, requireSafeAddress } from "./listen.ts";
import { type OpenOptions, openServer } from "./open-server.ts";
import { findViewerBuild } from "../print/viewer-build.ts";
import { readStaticFiles } from "./pages/static-files.ts";

/** What a server is started with. */
export type StartOptions = Omit<OpenOptions, "log"> & {
  address: string;
  port: number;
  /** Other names by which it is called, with their ports. */
  hosts: readonly string[];
  tokens: OwnTokens;
  /** Makes a token where the owner chose none: nobody knows it, and only the one-time link opens the server. */
  makeToken(): string;
  /** How many runs of an earlier server are taken up at most. */
  resumeMost: number;
  /** Where the log goes. */
  write(text: string): void;
};

/** A server that listens. */
export type StartedServer = {
  url: string;
  resumed: number;
  /** Makes the code of another one-time link. */
  createCode(): string;
  close(graceMs: number): Promise<void>;
};

/** How often deadlines and runs of other processes are looked after, and sleeping connections are woken. */
const tickMs = 500;
const beatMs = 15_000;

/** Starts a server; an address that others reach needs a token of the owner's. */
export async function startServer(options: StartOptions): Promise<StartedServer> {
  const { address, port, tokens, now = () => new Date() } = options;
  requireSafeAddress(address, tokens);
  const log = createLog(options.write, now);
  const opened = openServer({ ...options, log });
  const access = createAccess(
    {
      operator: tokens.operator ?? options.makeToken(),
      reader: tokens.reader ?? null,
      bind: `${tokens.operator ?? ""}:${tokens.reader ?? ""}`,
    },
    { book: options.store.sessions },
  );
  let hosts: ReadonlySet<string> = new Set();
  let state = { isReady: false, port };
  const app = createApp({
    server: opened.server,
    handlers: opened.handlers,
    metrics: opened.metrics,
    access,
    hosts: () => hosts,
    cookieName: () => `parley-${state.port}`,
    isReady: () => state.isReady,
    files: readStaticFiles(findViewerBuild("web")),
    log,
  });
  const listening = await listen(app, address, port).catch(async (error: unknown) => {
    await opened.close(0);
    throw error;
  });
  hosts = listOwnHosts(address, listening.port, options.hosts);
  state = { isReady: true, port: listening.port };
  const resumed = await opened.resumeInterrupted(options.resumeMost);
  const rounds = startRounds(opened, () => log("error", { code: "round" }));
  log("listening", { address, port: listening.port, resumed });
  return {
    url: `http://${address.includes(":") ? `[${address}]` : address}:${listening.port}`,
    resumed,
    createCode: access.createCode,
    async close(graceMs) {
      state = { ...state, isReady: false };
      clearInterval(rounds.beat);
      await rounds.stop();
      await opened.close(graceMs);
      await listening.stop();
      log("stopped");
    },
  };
}

/** Does the rounds one after another, however long one takes. */
function startRounds({ tick, beat }: ReturnType<typeof openServer>, onFailed: () => void) {
  let timer: NodeJS.Timeout | null = null;
  let going = Promise.resolve();
  let isStopped = false;
  const next = (): void => {
    timer = setTimeout(() => {
      going = tick()
        .catch(onFailed)
        .then(() => {
          if (!isStopped) next();
        });
    }, tickMs);
  };
  next();
  return {
    beat: setInterval(beat, beatMs),
    async stop() {
      isStopped = true;
      if (timer) clearTimeout(timer);
      await going;
    },
  };
}
