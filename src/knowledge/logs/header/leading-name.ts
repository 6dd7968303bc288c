import { isComponentName, nameWorkload } from "./component-name.ts";
import type { HeadReader, ReadEvent } from "./header-format.ts";
import { TimestampReader } from "./timestamp-reader.ts";

const leading = /^([a-z][\w.]*(?:-[\w.]+)*) +(?=\S)/;
const compound = /[a-z][-._]\w/;
/** So many lines must begin with a name, so many of them with one that no sentence begins with, and each name must come again. */
const nearlyAll = 0.9;
const clearly = 1 / 3;
const mostNames = 0.2;
const leastLines = 20;

/**
 * Where nothing marks the program and nearly every message begins with one of a few names (`ingress-nginx GET /`), that
 * name is the component (root-cause spec §2.2); null where the first words are words of the messages.
 */
export function withLeadingNames(reader: HeadReader, lines: readonly string[]): HeadReader | null {
  const times = new TimestampReader(0);
  const events = lines.flatMap((line) => reader.read(line, times) ?? []);
  if (events.length < leastLines || events.some(({ component }) => component !== null)) return null;
  const names = events.flatMap(({ message }) => leading.exec(message)?.[1] ?? []);
  const few = new Set(names).size <= mostNames * events.length;
  const clear = names.filter((name) => compound.test(name)).length >= clearly * events.length;
  if (!few || !clear || names.length < nearlyAll * events.length) return null;
  return {
    name: reader.name,
    read: (line, at) => {
      const event = reader.read(line, at);
      return event === null ? null : nameByFirstWord(event);
    },
  };
}

function nameByFirstWord(event: ReadEvent): ReadEvent {
  const match = leading.exec(event.message);
  const name = match?.[1];
  if (match === null || name === undefined || !isComponentName(name)) return event;
  const component = nameWorkload(name);
  const host = event.host ?? (component === name ? null : name);
  return { ...event, component, host, message: event.message.slice(match[0].length) };
}
