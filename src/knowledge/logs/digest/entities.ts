import { type LogEntity } from "../../../contract/parsed-log.ts";
import { copyText } from "../event/event.ts";
import { nameEntity } from "../event/names.ts";

type EntityType = LogEntity["type"];
type Tally = { type: EntityType; name: string; count: number; errors: number; firstLine: number };
type Seen = { line: number; isError: boolean };

const maxNames = 3_000;

export class EntityCounter {
  private readonly byType = new Map<EntityType, Map<string, Tally>>();

  add(type: EntityType, name: string, { line, isError }: Seen): void {
    let names = this.byType.get(type);
    if (names === undefined) this.byType.set(type, (names = new Map()));
    const tally = names.get(name);
    if (tally !== undefined) {
      tally.count += 1;
      if (isError) tally.errors += 1;
    } else if (names.size < maxNames) {
      const kept = copyText(name);
      names.set(kept, { type, name: kept, count: 1, errors: isError ? 1 : 0, firstLine: line });
    }
  }

  listTop(limit: number): LogEntity[] {
    const all = [...this.byType.values()]
      .flatMap((names) => [...names.values()])
      .sort((a, b) => b.errors - a.errors || b.count - a.count || (a.name < b.name ? -1 : 1));
    return all.slice(0, limit).map(({ type, name, count, errors, firstLine }): LogEntity => {
      const known = named.has(type) ? nameEntity(name) : name;
      const entity = { type, name, count, error_count: errors, first_line: firstLine };
      return known === name ? entity : { ...entity, known_as: known };
    });
  }
}

const named = new Set<EntityType>(["component", "service", "node"]);

const naming =
  /(?<block>\bblk_-?\d+)|(?<ip>(?<![\w.])\/?(?:\d{1,3}\.){3}\d{1,3}(?![\w.])(?::\d+)?)|\b(?:user|username|uname|ruser|login|account)[=: ]+["']?(?<user>\w[\w.@-]+)|\b(?:host|hostname|server|rhost|node|peer)[=: ]+["']?(?<host>[\w-]*[\d.@][\w.@-]*|\w+-\w[\w.-]*)|(?<node>\b(?:node|host|server|worker|slave|master|rack|compute|storage)[-_]?\d+)|(?<file>(?<![\w.<])(?:\/[\w.@-]+){2,})|(?<id>\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b)/gi;

/** Words after `user` or `host` that are not names. */
const verbs =
  /^(?:no|any|unknown|request|is|has|was|not|by|from|for|with|on|in|at|to|and|or|the|names?|logged|login|session|id|password|authentication|key)$/i;
const mostOfMessage = 12;

export function findEntities(message: string): { type: EntityType; name: string }[] {
  const found: { type: EntityType; name: string }[] = [];
  for (const { groups = {} } of message.slice(0, 1000).matchAll(naming)) {
    const [type, value] = Object.entries(groups).find(([, one]) => one !== undefined) ?? [];
    if (type === undefined || value === undefined || verbs.test(value)) continue;
    const name = type === "ip" || type === "host" ? value.replace(/^\//, "").replace(/:\d+$/, "") : value;
    if (found.push({ type: type as EntityType, name }) >= mostOfMessage) break;
  }
  return found;
}
