import type { MessageShaper } from "../scan/message-shaper.ts";
import { kinds } from "../scan/token-kind.ts";
import type { LogEntity } from "../../../contract/parsed-log.ts";

export type EntityType = LogEntity["type"];

/** Where a shape's messages name entities: in variable elements, whose value differs, or in fixed words. */
export type EntityPlaces = {
  places: { place: number; type: EntityType }[];
  fixed: { type: EntityType; name: string }[];
};

const userWord = /^(?:user|username|uname|ruser|login|account)$/i;
const hostWord = /^(?:host|hostname|server|rhost|node|peer)$/i;

/** Finds the entity places of a message from its elements; done once per shape. */
export function findEntityPlaces(message: string, elements: MessageShaper): EntityPlaces {
  const found: EntityPlaces = { places: [], fixed: [] };
  for (let at = 0; at < elements.count; at += 1) {
    const kind = elements.kind[at] ?? 0;
    const named = readTypeName(findNameBefore(message, elements, at));
    if (elements.variable[at] === 0) {
      if (kind !== kinds.word || named === null) continue;
      const name = message.slice(elements.start[at], elements.end[at]);
      if (isName(name, named)) found.fixed.push({ type: named, name });
      continue;
    }
    const type =
      named ?? typeOfKind[kind] ?? (kind === kinds.glued ? guessType(takeText(message, elements, at)) : null);
    if (type !== null) found.places.push({ place: at, type });
  }
  return found;
}

/** Any word names a user; the name of a machine has a digit, a dot, an `@` or a dash. */
function isName(word: string, type: EntityType): boolean {
  if (!/^\w[\w.@-]+$/.test(word) || verbs.has(word.toLowerCase())) return false;
  return type !== "host" || /[\d.@]|\w-\w/.test(word) || word === "localhost";
}

/** Words that follow `user` or `host` without being its name. */
const verbs = new Set(
  "no any unknown request is has was not by from for with on in at to and or the name names logged login session id password authentication key".split(
    " ",
  ),
);

const typeOfKind: Partial<Record<number, EntityType>> = {
  [kinds.ip]: "ip",
  [kinds.host]: "host",
  [kinds.path]: "file",
  [kinds.uuid]: "id",
};

/** The type of a glued value by its looks. */
function guessType(value: string): EntityType | null {
  if (value.startsWith("blk_")) return "block";
  if (/^[A-Za-z][\w.-]*(?:\/[\d.]+)?:\d{2,5}$|^[A-Za-z][\w.-]*\/\d+\.\d+\.\d+\.\d+$/.test(value)) return "host";
  if (/^(?:node|host|server|worker|slave|master|rack|compute|storage)[-_]?\d/i.test(value)) return "node";
  return /\d{3}/.test(value) && /[A-Za-z]/.test(value) ? "id" : null;
}

function readTypeName(name: string): EntityType | null {
  if (userWord.test(name)) return "user";
  return hostWord.test(name) ? "host" : null;
}

/** The word that names the element at `at`: right before it or behind `=` or `:`. */
function findNameBefore(message: string, elements: MessageShaper, at: number): string {
  let before = at - 1;
  while (before >= 0 && /^[=:'"[(]$/.test(takeText(message, elements, before))) before -= 1;
  return before >= 0 ? takeText(message, elements, before) : "";
}

function takeText(message: string, elements: MessageShaper, at: number): string {
  return message.slice(elements.start[at], elements.end[at]);
}
