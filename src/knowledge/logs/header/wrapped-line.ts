import { nameWorkload } from "./component-name.ts";
import { createEvent, type HeadReader, type ReadEvent } from "./header-format.ts";
import { parseObject, readJsonRecord } from "./json-line.ts";
import { readOwnLevel } from "./read-fields.ts";
import { readWrapped } from "./read-wrapped.ts";
import type { TimestampReader } from "./timestamp-reader.ts";

const stamp = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:?\\d\\d)";

type Wrapping = { name: string; about: string; pattern: RegExp; mustHoldHead: boolean };

/** What tools put before the lines of containers: whose line it is, and when it came. */
const wrappings: readonly Wrapping[] = [
  {
    name: "kubectl",
    about: "kubectl logs --prefix [--timestamps]: [pod/name/container] time line",
    pattern: new RegExp(`^\\[pod/(?<pod>[^/\\]]+)/(?<program>[^\\]]+)\\] (?:(?<time>${stamp}) ?)?`),
    mustHoldHead: false,
  },
  {
    name: "cri",
    about: "container runtime: time stdout|stderr F line",
    pattern: new RegExp(`^(?<time>${stamp}) std(?:out|err) [FP] ?`),
    mustHoldHead: false,
  },
  {
    name: "compose",
    about: "docker compose logs: container | line",
    pattern: new RegExp(`^(?<program>[a-z][\\w.-]*?)(?:[-_]\\d+)? +\\| (?:(?<time>${stamp}) )?`),
    mustHoldHead: false,
  },
  {
    name: "timestamped",
    about: "kubectl logs --timestamps, docker logs -t: time, and a line with a head of its own",
    pattern: new RegExp(`^(?<time>${stamp}) (?=[{\\[]|\\d|[A-Za-z_]+=|[IWEF]\\d{4} )`),
    mustHoldHead: true,
  },
];

export const wrappedFormats: readonly { name: string; about: string }[] = wrappings;

/** Readers of wrapped lines; the line inside is read as if it stood alone, and what it does not tell is taken from around. */
export const wrappedReaders: readonly HeadReader[] = wrappings.map((wrapping) => ({
  name: wrapping.name,
  read: (line, times) => readLine(line, times, wrapping),
}));

function readLine(line: string, times: TimestampReader, { pattern, mustHoldHead }: Wrapping): ReadEvent | null {
  const match = pattern.exec(line);
  if (match === null) return null;
  const text = line.slice(match[0].length);
  const inner = readInner(text, times);
  if (mustHoldHead && inner === null) return null;
  const { pod, program, time } = match.groups ?? {};
  const service = pod === undefined ? program : nameWorkload(pod);
  const event = inner ?? { ...createEvent(line, text), level: readOwnLevel(text) };
  return {
    ...event,
    raw: line,
    timestamp: time === undefined ? event.timestamp : (times.read(time, "YMDhmsf") ?? event.timestamp),
    service: service ?? event.service,
    component: event.component ?? service ?? null,
    host: pod ?? event.host,
  };
}

function readInner(text: string, times: TimestampReader): ReadEvent | null {
  const record = parseObject(text);
  return record === null ? readWrapped(text, times) : readJsonRecord(record, times, text);
}
