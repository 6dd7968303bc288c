import * as z from "zod";
import summaries from "../../../data/api.json" with { type: "json" };
import { ApiErrorSchema, type Route, routes } from "../../contract/api/index.ts";
import { version } from "../../runs/version.ts";

type Json = Record<string, unknown>;

export function describeApi(): Json {
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries(routes) as [string, Route][]) {
    const path = route.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method]: describeRoute(name, route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Parley", version, description: "Debates between agents that end in decisions you can check." },
    security: [{ token: [] }, { cookie: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        cookie: { type: "apiKey", in: "cookie", name: "parley" },
      },
    },
  };
}

function describeRoute(operationId: string, route: Route): Json {
  return {
    operationId,
    summary: summaries[operationId as keyof typeof summaries],
    description: `For ${route.access === "reader" ? "readers and operators" : "operators"}.`,
    parameters: [...listParameters("path", route.params), ...listParameters("query", route.query)],
    ...(route.body ? { requestBody: { required: true, content: jsonContent(route.body, "input") } } : {}),
    responses: {
      [route.status ?? 200]: { description: "Success.", content: describeReply(route) },
      ...("events" in route.reply ? { 204: { description: "The run has ended and nothing is to come." } } : {}),
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
