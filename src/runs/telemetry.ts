import type { Context, Span, Tracer } from "@opentelemetry/api";
import { ParleyError } from "../contract/error.ts";
import type { DebateEvent } from "../contract/event.ts";
import type { DebateResult } from "../contract/result.ts";
import type { Run } from "../contract/run.ts";
import { type Attempt, type Turn, turnIdOf } from "../contract/turn.ts";
import { isRecord } from "../text/json.ts";
import { version } from "./version.ts";

/** Sends what happens in runs to a collector as OpenTelemetry GenAI spans. */
export type Telemetry = { onEvent(event: DebateEvent, run: Run): void; close(): Promise<void> };

/** What a collector is told: codes and numbers, and with `content` also what was said and decided. */
export type TelemetryOptions = { content?: boolean };

/** Opens the exporter that the environment configures; spans that are open are sent at `close`. */
export async function openTelemetry(options: TelemetryOptions = {}): Promise<Telemetry> {
  const [api, { NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await loadOpenTelemetry();
  const resource = resourceFromAttributes({
    "service.name": process.env.OTEL_SERVICE_NAME ?? "parley",
    "service.version": version,
  });
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ timeoutMillis: readTimeoutMs() }))],
  });
  let problem: string | null = null;
  const remember = (message: string): void => void (problem ??= message);
  const ignore = (): void => {};
  api.diag.setLogger(
    { error: remember, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  const onEvent = createSpans(api, provider.getTracer("parley", version), options);
  const close = async (): Promise<void> => {
    onEvent.endAll();
    await provider.shutdown();
    if (problem !== null) throw new Error(makeReadable(problem));
  };
  return { onEvent, close };
}

const packages = [
  "@opentelemetry/api",
  "@opentelemetry/sdk-trace-node",
  "@opentelemetry/exporter-trace-otlp-http",
  "@opentelemetry/resources",
] as const;

/** The packages that send spans: only who sends some installs them. */
async function loadOpenTelemetry() {
  try {
    return await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/sdk-trace-node"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
    ]);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    const message = `telemetry needs packages that are not installed: npm install ${packages.join(" ")}`;
    throw new ParleyError("bad_config", message, { cause });
  }
}

/** A collector that does not answer holds a command up no longer than this, unless the environment says otherwise. */
function readTimeoutMs(): number {
  const { OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: traces, OTEL_EXPORTER_OTLP_TIMEOUT: all } = process.env;
  const given = Number(traces ?? all);
  return Number.isFinite(given) && given > 0 ? given : 3_000;
}

/** The SDK reports errors as JSON with a stack in it. */
function makeReadable(problem: string): string {
  try {
    const { message } = JSON.parse(problem) as { message?: unknown };
    return typeof message === "string" && message !== "" ? message : "it cannot be reached";
  } catch {
    return problem;
  }
}

type Api = typeof import("@opentelemetry/api");
type OpenRun = { span: Span; context: Context };
/** A run with what may be told of a failure in words: undefined when words are not sent. */
type ToldRun = OpenRun & { explain(text: string): string | undefined };

/** Turns events into spans: a run as a workflow, its turns as agents, calls of models as chats (GenAI conventions 1.41). */
export function createSpans(
  api: Api,
  tracer: Tracer,
  { content = false }: TelemetryOptions = {},
): Telemetry["onEvent"] & { endAll(): void } {
  const open = new Map<string, OpenRun>();
  const explain = (text: string): string | undefined => (content ? text : undefined);
  const onEvent: Telemetry["onEvent"] = (event, run) => {
    const current = open.get(run.id) ?? openRun(api, tracer, run);
    open.set(run.id, current);
    if (event.type === "turn" && !event.replayed) addTurnSpans(api, tracer, { ...current, explain }, run, event.turn);
    if (event.type === "note")
      current.span.addEvent(`parley.${event.note.type}`, {
        ...countNote(event.note.data),
        ...(content && { "parley.note": JSON.stringify(event.note.data) }),
      });
    if (event.type !== "ended") return;
    endRun(api, { ...current, explain }, event.result);
    open.delete(run.id);
  };
  const endAll = (): void => {
    for (const { span } of open.values()) {
      fail(api, span, "interrupted", "the run did not end in this process");
      span.end();
    }
    open.clear();
  };
  return Object.assign(onEvent, { endAll });
}

