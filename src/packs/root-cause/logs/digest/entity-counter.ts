import type { Elements } from "../mine/message-shape.ts";
import { copyOf } from "../mine/shape-table.ts";
import { entityTypes, type LogEntity } from "../parsed-log.ts";
import { type EntityPlaces, type EntityType, typeOfValue } from "./entity-places.ts";

type Tally = { count: number; errors: number; firstLine: number };

/** Distinct names counted for each type; later new names are only counted together. */
const maxNames = 5_000;

/** Counts the entities that messages name, in bounded memory. */
export class EntityCounter {
  /** Mentions of names that were not counted one by one. */
  uncounted = 0;
  private readonly names = new Map<EntityType, Map<string, Tally>>(entityTypes.map((type) => [type, new Map()]));

  addMessage(message: string, elements: Elements, places: EntityPlaces, at: { line: number; isError: boolean }): void {
    for (const { place, type } of places.places) {
      const value = firstValue(message.slice(elements.start[place], elements.end[place]));
      const known = type ?? typeOfValue(value);
      if (known !== null && value.length > 1)
        this.add(known, known === "ip" || known === "host" ? addressOf(value) : value, at);
    }
    for (const { type, name } of places.fixed) this.add(type, name, at);
  }

  add(type: EntityType, name: string, at: { line: number; isError: boolean }): void {
    const names = this.names.get(type);
    const tally = names?.get(name);
    if (tally !== undefined) {
      tally.count += 1;
      if (at.isError) tally.errors += 1;
    } else if (names !== undefined && names.size < maxNames) {
      names.set(copyOf(name), { count: 1, errors: at.isError ? 1 : 0, firstLine: at.line });
    } else this.uncounted += 1;
  }

  /** The entities that matter most: those named in errors first, then the commonest. */
  top(limit: number): { entities: LogEntity[]; leftOut: number } {
    const all = [...this.names].flatMap(([type, names]) =>
      [...names].map(
        ([name, { count, errors, firstLine }]): LogEntity => ({
          type,
          name,
          count,
          error_count: errors,
          first_line: firstLine,
        }),
      ),
    );
    all.sort((a, b) => b.error_count - a.error_count || b.count - a.count || (a.name < b.name ? -1 : 1));
    return { entities: all.slice(0, limit), leftOut: Math.max(0, all.length - limit) + this.uncounted };
  }
}

/** Of a list only the first value is taken. */
function firstValue(value: string): string {
  const end = value.search(/[\s,;|]/);
  return end < 0 ? value : value.slice(0, end);
}

/** An address or host without its port, a leading slash, or the address behind a host's name. */
function addressOf(value: string): string {
  const [address = value] = (value.startsWith("/") ? value.slice(1) : value).split("/");
  const colon = address.indexOf(":");
  return colon > 0 && address.indexOf(":", colon + 1) < 0 ? address.slice(0, colon) : address;
}
