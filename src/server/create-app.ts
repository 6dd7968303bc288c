import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { type AccessRole, accessRoles, type JsonRouteName, type Route, routes } from "../contract/api/index.ts";
import safeHeaders from "../../data/headers.json" with { type: "json" };
import { writeExport } from "../runs/export/export-run.ts";
import { readRun, requireRun } from "../runs/read-run.ts";
import { checkValue } from "../runs/settings.ts";
import { type Access, type Caller, sessionMs } from "./guard/access.ts";
import { requireHost, requireJson, requireOwnPage, RateLimit } from "./guard/guard.ts";
import { type Log, readJsonBody, describeError, RequestError } from "./http/request.ts";
import { describeApi, makePage, type StaticFile, type StaticFiles } from "./pages/pages.ts";
import { createReadRoutes, followRun, refuseWithheld } from "./routes/read-runs.ts";
import { createActRoutes } from "./routes/act-on-runs.ts";
import { createPackRoutes, createStudyRoutes } from "./routes/packs.ts";
import { createReviewRoutes } from "./routes/reviews.ts";
import type { Handlers, Server } from "./setting/server.ts";

/** The names and the port of this server, known once it listens. */
export type Site = { hosts: ReadonlySet<string>; port: number; isReady: boolean };

type AppOptions = { server: Server; access: Access; site: Site; files: StaticFiles; log: Log };

type Bindings = { incoming?: { socket?: { remoteAddress?: string } } };
type Env = { Bindings: Bindings; Variables: { route: string; caller: string } };
type AppContext = Context<Env>;

const requestRate = { burst: 200, perSecond: 50 };
/** Limits on wrong tokens, per address and in total. */
const failureRate = { burst: 10, perSecond: 0.5 };
const allFailuresRate = { burst: 100, perSecond: 2 };

export function createApp(options: AppOptions): Hono<Env> {
  const { server, files, site } = options;
  const handlers = createHandlers(server);
  const app = new Hono<Env>();
  const authorize = createAuthorize(options);

  app.use(async (c, next) => {
    const startedMs = performance.now();
    await next();
    finish(options, c, startedMs);
  });
  app.use(async (c, next) => {
    requireHost(c.req, site.hosts);
    await next();
  });
  app.onError((error, c) => answerError(options, c, error));
  app.notFound((c) => answerError(options, c, new RequestError("not_found", "there is nothing at this address")));

  app.get("/healthz", (c) => c.text("ok\n"));
  app.get("/readyz", (c) => (site.isReady ? c.text("ready\n") : c.text("going down\n", 503)));
  app.get("/enter/:code", (c) => enter(options, c));
  app.get("/api/openapi.json", async (c) => {
    await authorize(c, "reader");
    return c.json(describeApi());
  });
  for (const [name, route] of Object.entries(routes) as [keyof typeof routes, Route][])
    app.on(route.method.toUpperCase(), route.path, async (c) => {
      c.set("route", `${route.method.toUpperCase()} ${route.path}`);
      const caller = await authorize(c, route.access);
      const given = await readGiven(server, c, route);
      if (name === "followRun") return followRun(server, idOf(given), c.req.header("last-event-id"));
      if (name === "exportRun") return exportRun(server, idOf(given), given.query.format as ExportType);
      if (name === "openSession") await openSession(options, c, caller);
      const handle = handlers[name as JsonRouteName] as (given: unknown, caller: Caller) => Promise<unknown>;
      return c.json((await handle(given, caller)) as object, route.status ?? 200, { "cache-control": "no-store" });
    });
  app.post("/mcp", async (c) => {
    c.set("route", "POST /mcp");
    await authorize(c, "operator");
    refuseBlind(server);
    const { serveMcp } = await import("./mcp/mcp-server.ts");
    return serveMcp(server, c.req.raw, await readJsonBody(c.req.raw, server.rules.maxBodyBytes));
  });
  app.all("/mcp", () => {
    throw new RequestError("wrong_method", "MCP requests are answered one by one here: use POST", { allow: "POST" });
  });
  app.all("/api/*", async (c) => {
    await authorize(c, "reader");
    throw new RequestError("not_found", `the API has nothing to ${c.req.method} at this address`);
  });
  app.get("*", (c) => serveFile(c, files.find(c.req.path)));
  return app;
}

function createHandlers(server: Server): Handlers {
  return {
    openSession: async (_, { role, reviewer }) => ({ role, reviewer }),
    readSession: async (_, { role, reviewer }) => ({ role, reviewer }),
    ...createReadRoutes(server),
    ...createActRoutes(server),
    ...createPackRoutes(server),
    ...createReviewRoutes(server),
    ...createStudyRoutes(server),
  };
}

