import type { LogFinding, LogHop } from "../../../contract/parsed-log.ts";
import { copyText, type KeptEvent, keepEvent, type Place, type ReadEvent, type Span } from "../event/event.ts";
import { nameFile } from "../event/names.ts";

type Step = {
  service: string;
  shape: number;
  ms: number;
  isError: boolean;
  line: number;
  file: string | null;
  span: Span | null;
  kept: KeptEvent | null;
};
type FoundHop = { hop: LogHop; event: KeptEvent | null };
type Call = Pick<Step, "isError" | "line" | "file" | "kept"> & { tookMs: number; atMs: number };

const maxSteps = 200_000;
/** Slowest steps and first errors kept per service, so that they can be cited. */
const keptSteps = 6;
const traceField =
  /\b(?:trace[_ -]?id|request[_ -]?id|correlation[_ -]?id)\\?["']?\s*[:=]\s*\\?["']?([\w-]{8,})|\[[\w.-]+,([0-9a-f]{16,32}),[0-9a-f]{16}|\[(req-[0-9a-f-]{8,})/i;
const loggerName = /\w[.:/]\w*[A-Za-z]|[a-z][A-Z]/;

/**
 * Follows traces and request ids through a log: who calls whom, how long it takes, how often it fails. Calls are between
 * services (a service field, a process, a file), never between the loggers of one process; lines of several files are
 * put in the order of time before they are read (root-cause spec §2.6).
 */
export class Calls {
  private readonly traces = new Map<string, Step[]>();
  private readonly slowest = new Map<string, { tookMs: number; step: Step }[]>();
  private readonly failed = new Map<string, number>();
  private steps = 0;

  add(event: ReadEvent, at: Place): void {
    if (event.timestamp === null || this.steps >= maxSteps) return;
    if (event.trace === null) {
      const [, field, sleuth, request] = /id|\[/i.test(event.raw) ? (traceField.exec(event.raw) ?? []) : [];
      event.trace = field ?? sleuth ?? request ?? null;
    }
    if (event.trace === null) return;
    const known = this.traces.get(event.trace);
    const steps = known ?? [];
    if (known === undefined) this.traces.set(copyText(event.trace), steps);
    this.steps += 1;
    const step: Step = {
      service: copyText(nameService(event, at.file)),
      shape: at.shape,
      ms: event.span?.startMs ?? event.timestamp,
      isError: at.isError,
      line: at.line,
      file: at.file,
      span: event.span,
      kept: null,
    };
    const tookMs = event.span?.durationMs ?? step.ms - (steps[0]?.ms ?? step.ms);
    if (this.isTelling(step, tookMs)) step.kept = keepEvent(event, at);
    steps.push(step);
  }

  private isTelling(step: Step, tookMs: number): boolean {
    const { service, isError } = step;
    const failed = this.failed.get(service) ?? 0;
    if (isError && failed < keptSteps) {
      this.failed.set(service, failed + 1);
      return true;
    }
    const slowest = this.slowest.get(service) ?? [];
    this.slowest.set(service, slowest);
    if (slowest.length === keptSteps && tookMs <= (slowest.at(-1)?.tookMs ?? 0)) return false;
    slowest.push({ tookMs, step });
    slowest.sort((a, b) => b.tookMs - a.tookMs);
    const lost = slowest.length > keptSteps ? slowest.pop() : undefined;
    if (lost !== undefined) lost.step.kept = null;
    return true;
  }

  list(reference: Calls | null): FoundHop[] {
    const [own, before] = [this.gather(), reference?.gather() ?? null];
    const endMs = Math.max(0, ...[...own.values()].flatMap((calls) => calls.map(({ atMs }) => atMs)));
    const hops = [...own].map(([key, calls]) =>
      describeHop(key, calls, before?.get(key) ?? null, { compared: before !== null, endMs }),
    );
    const gone = [...(before ?? [])].filter(([key, calls]) => !own.has(key) && calls.length >= 5);
    const missing = gone.map(([key, calls]): FoundHop => {
      const before = { reference_count: calls.length, reference_median_ms: median(calls) };
      return { hop: { ...emptyHop(key), ...before, change: "stopped", against: "reference" }, event: null };
    });
    return [...hops, ...missing].toSorted(
      ({ hop: a }, { hop: b }) =>
        Number(isChanged(b)) - Number(isChanged(a)) || (b.longest_ms ?? 0) - (a.longest_ms ?? 0) || b.count - a.count,
    );
  }

  listBrokenFlows(textOf: (shape: number) => string): LogFinding[] {
    const traces = [...this.traces.values()]
      .filter((steps) => steps.every(({ span }) => span === null))
      .map(sortSteps)
      .filter(({ length }) => length > 1);
    traces.sort((a, b) => (a[0]?.ms ?? 0) - (b[0]?.ms ?? 0));
    const shapes = traces.map(
      (steps) => new Map(steps.map((step, index) => [step.shape, { step, next: steps[index + 1] ?? null }])),
    );
    const half = Math.floor(shapes.length / 2);
    if (half < 10) return [];
    const found: LogFinding[] = [];
    for (const shape of new Set(shapes.flatMap((one) => [...one.keys()]))) {
      const holders = shapes.map((one, index) => ({ index, at: one.get(shape) })).filter(({ at }) => at !== undefined);
      const early = holders.filter(({ index }) => index < half / 2 || index < 10);
      const usual = commonest(early.flatMap(({ at }) => at?.next?.shape ?? []));
      if (early.length < 8 || usual === null || usual.share < 0.9 * early.length) continue;
      const follows = (one: (typeof holders)[number]) => shapes[one.index]?.has(usual.value) === true;
      const lost = holders.filter((one) => !follows(one));
      const [first] = lost;
      const after = holders.filter(({ index }) => index >= (first?.index ?? 0));
      if (lost.length < 5 || lost.length < 0.6 * after.length || first?.at === undefined) continue;
      const { step, next } = first.at;
      const text = textOf(usual.value).slice(0, 100);
      const instead = next === null ? "nothing follows" : `"${textOf(next.shape).slice(0, 80)}" follows instead`;
      const description = `after "${textOf(shape).slice(0, 80)}" usually comes "${text}"; in ${lost.length} traces ${instead}`;
      found.push({
        kind: "flow",
        component: step.service,
        subject: text,
        description,
        before: early.length,
        after: lost.length,
        clarity: 0.6,
        from: step.ms,
        file: step.file,
        line: step.line,
        last_line: null,
      });
    }
    return found.slice(0, 10);
  }

  private gather(): Map<string, Call[]> {
    const hops = new Map<string, Call[]>();
    const count = (caller: string, callee: string, call: Call) => {
      const key = `${caller}\u0001${callee}`;
      const calls = hops.get(key);
      if (calls) calls.push(call);
      else if (hops.size < 500) hops.set(key, [call]);
    };
    for (const steps of this.traces.values()) {
      if (steps.some(({ span }) => span !== null)) followSpans(steps, count);
      else followLines(sortSteps(steps), count);
    }
    for (const calls of hops.values()) calls.sort((a, b) => a.atMs - b.atMs);
    return hops;
  }
}

function nameService({ service, component, host }: ReadEvent, file: string | null): string {
  if (service !== null) return service;
  if (component !== null && !loggerName.test(component)) return component;
  return file === null ? (host ?? "the log") : nameFile(file);
}

function sortSteps(steps: readonly Step[]): Step[] {
  return steps.toSorted((a, b) => a.ms - b.ms);
}

function followLines(steps: readonly Step[], count: (caller: string, callee: string, call: Call) => void): void {
  const waiting: { service: string; call: Call | null }[] = [];
  for (const step of steps) {
    const depth = waiting.findLastIndex(({ service }) => service === step.service);
    const from = waiting.at(-1);
    if (depth >= 0) {
      for (const { call } of waiting.splice(depth + 1)) if (call) call.tookMs = step.ms - call.atMs;
      const open = waiting[depth]?.call;
      if (open && step.isError) open.isError = true;
      continue;
    }
    const call = from === undefined ? null : { ...step, tookMs: 0, atMs: step.ms };
    if (from !== undefined && call !== null) count(from.service, step.service, call);
    waiting.push({ service: step.service, call });
  }
}

function followSpans(steps: readonly Step[], count: (caller: string, callee: string, call: Call) => void): void {
  const spans = steps.flatMap((step) => (step.span === null ? [] : [{ ...step, span: step.span }]));
  const byId = new Map(spans.map((step) => [step.span.id, step]));
  const answered = new Set(spans.map(({ span }) => span.parent));
  for (const step of spans) {
    const { service, span, isError } = step;
    const parent = span.parent === null ? undefined : byId.get(span.parent);
    const call = { ...step, tookMs: span.durationMs, atMs: span.startMs };
    if (parent !== undefined && parent.service !== service)
      count(parent.service, service, { ...call, isError: isError || (parent.span.peer !== null && parent.isError) });
    else if (span.peer !== null && span.peer !== service && !answered.has(span.id)) count(service, span.peer, call);
  }
}

function emptyHop(key: string): LogHop {
  const [caller = "", callee = ""] = key.split("\u0001");
  const none = { median_ms: null, longest_ms: null, reference_count: null, reference_median_ms: null };
  return { caller, callee, count: 0, error_count: 0, ...none, change: null, file: null, line: null };
}

/** Slower: four times, and by 20 ms. Failing: a fifth of the calls, and twice as often. Stopped: a minute, and twelve times the usual gap. */
function describeHop(
  key: string,
  calls: readonly Call[],
  reference: readonly Call[] | null,
  scene: { compared: boolean; endMs: number },
): FoundHop {
  const early = calls.slice(0, Math.max(10, Math.floor(calls.length / 4)));
  const before = scene.compared ? reference : calls.length >= 20 ? early : null;
  const now = scene.compared ? calls : calls.slice(early.length);
  const usual = before === null || before.length === 0 ? null : median(before);
  const failed = (list: readonly Call[]) => list.filter(({ isError }) => isError).length;
  const slow = usual === null ? [] : now.filter(({ tookMs }) => tookMs > 4 * usual && tookMs > usual + 20);
  const isSlower = usual !== null && slow.length >= 5 && slow.length >= 0.4 * now.length;
  const share = failed(now) / Math.max(1, now.length);
  const isFailing =
    failed(now) >= 3 && share >= 0.2 && (before === null || share >= 2 * (failed(before) / Math.max(1, before.length)));
  const distance = ((calls.at(-1)?.atMs ?? 0) - (calls[0]?.atMs ?? 0)) / Math.max(1, calls.length - 1);
  const silence = scene.endMs - (calls.at(-1)?.atMs ?? 0);
  const hasStopped = calls.length >= 10 && silence > 60_000 && silence > 12 * distance;
  const change = hasStopped ? "stopped" : isFailing ? "failing" : isSlower ? "slower" : before === null ? null : "same";
  const telling = { failing: now.filter(({ isError }) => isError), slower: slow, stopped: calls.slice(-1) };
  const isShown = change === "failing" || change === "slower" || change === "stopped";
  const longest = calls.toSorted((a, b) => b.tookMs - a.tookMs);
  const [first] = isShown ? telling[change] : longest;
  const shown = (isShown ? telling[change] : longest).find(({ kept }) => kept !== null) ?? first;
  const hop: LogHop = {
    ...emptyHop(key),
    count: calls.length,
    error_count: failed(calls),
    median_ms: median(isSlower ? slow : calls),
    longest_ms: Math.round(longest[0]?.tookMs ?? 0),
    reference_count: before === null ? null : before.length,
    reference_median_ms: usual,
    change,
    ...(isShown && first && { from: Math.round(first.atMs) }),
    ...(before !== null && { against: scene.compared ? ("reference" as const) : ("quiet part" as const) }),
    file: shown?.file ?? null,
    line: shown?.line ?? null,
  };
  return { hop, event: isShown ? (shown?.kept ?? null) : null };
}

function median(calls: readonly Call[]): number {
  const sorted = calls.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  return Math.max(0, Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0));
}

function isChanged({ change }: LogHop): boolean {
  return change !== null && change !== "same";
}

function commonest(values: readonly number[]): { value: number; share: number } | null {
  const groups = [...Map.groupBy(values, (value) => value)].toSorted((a, b) => b[1].length - a[1].length);
  const [best] = groups;
  return best ? { value: best[0], share: best[1].length } : null;
}
