import type { LogEntity } from "../../../contract/parsed-log.ts";

export type EntityType = LogEntity["type"];

const named =
  /(?<block>\bblk_-?\d+)|(?<ip>(?<![\w.])\/?(?:\d{1,3}\.){3}\d{1,3}(?![\w.])(?::\d+)?)|\b(?:user|username|uname|ruser|login|account)[=: ]+["']?(?<user>\w[\w.@-]+)|\b(?:host|hostname|server|rhost|node|peer)[=: ]+["']?(?<host>[\w-]*[\d.@][\w.@-]*|\w+-\w[\w.-]*)|(?<node>\b(?:node|host|server|worker|slave|master|rack|compute|storage)[-_]?\d+)|(?<file>(?<![\w.<])(?:\/[\w.@-]+){2,})|(?<id>\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b)/gi;

/** Words that follow `user` or `host` without being its name. */
const verbs =
  /^(?:no|any|unknown|request|is|has|was|not|by|from|for|with|on|in|at|to|and|or|the|names?|logged|login|session|id|password|authentication|key)$/i;
const mostOfMessage = 12;

/** What a message names: machines, addresses, users, files, blocks. */
export function findEntities(message: string): { type: EntityType; name: string }[] {
  const found: { type: EntityType; name: string }[] = [];
  for (const { groups = {} } of message.slice(0, 1000).matchAll(named)) {
    const [type, value] = Object.entries(groups).find(([, one]) => one !== undefined) ?? [];
    if (type === undefined || value === undefined || verbs.test(value)) continue;
    const name = type === "ip" || type === "host" ? value.replace(/^\//, "").replace(/:\d+$/, "") : value;
    if (found.push({ type: type as EntityType, name }) >= mostOfMessage) break;
  }
  return found;
}
