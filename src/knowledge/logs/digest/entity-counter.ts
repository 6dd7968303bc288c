import { copyText } from "../scan/copy-text.ts";
import { entityTypes, type LogEntity } from "../../../contract/parsed-log.ts";
import { nameEntity } from "./name-entity.ts";
import type { EntityType } from "./find-entities.ts";

export type EntityTally = { type: EntityType; name: string; count: number; errors: number; firstLine: number };
type Seen = { line: number; isError: boolean };

/** Distinct names counted for each type; later new names are only counted together. */
const maxNames = 3_000;

/** Counts the entities that messages name, in bounded memory; values are told apart by their hash. */
export class EntityCounter {
  /** Mentions of names that were not counted one by one. */
  uncounted = 0;
  private readonly byHash = new Map<number, EntityTally>();
  private readonly sizes = new Map<EntityType, number>(entityTypes.map((type) => [type, 0]));

  /** Counts an entity that a header or a fixed word names. */
  add(type: EntityType, name: string, at: Seen): EntityTally | null {
    const hash = hashName(type, name);
    const tally = this.byHash.get(hash);
    if (tally !== undefined) return count(tally, at);
    if ((this.sizes.get(type) ?? 0) < maxNames) return this.create(type, name, hash, at);
    this.uncounted += 1;
    return null;
  }

  /** Counts an entity that is most often the one counted last in this place. */
  countAgain(last: EntityTally | null, type: EntityType, name: string, at: Seen): EntityTally | null {
    return last !== null && last.name === name ? count(last, at) : this.add(type, name, at);
  }

  /** The entities that matter most: those named in errors first, then the commonest. */
  listTop(limit: number): { entities: LogEntity[]; leftOut: number } {
    const byName = new Map<string, LogEntity>();
    for (const { type, name, count: times, errors, firstLine } of this.byHash.values()) {
      const entity = byName.get(`${type} ${name}`);
      if (entity === undefined) {
        byName.set(`${type} ${name}`, { type, name, count: times, error_count: errors, first_line: firstLine });
        continue;
      }
      entity.count += times;
      entity.error_count += errors;
    }
    const all = [...byName.values()].sort(
      (a, b) => b.error_count - a.error_count || b.count - a.count || (a.name < b.name ? -1 : 1),
    );
    return {
      entities: all.slice(0, limit).map(addKnownName),
      leftOut: Math.max(0, all.length - limit) + this.uncounted,
    };
  }

  private create(type: EntityType, name: string, hash: number, at: Seen): EntityTally {
    const tally = { type, name: copyText(name), count: 1, errors: at.isError ? 1 : 0, firstLine: at.line };
    this.byHash.set(hash, tally);
    this.sizes.set(type, (this.sizes.get(type) ?? 0) + 1);
    return tally;
  }
}

function count(tally: EntityTally, at: Seen): EntityTally {
  tally.count += 1;
  if (at.isError) tally.errors += 1;
  return tally;
}

const named = new Set<EntityType>(["component", "service", "node"]);

function addKnownName(entity: LogEntity): LogEntity {
  const known = named.has(entity.type) ? nameEntity(entity.name) : entity.name;
  return known === entity.name ? entity : { ...entity, known_as: known };
}

function hashName(type: string, name: string): number {
  let hash = type.charCodeAt(0) + type.charCodeAt(1) * 7;
  for (let index = 0; index < name.length; index += 1) hash = (Math.imul(hash, 31) + name.charCodeAt(index)) | 0;
  return hash;
}
