import type { Level } from "../schemas/parsed-log.ts";
import { isBracketedComponent, isComponentName, isExceptionName } from "./component-name.ts";
import { createEvent, type HeaderField, type HeaderFormat, type HeadReader, type ReadEvent } from "./header-format.ts";
import { readLevel, readPriority } from "./level.ts";
import type { TimestampReader } from "./timestamp-reader.ts";

/** No header is longer; patterns are not tried on more of a line. */
const maxHeader = 2048;

/** Makes a reader of a layout; which group of the pattern is what is looked up once, because this runs for every line. */
export function createPatternReader(format: HeaderFormat): HeadReader {
  const { pattern, layout } = format;
  const group = (field: HeaderField, from = 0) => format.fields.indexOf(field, from) + 1;
  const [time, level, priority] = [group("time"), group("level"), group("priority")];
  const otherLevel = level > 0 ? group("level", level) : 0;
  const [component, bracket, host] = [group("component"), group("bracket"), group("host")];
  const [service, client, status] = [group("service"), group("client"), group("status")];
  const read = (line: string, times: TimestampReader): ReadEvent | null => {
    const match = pattern.exec(line.length > maxHeader ? line.slice(0, maxHeader) : line);
    if (match === null) return null;
    const event = createEvent(line, line.slice(match[0].length));
    const stamp = match[time];
    if (time > 0 && stamp !== undefined) event.timestamp = times.read(stamp, layout);
    if (level > 0) event.level = readLevel(match[level] ?? match[otherLevel] ?? "");
    if (priority > 0 && match[priority] !== undefined) event.level = readPriority(Number(match[priority]));
    if (host > 0) event.host = match[host] ?? null;
    if (client > 0) event.client = match[client] ?? null;
    if (status > 0 && match[status] !== undefined) {
      event.status = Number(match[status]);
      event.level ??= readStatusLevel(event.status);
    }
    const take = (at: number) => (at > 0 ? match[at] : undefined);
    nameComponent(event, { name: take(component), bracket: take(bracket), service: take(service) }, format);
    return event;
  };
  return { name: format.name, read };
}

type Names = { name: string | undefined; bracket: string | undefined; service: string | undefined };

/** The component is the logger, else a name in brackets, else the program; what cannot be one stays in the message. */
function nameComponent(event: ReadEvent, { name, bracket, service }: Names, format: HeaderFormat): void {
  event.service = service !== undefined && isComponentName(service) ? service : (format.program ?? null);
  const inBrackets = bracket !== undefined && isBracketedComponent(bracket) ? bracket : null;
  const isLogger = name !== undefined && isComponentName(name) && (inBrackets === null || /[.A-Z$]/.test(name));
  event.component = isLogger ? name : (inBrackets ?? event.service);
  if (name !== undefined && !isLogger) returnToMessage(event, name);
}

/** `ReplyError: OOM` has an exception where others have their logger: it is what the message says. */
function returnToMessage(event: ReadEvent, name: string): void {
  const at = event.raw.lastIndexOf(name, event.raw.length - event.message.length);
  if (at >= 0 && (isExceptionName(name) || event.component !== null)) event.message = event.raw.slice(at);
}

/** A web server's line has no level; the status says it: 5xx is an error, 4xx a warning. */
export function readStatusLevel(status: number): Level {
  if (status >= 500) return "ERROR";
  return status >= 400 ? "WARN" : "INFO";
}
