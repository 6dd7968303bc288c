import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import * as z from "zod";
import { accessRoles, ApiErrorSchema, type Route, routes } from "../../contract/api/index.ts";
import { version } from "../../runs/read-run.ts";

export type StaticFile = { content: Uint8Array<ArrayBuffer>; type: string; isForever: boolean };

/** The viewer's files by address; requests are looked up here, never on disk. */
export type StaticFiles = { find(path: string): StaticFile | null };

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

export function readStaticFiles(folder: string): StaticFiles {
  const files = new Map<string, StaticFile>();
  for (const path of listFiles(folder)) {
    const address = `/${relative(folder, path).split(sep).join("/")}`;
    const type = types[extname(path)] ?? "application/octet-stream";
    const content = new Uint8Array(readFileSync(path));
    files.set(address, { content, type, isForever: address.startsWith("/assets/") });
  }
  return { find: (path) => files.get(path) ?? (extname(path) === "" ? (files.get("/index.html") ?? null) : null) };
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A page of fixed text, with nothing from the request. */
export function makePage(title: string, text: string): StaticFile {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>\n`;
  return { content: new TextEncoder().encode(html), type: "text/html; charset=utf-8", isForever: false };
}

type Json = Record<string, unknown>;

export function describeApi(): Json {
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method]: describeRoute(name, route) };
  }
  const securitySchemes = {
    token: { type: "http", scheme: "bearer" },
    cookie: { type: "apiKey", in: "cookie", name: "parley" },
  };
  return {
    openapi: "3.1.0",
    info: { title: "Parley", version, description: "Debates between agents that end in decisions you can check." },
    security: Object.keys(securitySchemes).map((name) => ({ [name]: [] })),
    paths,
    components: { securitySchemes },
  };
}

function describeRoute(operationId: string, route: Route): Json {
  const callers = accessRoles.slice(accessRoles.indexOf(route.access));
  return {
    operationId,
    summary: route.summary,
    description: `For ${callers.map((role) => `${role}s`).join(", ")}.`,
    parameters: [...listParameters("path", route.params), ...listParameters("query", route.query)],
    ...(route.body && { requestBody: { required: true, content: jsonContent(route.body, "input") } }),
    responses: {
      [route.status ?? 200]: { description: "Success.", content: describeReply(route) },
      default: { description: "What was wrong, for programs and for people.", content: jsonContent(ApiErrorSchema) },
    },
  };
}

function listParameters(place: "path" | "query", schema: z.ZodObject | undefined): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, part]) => ({
    name,
    in: place,
    required: place === "path" || !(part as z.ZodType).safeParse(undefined).success,
    schema: jsonSchemaOf(part as z.ZodType, "input"),
  }));
}

function describeReply({ reply }: Route): Json {
  if ("json" in reply) return jsonContent(reply.json);
  if ("events" in reply)
    return { "text/event-stream": { schema: { type: "string" }, "x-event": jsonSchemaOf(reply.events) } };
  return Object.fromEntries(reply.file.map((type) => [type, { schema: { type: "string" } }]));
}

function jsonContent(schema: z.ZodType, io: "input" | "output" = "output"): Json {
  return { "application/json": { schema: jsonSchemaOf(schema, io) } };
}

function jsonSchemaOf(schema: z.ZodType, io: "input" | "output" = "output"): Json {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" });
  return shape;
}
