import { createApp } from "../../src/server/create-app.ts";
import { createAccess } from "../../src/server/guard/access.ts";
import { openServer } from "../../src/server/open-server.ts";
import { readStaticFiles } from "../../src/server/pages/static-files.ts";
import type { Store } from "../../src/store/store.ts";

const token = "operator-token-of-the-bench";
const host = "127.0.0.1:4180";

/** A server without a port, and a way to ask it; the measurements are of Parley, not of the network. */
export function openBenchServer(store: Store, maxRuns = 8) {
  const log = (): void => undefined;
  const rules = {
    casts: ["expert"],
    maxRuns,
    maxQueued: 10_000,
    maxFollowers: 2_000,
    maxBodyBytes: 8_000_000,
    maxUsdPerDay: null,
    mcpAllRuns: false,
    blind: false,
    deadlineMs: null,
    atDeadline: "wait" as const,
  };
  const opened = openServer({ store, config: {}, env: {}, rules, log });
  const access = createAccess({ operator: token, reader: null });
  const app = createApp({
    ...opened,
    access,
    hosts: () => new Set([host]),
    cookieName: () => "parley",
    isReady: () => true,
    files: readStaticFiles([]),
    log,
  });
  /** Every request has a session of its own, so that no limit of requests is measured. */
  const ask = async (path: string): Promise<Response> => {
    const headers = { host, cookie: `parley=${await access.openSession("operator")}` };
    return app.request(`http://${host}${path}`, { headers });
  };
  return { ...opened, ask };
}

/** Waits until something is so. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
