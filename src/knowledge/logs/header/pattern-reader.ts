import type { Level } from "../../../contract/parsed-log.ts";
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
  const [host, client, status] = [group("host"), group("client"), group("status")];
  const places: NamePlaces = {
    name: group("component"),
    bracket: group("bracket"),
    service: group("service"),
    program: format.program ?? null,
  };
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
    nameComponent(event, match, places);
    return event;
  };
  return { name: format.name, read };
}

/** Which groups of a pattern hold names, 0 for none, and the program that the layout is of. */
type NamePlaces = { name: number; bracket: number; service: number; program: string | null };

/** The component is the logger, else a name in brackets, else the program; what cannot be one stays in the message. */
function nameComponent(event: ReadEvent, match: RegExpExecArray, places: NamePlaces): void {
  const name = places.name > 0 ? match[places.name] : undefined;
  const bracket = places.bracket > 0 ? match[places.bracket] : undefined;
  const service = places.service > 0 ? match[places.service] : undefined;
  event.service = service !== undefined && isComponentName(service) ? service : places.program;
  const mayBeLogger = name !== undefined && isComponentName(name);
  const isClearly = mayBeLogger && /[.A-Z$]/.test(name);
  const inBrackets = !isClearly && bracket !== undefined && isBracketedComponent(bracket) ? bracket : null;
  const isLogger = mayBeLogger && inBrackets === null;
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