function createAuthorize({ access, site }: AppOptions): (c: AppContext, role: AccessRole) => Promise<Caller> {
  const requests = new RateLimit(requestRate);
  const failures = new RateLimit(failureRate);
  const allFailures = new RateLimit(allFailuresRate);
  return async (c, role) => {
    requireOwnPage(c.req, site.hosts);
    requireJson(c.req);
    const cookie = getCookie(c, nameCookie(site));
    const authorization = c.req.header("authorization");
    const remote = remoteOf(c);
    // Checked before the token, so that a guesser cannot learn that a guess was right.
    if (authorization !== undefined) {
      failures.check(remote);
      allFailures.check("");
    }
    const caller = await access.identify(authorization, cookie);
    if (!caller) {
      failures.take(remote);
      if (authorization !== undefined) allFailures.take("");
      const how = "open the link that the server printed, or send a token: Authorization: Bearer TOKEN";
      throw new RequestError("unauthorized", `you are not signed in; ${how}`, { "www-authenticate": "Bearer" });
    }
    c.set("caller", caller.name);
    requests.take(caller.name);
    if (accessRoles.indexOf(caller.role) < accessRoles.indexOf(role))
      throw new RequestError(
        "forbidden",
        `a ${caller.role} may not do this; it needs the token of ${role === "reviewer" ? "a reviewer or an operator" : "an operator"}`,
      );
    return caller;
  };
}

/** MCP answers with decisions, which a blind reviewer must not see. */
function refuseBlind({ rules }: Server): void {
  if (rules.blind)
    throw new RequestError("forbidden", "reviews are blind here, so decisions are not given out this way");
}

function remoteOf(c: AppContext): string {
  return (c.env as Bindings | undefined)?.incoming?.socket?.remoteAddress ?? "unknown";
}

type Given = { params: Record<string, unknown>; query: Record<string, unknown>; body: unknown };
type ExportType = keyof typeof exportTypes;

async function readGiven({ rules }: Server, c: AppContext, route: Route): Promise<Given> {
  const { params, query, body } = route;
  const check = (schema: NonNullable<Route["body"]>, value: unknown, what: string): unknown =>
    checkValue(schema, value, what, "bad_input");
  return {
    params: params ? (check(params, c.req.param(), "address") as Given["params"]) : {},
    query: query ? (check(query, c.req.query(), "query") as Given["query"]) : {},
    body: body ? check(body, await readJsonBody(c.req.raw, rules.maxBodyBytes), "body") : undefined,
  };
}

function idOf({ params }: Given): string {
  return String(params.id);
}

const exportTypes = {
  json: "application/json",
  md: "text/markdown; charset=utf-8",
  html: "text/html; charset=utf-8",
};

async function exportRun(server: Server, id: string, format: ExportType): Promise<Response> {
  refuseWithheld(server, await requireRun(server.store, id));
  const text = await writeExport(server.store, await readRun(server.store, id), format);
  return new Response(text, {
    headers: {
      "content-type": exportTypes[format],
      "content-disposition": `attachment; filename="parley-${id}.${format}"`,
      "cache-control": "no-store",
    },
  });
}

function nameCookie({ port }: Site): string {
  return `parley-${port}`;
}

/** Scripts cannot read the cookie, and browsers do not send it for other sites' pages. */
async function openSession({ access, site }: AppOptions, c: AppContext, who: Pick<Caller, "role" | "reviewer">) {
  const rules = { path: "/", httpOnly: true, sameSite: "Strict", maxAge: sessionMs / 1000 } as const;
  setCookie(c, nameCookie(site), await access.openSession(who), rules);
}

async function enter(options: AppOptions, c: AppContext): Promise<Response> {
  c.set("route", "GET /enter");
  // Link previews in chats and mail use HEAD, and must not use up the link.
  if (c.req.method === "HEAD") return c.body(null, 200, { "cache-control": "no-store" });
  if (!options.access.takeCode(c.req.param("code") ?? "")) {
    const text = "This link has been used too often or is too old. Restart the server for a new one.";
    return serveFile(c, makePage("This link has expired", text), 403);
  }
  options.log("session opened", { role: "operator" });
  await openSession(options, c, { role: "operator", reviewer: null });
  c.header("cache-control", "no-store");
  return c.redirect("/", 303);
}

function serveFile(c: AppContext, file: StaticFile | null, status: 200 | 403 = 200): Response {
  if (!file) throw new RequestError("not_found", "there is nothing at this address");
  c.set("route", "GET page");
  const cache = file.isForever ? "public, max-age=31536000, immutable" : "no-cache";
  return c.body(file.content, status, { "content-type": file.type, "cache-control": cache });
}

function answerError(options: AppOptions, c: AppContext, error: unknown): Response {
  const { status, body, headers } = describeError(error);
  if (status >= 500) options.log("error", { code: body.code, where: whereOf(error) });
  return c.json(body, status as 400, { ...headers, "cache-control": "no-store" });
}

/** The location of an error, without its message, which may contain the text of a case. */
function whereOf(error: unknown): string {
  const lines = error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line)) : [];
  return [error instanceof Error ? error.name : typeof error, ...lines.map((line) => line.trim())].join(" ");
}

function finish({ log }: AppOptions, c: AppContext, startedMs: number): void {
  for (const [name, value] of Object.entries(safeHeaders)) c.res.headers.set(name, value);
  const ms = performance.now() - startedMs;
  const route = c.get("route") ?? "other";
  const { status } = c.res;
  log("request", { route, status, ms: Math.round(ms * 10) / 10, caller: c.get("caller") ?? null });
}
