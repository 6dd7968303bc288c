import type { Context, Span, Tracer } from "@opentelemetry/api";
import type { DebateEvent } from "../contract/event.ts";
import type { DebateResult } from "../contract/result.ts";
import type { Run } from "../contract/run.ts";
import { type Attempt, type Turn, turnId } from "../contract/turn.ts";
import { version } from "./version.ts";

/** Sends what happens in runs to a collector as OpenTelemetry GenAI spans. */
export type Telemetry = { onEvent(event: DebateEvent, run: Run): void; close(): Promise<void> };

/** True when the environment names an OTLP endpoint; nothing of OpenTelemetry is loaded otherwise. */
export function isTelemetryConfigured(env: Record<string, string | undefined>): boolean {
  if (env.OTEL_SDK_DISABLED === "true" || env.OTEL_TRACES_EXPORTER === "none") return false;
  return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}

/** Opens the exporter that the environment configures; spans that are open are sent at `close`. */
export async function openTelemetry(): Promise<Telemetry> {
  const [api, { NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/sdk-trace-node"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
    ]);
  const resource = resourceFromAttributes({
    "service.name": process.env.OTEL_SERVICE_NAME ?? "parley",
    "service.version": version,
  });
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const onEvent = spansOf(api, provider.getTracer("parley", version));
  return { onEvent, close: () => provider.shutdown() };
}

type Api = typeof import("@opentelemetry/api");
type OpenRun = { span: Span; context: Context; startedMs: number };

/** Turns events into spans: a run, its turns as agents, their attempts as chat calls. */
export function spansOf(api: Api, tracer: Tracer): Telemetry["onEvent"] {
  const open = new Map<string, OpenRun>();
  const runSpan = (run: Run): OpenRun => {
    const known = open.get(run.id);
    if (known) return known;
    const { pack, cast, seed } = run.manifest;
    const attributes = {
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.conversation.id": run.id,
      "parley.pack": pack,
      "parley.cast": cast,
      "parley.seed": seed,
    };
    const span = tracer.startSpan(`parley ${pack}`, { attributes });
    const opened = { span, context: api.trace.setSpan(api.context.active(), span), startedMs: Date.now() };
    open.set(run.id, opened);
    return opened;
  };
  return (event, run) => {
    const current = runSpan(run);
    if (event.type === "turn" && !event.replayed) turnSpans(api, tracer, current, event.turn);
    if (event.type === "note")
      current.span.addEvent(`parley.${event.note.type}`, { "parley.note": JSON.stringify(event.note.data) });
    if (event.type !== "ended") return;
    endRun(api, current, event.result);
    open.delete(run.id);
  };
}

function turnSpans(api: Api, tracer: Tracer, run: OpenRun, turn: Turn): void {
  const [first] = turn.attempts;
  const last = turn.attempts.at(-1);
  if (!first || !last) return;
  const at = (ms: number): number => run.startedMs + ms;
  const attributes = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": turn.key.role,
    "parley.turn": turnId(turn.key),
    "parley.status": turn.status,
  };
  const span = tracer.startSpan(
    `invoke_agent ${turn.key.role}`,
    { attributes, startTime: at(first.startedMs) },
    run.context,
  );
  const context = api.trace.setSpan(run.context, span);
  for (const attempt of turn.attempts) {
    const call = tracer.startSpan(
      `chat ${turn.player}`,
      { kind: api.SpanKind.CLIENT, attributes: callAttributes(turn.player, attempt), startTime: at(attempt.startedMs) },
      context,
    );
    call.end(at(attempt.startedMs + attempt.durationMs));
  }
  if (turn.status === "abstained") span.setStatus({ code: api.SpanStatusCode.ERROR, message: "abstained" });
  span.end(at(last.startedMs + last.durationMs));
}

function callAttributes(
  player: string,
  { usage, finish, problems }: Attempt,
): Record<string, string | number | string[]> {
  const [provider = "", ...model] = player.split("/");
  return {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": provider,
    "gen_ai.request.model": model.join("/") || provider,
    "gen_ai.usage.input_tokens": usage.inputTokens,
    "gen_ai.usage.output_tokens": usage.outputTokens,
    "gen_ai.response.finish_reasons": finish === null ? [] : [finish],
    "parley.problems": problems.map((problem) => problem.code),
  };
}

function endRun(api: Api, { span }: OpenRun, result: DebateResult): void {
  span.setAttributes({
    "parley.outcome": result.outcome,
    "gen_ai.usage.input_tokens": result.usage.inputTokens,
    "gen_ai.usage.output_tokens": result.usage.outputTokens,
  });
  if (result.outcome === "failed")
    span.setStatus({ code: api.SpanStatusCode.ERROR, message: result.reasons.join("; ") });
  span.end();
}
