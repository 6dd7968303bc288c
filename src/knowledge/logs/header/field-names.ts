/** The names that loggers give their fields, the likelier first. */
const names = {
  time: [
    "time",
    "timestamp",
    "@timestamp",
    "ts",
    "t",
    "datetime",
    "date",
    "eventTime",
    "asctime",
    "Timestamp",
    "timeUnixNano",
  ],
  level: [
    "level",
    "severity",
    "lvl",
    "loglevel",
    "log.level",
    "levelname",
    "severityText",
    "SeverityText",
    "severity_text",
    "priority",
  ],
  message: ["message", "msg", "log", "event", "text", "body", "Body", "@message", "MESSAGE", "event.original"],
  component: [
    "logger",
    "component",
    "logger_name",
    "loggerName",
    "log.logger",
    "module",
    "name",
    "caller",
    "process.name",
  ],
  service: [
    "service",
    "svc",
    "service.name",
    "resource.service.name",
    "Resource.service.name",
    "app",
    "application",
    "container",
    "container.name",
    "container_name",
    "kubernetes.container.name",
    "kubernetes.container_name",
    "docker.container.name",
    "attrs.tag",
    "attrs.name",
    "source",
  ],
  host: [
    "host",
    "hostname",
    "host.name",
    "host.hostname",
    "node",
    "beat.hostname",
    "agent.hostname",
    "resource.host.name",
  ],
  pod: ["pod", "kubernetes.pod_name", "kubernetes.pod.name", "k8s.pod.name", "resource.k8s.pod.name"],
  trace: [
    "trace_id",
    "traceId",
    "traceid",
    "trace.id",
    "TraceId",
    "dd.trace_id",
    "request_id",
    "requestId",
    "correlation_id",
  ],
  status: [
    "status",
    "status_code",
    "statusCode",
    "http.status_code",
    "http.response.status_code",
    "res.statusCode",
    "response.status",
  ],
  method: ["method", "http.method", "http.request.method", "req.method", "request.method", "verb"],
  path: ["path", "url.path", "http.target", "req.url", "request.path", "request_uri", "uri", "url"],
  error: [
    "error",
    "err",
    "exception",
    "error.message",
    "err.message",
    "exception.message",
    "errmsg",
    "attr.error",
    "attributes.error",
    "data.error",
    "details.error",
    "fields.error",
  ],
  stack: [
    "stack",
    "stack_trace",
    "stacktrace",
    "error.stack_trace",
    "err.stack",
    "error.stack",
    "exception.stacktrace",
    "exc_info",
  ],
} as const;

/** Which names of each kind a record can have. */
export type FieldPlan = Record<keyof typeof names, readonly string[]>;

const maxPlans = 1024;
const plans = new Map<string, FieldPlan>();
let last: { keys: readonly string[]; plan: FieldPlan } | null = null;

/** The names that a record with these keys can have; a program writes few sets of keys, so that each is looked at once. */
export function planFields(keys: readonly string[]): FieldPlan {
  if (last === null || !areEqual(last.keys, keys)) last = { keys, plan: findPlan(keys) };
  return last.plan;
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}

function findPlan(keys: readonly string[]): FieldPlan {
  const layout = keys.join("\n");
  const known = plans.get(layout);
  if (known !== undefined) return known;
  if (plans.size >= maxPlans) plans.clear();
  const given = new Set(keys);
  const entries = Object.entries(names).map(([kind, list]) => [kind, list.filter((name) => mayHave(given, name))]);
  const plan = Object.fromEntries(entries) as FieldPlan;
  plans.set(layout, plan);
  return plan;
}

/** `log.level` is a key of its own, or `level` inside `log`. */
function mayHave(keys: ReadonlySet<string>, name: string): boolean {
  for (let dot = name.indexOf("."); dot > 0; dot = name.indexOf(".", dot + 1)) {
    if (keys.has(name.slice(0, dot))) return true;
  }
  return keys.has(name);
}