function openRun(api: Api, tracer: Tracer, run: Run): OpenRun {
  const { pack, cast, seed } = run.manifest;
  const attributes = {
    "gen_ai.operation.name": "invoke_workflow",
    "gen_ai.workflow.name": pack,
    "gen_ai.conversation.id": run.id,
    "parley.cast": cast,
    "parley.seed": seed,
  };
  const span = tracer.startSpan(`invoke_workflow ${pack}`, { attributes });
  return { span, context: api.trace.setSpan(api.context.active(), span) };
}

/** A turn is told when it is over, so its times are counted back from now. */
function addTurnSpans(api: Api, tracer: Tracer, run: ToldRun, { id }: Run, turn: Turn): void {
  const [first] = turn.attempts;
  const last = turn.attempts.at(-1);
  if (!first || !last) return;
  const zero = Date.now() - last.startedMs - last.durationMs;
  const at = (ms: number): number => zero + ms;
  const attributes = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": turn.key.role,
    "gen_ai.conversation.id": id,
    "parley.turn": turnIdOf(turn.key),
    "parley.player": turn.player,
    "parley.status": turn.status,
  };
  const span = tracer.startSpan(
    `invoke_agent ${turn.key.role}`,
    { attributes, startTime: at(first.startedMs) },
    run.context,
  );
  const context = api.trace.setSpan(run.context, span);
  for (const attempt of turn.attempts.filter((one) => isCall(turn.player, one))) {
    const given = { ...describeCall(turn.player, attempt), "gen_ai.conversation.id": id };
    const call = tracer.startSpan(
      `${given["gen_ai.operation.name"]} ${given["gen_ai.request.model"]}`,
      { kind: api.SpanKind.CLIENT, attributes: given, startTime: at(attempt.startedMs) },
      context,
    );
    call.end(at(attempt.startedMs + attempt.durationMs));
  }
  if (turn.status === "abstained") failTurn(api, span, run, turn);
  span.end(at(last.startedMs + last.durationMs));
}

/** Only a model says why it stopped, or uses tokens; programs, people and recordings call nobody. */
function isCall(player: string, { finish, usage }: Attempt): boolean {
  return (finish !== null || usage.inputTokens > 0) && !player.startsWith("recording");
}

/** The conventions' own names of providers, where they have one. */
const providers: Record<string, string> = { "openai-responses": "openai", google: "gcp.gemini" };

function describeCall(player: string, { usage, finish, problems }: Attempt) {
  const [provider = "", ...model] = player.split("/");
  return {
    "gen_ai.operation.name": finish === null ? "embeddings" : "chat",
    "gen_ai.provider.name": providers[provider] ?? provider,
    "gen_ai.request.model": model.join("/") || provider,
    "gen_ai.output.type": "json",
    "gen_ai.usage.input_tokens": usage.inputTokens,
    "gen_ai.usage.output_tokens": usage.outputTokens,
    ...(usage.cachedTokens > 0 && { "gen_ai.usage.cache_read.input_tokens": usage.cachedTokens }),
    ...(usage.reasoningTokens > 0 && { "gen_ai.usage.reasoning.output_tokens": usage.reasoningTokens }),
    "gen_ai.response.finish_reasons": finish === null ? [] : [finish],
    ...(usage.costUsd !== null && { "parley.cost_usd": usage.costUsd }),
    ...(problems.length > 0 && { "parley.problems": problems.map((problem) => problem.code) }),
  };
}

function endRun(api: Api, { span, explain }: ToldRun, result: DebateResult): void {
  span.setAttributes({
    "parley.outcome": result.outcome,
    "gen_ai.usage.input_tokens": result.usage.inputTokens,
    "gen_ai.usage.output_tokens": result.usage.outputTokens,
  });
  if (result.outcome === "failed") fail(api, span, "failed", explain(result.reasons.join("; ")));
  span.end();
}

function failTurn(api: Api, span: Span, { explain }: ToldRun, { problems }: Turn): void {
  const [problem] = problems;
  if (problem) span.setAttribute("parley.problems", [...new Set(problems.map(({ code }) => code))]);
  fail(api, span, "abstained", explain(problem?.message ?? "no valid reply"));
}

function fail(api: Api, span: Span, type: string, message: string | undefined): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: api.SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) });
}

/** What of a note is a number: values, and how long its lists are. Words may be the case's, also those that keys are made of further in. */
function countNote(data: unknown): Record<string, number | boolean> {
  if (Array.isArray(data)) return { "parley.count": data.length };
  const counted = Object.entries(isRecord(data) ? data : {}).flatMap(([key, value]) => {
    const told = Array.isArray(value) ? value.length : value;
    return typeof told === "number" || typeof told === "boolean" ? [[`parley.${key}`, told] as const] : [];
  });
  return Object.fromEntries(counted);
}
