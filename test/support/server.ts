import { extname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import * as z from "zod";
import { type ApiErrorBody, ApiErrorSchema, type Route, routes } from "../../src/contract/api/index.ts";
import type { Fleet } from "../../src/fleet/fleet.ts";
import type { UserConfig } from "../../src/runs/settings.ts";
import { createAccess } from "../../src/server/guard/access.ts";
import { createApp } from "../../src/server/create-app.ts";
import { createLog } from "../../src/server/http/request.ts";
import { OpenServer } from "../../src/server/open-server.ts";
import { describeApi, makePage, readStaticFiles, type StaticFiles } from "../../src/server/pages/pages.ts";
import type { ServerRules } from "../../src/server/setting/server.ts";
import { memoryStore } from "../../src/store/sqlite.ts";
import type { Store } from "../../src/store/store.ts";

export const host = "127.0.0.1:4180";
export const operatorToken = "operator-token-of-the-tests";
export const readerToken = "reader-token-of-the-tests";
export const reviewerTokens = { Ana: "token-of-ana-in-the-tests", Budi: "token-of-budi-in-the-tests" };

export const plainRules: ServerRules = {
  casts: ["expert"],
  maxRuns: 4,
  maxQueued: 20,
  maxFollowers: 50,
  maxBodyBytes: 200_000,
  maxUsdPerDay: null,
  mcpAllRuns: false,
  blind: false,
};

export type TestServerOptions = {
  store?: Store;
  rules?: Partial<ServerRules>;
  config?: UserConfig;
  env?: Record<string, string>;
  now?(): Date;
  viewer?: string;
  folder?: string;
  fleet?: Fleet;
};
export type Ask = { token?: string | null; body?: unknown; headers?: Record<string, string>; raw?: string };
// oxlint-disable-next-line typescript/no-explicit-any
export type Asked = { status: number; json: any; headers: Headers; response: Response };

/** Stands for the viewer: any address without an ending is its page. */
const onlyPage: StaticFiles = { find: (path) => (extname(path) === "" ? makePage("Parley", "The viewer.") : null) };

/** A server without a port; every JSON answer is held against the API's own description. */
export function openTestServer(options: TestServerOptions = {}) {
  const { store = memoryStore(), config = {}, env = {}, now, folder, fleet } = options;
  const lines: string[] = [];
  const log = createLog(
    (text) => void lines.push(text),
    () => new Date(),
  );
  const opened = new OpenServer({
    store,
    config,
    env,
    rules: { ...plainRules, ...options.rules },
    log,
    now,
    folder,
    fleet,
  });
  const access = createAccess({ operator: operatorToken, reader: readerToken, reviewers: reviewerTokens });
  const site = { hosts: new Set([host]), port: 4180, isReady: true };
  const app = createApp({
    server: opened.server,
    access,
    site,
    files: options.viewer === undefined ? onlyPage : readStaticFiles(options.viewer),
    log,
  });
  const send = async (method: string, path: string, given: Ask = {}): Promise<Response> => {
    const { token = operatorToken, body, raw, headers = {} } = given;
    const type: Record<string, string> = method === "GET" ? {} : { "content-type": "application/json" };
    const auth: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
    const text = raw ?? (method === "GET" || method === "HEAD" ? undefined : JSON.stringify(body ?? {}));
    return app.request(`http://${host}${path}`, {
      method,
      body: text,
      headers: { host, ...type, ...auth, ...headers },
    });
  };
  const ask = async (method: string, path: string, given: Ask = {}): Promise<Asked> => {
    const response = await send(method, path, given);
    const json: unknown = await response
      .clone()
      .json()
      .catch(() => null);
    if (response.headers.get("content-type")?.startsWith("application/json"))
      holdAgainstApi(method, path, response.status, json);
    return { status: response.status, json, headers: response.headers, response };
  };
  return {
    server: opened.server,
    resumeInterrupted: (most: number) => opened.resumeInterrupted(most),
    tick: () => opened.server.tails.tick(),
    beat: () => opened.server.tails.beat(),
    close: (graceMs: number) => opened.close(graceMs),
    access,
    app,
    lines,
    store,
    send,
    ask,
    setReady: (value: boolean) => void (site.isReady = value),
    get: (path: string, given?: Ask) => ask("GET", path, given),
    post: (path: string, body?: unknown, given?: Ask) => ask("POST", path, { ...given, body }),
  };
}
export type TestServer = ReturnType<typeof openTestServer>;

type Described = {
  paths: Record<string, Record<string, { responses: Record<string, { content: Record<string, { schema: object }> }> }>>;
};
const described = describeApi() as Described;
const checks = new Map<string, z.ZodType>();

/** Holds an answer against the description of the API: of its route when it is a success, of errors otherwise. */
function holdAgainstApi(method: string, path: string, status: number, json: unknown): void {
  const route = findRoute(method, path);
  if (status >= 400) {
    expect(ApiErrorSchema.parse(json)).toEqual(json as ApiErrorBody);
    return;
  }
  if (!route || !("json" in route.reply)) return;
  const name = `${route.method} ${route.path} ${status}`;
  const template = route.path.replaceAll(/:(\w+)/g, "{$1}");
  const answer = described.paths[template]?.[route.method]?.responses[String(status)];
  expect(answer, `${name} is described`).toBeDefined();
  const schema = checks.get(name) ?? z.fromJSONSchema(answer?.content["application/json"]?.schema as never);
  checks.set(name, schema);
  const parsed = schema.safeParse(json);
  expect(parsed.error?.issues ?? [], name).toEqual([]);
}

function findRoute(method: string, path: string): Route | undefined {
  const [bare = ""] = path.split("?");
  return (Object.values(routes) as Route[]).find(
    (route) =>
      route.method === method.toLowerCase() && new RegExp(`^${route.path.replaceAll(/:\w+/g, "[^/]+")}$`).test(bare),
  );
}

/** Waits until something is so, looking seldom after a while; the test's own timeout is what ends it otherwise. */
export async function until<T>(
  read: () => Promise<T | null | undefined | false> | T | null | undefined | false,
): Promise<T> {
  for (let looks = 0; ; looks += 1) {
    const value = await read();
    if (value) return value;
    await (looks < 200 ? new Promise((resolve) => setImmediate(resolve)) : pause(10));
  }
}

/** Starts a run and waits for its end. */
export async function runToEnd(server: TestServer, body: object): Promise<string> {
  const { json, status } = await server.post("/api/runs", body);
  expect(status, JSON.stringify(json)).toBe(202);
  await until(() => !server.server.live.has(json.id));
  return json.id as string;
}

export type SentEvent = { id: string | null; event: string; data: Record<string, unknown> };

/** Reads server-sent events from a response until one fits, or the stream ends. */
export async function readEvents(
  response: Response,
  isLast: (event: SentEvent) => boolean = () => false,
): Promise<SentEvent[]> {
  const events: SentEvent[] = [];
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done) return events;
    text += value;
    const parts = text.split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      const event = parseEvent(part);
      if (!event) continue;
      events.push(event);
      if (!isLast(event)) continue;
      await reader?.cancel();
      return events;
    }
  }
}

function parseEvent(part: string): SentEvent | null {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(part)?.[1] ?? null;
  const data = field("data");
  return data === null
    ? null
    : { id: field("id"), event: field("event") ?? "", data: JSON.parse(data) as SentEvent["data"] };
}
