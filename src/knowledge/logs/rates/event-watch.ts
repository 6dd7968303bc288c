import type { ReadEvent } from "../header/header-format.ts";
import { type KeptEvent, keepEvent } from "../events/kept-event.ts";
import { type Level, levels, type LogHop } from "../schemas/parsed-log.ts";
import { HopLedger } from "./hop-ledger.ts";
import { HopTracker } from "./hop-tracker.ts";
import { type RateSeries, RateWatch } from "./rate-watch.ts";
import { mayTellRequest, readRequest } from "./read-request.ts";
import { SpanTracker } from "./span-tracker.ts";
import { TraceSample } from "./trace-sample.ts";

/** What is known of the events of one shape, so that most lines are not searched. */
export type WatchFacts = { tellsRequest: boolean; tellsTrace: boolean; component: RateSeries | null };

type Place = Pick<KeptEvent, "order" | "shape" | "file"> & { line: number; isError: boolean };

const traceField =
  /\b(?:trace[_ -]?id|request[_ -]?id|correlation[_ -]?id)\\?["']?\s*[:=]\s*\\?["']?([\w-]{8,})|\[[\w.-]+,([0-9a-f]{16,32}),[0-9a-f]{16}|\[(req-[0-9a-f-]{8,})/i;

/** Watches the events of a log or of its reference: rates of levels, statuses, routes and components, and calls. */
export class EventWatch {
  readonly rates = new RateWatch();
  private readonly ledger = new HopLedger();
  private readonly hops = new HopTracker(this.ledger);
  private readonly spans = new SpanTracker(this.ledger);
  readonly traces = new TraceSample();
  private readonly byLevel: (RateSeries | null)[] = levels.map(() => null);
  private readonly byStatus: (RateSeries | null)[] = [];

  /** What to look for in messages of the shape that this event begins. */
  static describe(event: ReadEvent): WatchFacts {
    return {
      tellsRequest: event.status !== null || mayTellRequest(event.message),
      tellsTrace: traceField.test(event.raw),
      component: null,
    };
  }

  add(event: ReadEvent, facts: WatchFacts, level: Level | null, at: Place): void {
    const { rates } = this;
    const { timestamp } = event;
    rates.moveTo(timestamp);
    rates.count(rates.lines, at);
    if (level !== null) this.countLevel(level, at);
    const component = event.service ?? event.component;
    if (component !== null) {
      if (facts.component?.name !== component) facts.component = rates.find("component", component);
      if (facts.component !== null) rates.count(facts.component, at);
    }
    if (facts.tellsRequest) this.countRequest(event, at);
    if (facts.tellsTrace && event.trace === null) event.trace = findTrace(event.raw);
    if (event.trace !== null && component !== null && timestamp !== null) this.follow(event, component, timestamp, at);
  }

  /** The calls between components, those that changed against the reference or their own beginning first. */
  listHops(reference: EventWatch | null): LogHop[] {
    this.spans.finish();
    reference?.spans.finish();
    return this.ledger.list(reference?.ledger ?? null);
  }

  private countLevel(level: Level, at: Place): void {
    const index = levels.indexOf(level);
    const series = (this.byLevel[index] ??= this.rates.find("level", level));
    if (series !== null) this.rates.count(series, at);
  }

  private countRequest(event: ReadEvent, at: Place): void {
    const request = readRequest(event.message);
    event.status ??= request.status;
    const { status } = event;
    if (status === null) return;
    const { rates } = this;
    const family = Math.floor(status / 100);
    countIn(rates, (this.byStatus[0] ??= rates.find("status", "requests")), at);
    countIn(rates, (this.byStatus[family] ??= rates.find("status", `${family}xx`)), at);
    if (request.route === null) return;
    countIn(rates, rates.find("route", request.route), at);
    if (family >= 4) countIn(rates, rates.find("route", `${request.route} ${family}xx`), at);
  }

  private follow(event: ReadEvent, component: string, timestamp: number, at: Place): void {
    const trace = event.trace ?? "";
    const { line, file, isError } = at;
    const { span } = event;
    const stepMs = span?.durationMs ?? this.hops.add({ trace, component, timestamp, isError, line, file });
    if (span !== null) this.spans.add(trace, { ...span, service: component, isError, line, file });
    this.traces.add(trace, component, keepEvent(event, at), stepMs);
  }
}

function countIn(rates: RateWatch, series: RateSeries | null, at: Place): void {
  if (series !== null) rates.count(series, at);
}

function findTrace(raw: string): string | null {
  const [, field, sleuth, request] = traceField.exec(raw) ?? [];
  return field ?? sleuth ?? request ?? null;
}
