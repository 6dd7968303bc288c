/**
 * A model server on loopback that speaks the APIs of OpenAI, Anthropic and Google, refuses the schemas that they refuse, and
 * misbehaves on demand.
 * In a test: `startModelServer({ respond })`. As its own process:
 * `node test/support/model-server.ts --port 0 [--log FILE] [--latency MS] [--rules FILE]`, which prints its address as
 * one line of JSON; `GET /_seen` returns what it saw, `POST /_rules` replaces its rules, `POST /_reset` forgets all.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { type Answer, type ChatRequest, textOfRequest } from "./model-server-answer.ts";
import { type Dialect, findDialect, findSchemaFault } from "./model-server-dialects.ts";
import { misbehaviour } from "./model-server-misbehaviour.ts";
import { sampleOf } from "./model-server-sample.ts";

/** One request as the server saw it; `completed` means that the whole response was handed over. */
export type Seen = {
  index: number;
  path: string;
  headers: Record<string, string>;
  body: ChatRequest;
  startedMs: number;
  endedMs: number | null;
  completed: boolean;
  status: number | null;
};

/** Answers a request; `index` counts all requests from 0. */
export type Respond = (request: ChatRequest, index: number) => Answer | Promise<Answer>;

/** A rule as data: requests whose text contains `match` are answered so, at most `times` times. */
export type Rule = { match?: string; times?: number; misbehave?: string } & Answer;

export type ModelServerOptions = {
  respond?: Respond;
  rules?: Rule[];
  port?: number;
  /** Added to every answer that does not set its own. */
  latencyMs?: number;
  /** Takes every schema, as a server of one's own does; without it the hosts' rules hold. */
  takesAnySchema?: boolean;
  /** A file that gets a JSON line when a request arrives and another when it ends. */
  logFile?: string;
};

export type ModelServer = {
  /** The base URL of every dialect, ending in /v1. */
  baseUrl: string;
  seen: Seen[];
  completed(): number;
  inFlight(): number;
  close(): Promise<void>;
};

/** Starts a server; without rules or `respond` it answers each request with a sample of the schema it asks for. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const state: State = { seen: [], respond: options.respond ?? byRules(options.rules ?? []), options };
  const server = createServer((request, response) => {
    handle(state, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.keepAliveTimeout = 60_000;
  await listen(server, options.port ?? 0);
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen: state.seen,
    completed: () => state.seen.filter((one) => one.completed).length,
    inFlight: () => state.seen.filter((one) => one.endedMs === null).length,
    close: () => closed(server),
  };
}

/** Answers from a list, in order; asking for more is an error of the test, answered with status 500. */
export function queue(answers: (Answer | Respond)[]): Respond {
  const left = [...answers];
  return (request, index) => {
    const next = left.shift();
    if (next === undefined) return { raw: { status: 500, body: '{"error":{"message":"the test queue is empty"}}' } };
    return typeof next === "function" ? next(request, index) : next;
  };
}

/** Answers by the first rule whose `match` is in the request's text, else with a sample of the schema. */
export function byRules(rules: Rule[]): Respond {
  const uses = new Map<Rule, number>();
  return (request) => {
    const text = textOfRequest(request);
    const rule = rules.find((one) => text.includes(one.match ?? "") && (uses.get(one) ?? 0) < (one.times ?? Infinity));
    if (rule === undefined) return { content: goodContent(request) };
    uses.set(rule, (uses.get(rule) ?? 0) + 1);
    const { match: _, times: __, misbehave, ...answer } = rule;
    if (misbehave === undefined) return answer;
    return { ...answer, ...misbehaviour(misbehave).answer(goodContent(request), request) };
  };
}

/** What a well-behaved model would answer: a sample of the schema asked for, the same for the same request. */
export function goodContent(request: ChatRequest): string {
  const schema = request.response_format?.json_schema?.schema;
  return schema === undefined ? "{}" : JSON.stringify(sampleOf(schema, textOfRequest(request)));
}

type State = { seen: Seen[]; respond: Respond; options: ModelServerOptions };

async function handle(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await bodyOf(request);
  if (request.url?.startsWith("/_")) return administer(state, request.url, text, response);
  const path = request.url ?? "";
  const dialect = findDialect(path);
  const seen = note(state, request, readRequest(dialect, text, path));
  response.once("close", () => {
    seen.endedMs = Date.now();
    seen.completed = response.writableFinished;
    seen.status = response.headersSent ? response.statusCode : null;
    log(state, { event: "end", index: seen.index, completed: seen.completed, status: seen.status });
  });
  if (dialect === null) {
    response.writeHead(404, { "content-type": "application/json" });
    response.end(
      '{"error":{"message":"this server has none but the addresses of chat, responses, messages and Gemini"}}',
    );
    return;
  }
  const fault = state.options.takesAnySchema ? null : findSchemaFault(dialect, seen.body);
  const answer: Answer = fault === null ? await state.respond(seen.body, seen.index) : { raw: dialect.refuse(fault) };
  const latencyMs = answer.latencyMs ?? state.options.latencyMs;
  await dialect.write(response, seen.body, latencyMs === undefined ? answer : { ...answer, latencyMs });
}

function note(state: State, request: IncomingMessage, body: ChatRequest): Seen {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const index = state.seen.length;
  const path = request.url ?? "";
  const seen: Seen = {
    index,
    path,
    headers,
    body,
    startedMs: Date.now(),
    endedMs: null,
    completed: false,
    status: null,
  };
  state.seen.push(seen);
  log(state, { event: "start", index, text: textOfRequest(body) });
  return seen;
}

function administer(state: State, url: string, text: string, response: ServerResponse): void {
  if (url === "/_rules") state.respond = byRules(JSON.parse(text) as Rule[]);
  if (url === "/_reset") state.seen.length = 0;
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(state.seen));
}

function log(state: State, entry: object): void {
  if (state.options.logFile !== undefined) appendFileSync(state.options.logFile, `${JSON.stringify(entry)}\n`);
}

function readRequest(dialect: Dialect | null, text: string, path: string): ChatRequest {
  const body = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
  return dialect === null ? { model: "", messages: [] } : dialect.read(body, path);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((done, failed) => {
    server.once("error", failed);
    server.listen(port, "127.0.0.1", done);
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeAllConnections();
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "0" },
      log: { type: "string" },
      latency: { type: "string" },
      rules: { type: "string" },
    },
  });
  const server = await startModelServer({
    port: Number(values.port),
    ...(values.log === undefined ? {} : { logFile: values.log }),
    ...(values.latency === undefined ? {} : { latencyMs: Number(values.latency) }),
    ...(values.rules === undefined ? {} : { rules: JSON.parse(readFileSync(values.rules, "utf8")) as Rule[] }),
  });
  console.log(JSON.stringify({ baseUrl: server.baseUrl }));
}

if (import.meta.main) await main();
