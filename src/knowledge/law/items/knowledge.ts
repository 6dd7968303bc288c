import { readdirSync, readFileSync } from "node:fs";
import { ParleyError } from "../../../contract/error.ts";
import { CollectionSchema, completeItems, listLeading } from "./collection.ts";
import type { Evidence } from "./evidence.ts";

/** Everything that may be cited, found by id or alias. */
export type Knowledge = {
  items: Evidence[];
  /** Ids of the provisions that a topic starts from. */
  leading: ReadonlySet<string>;
  /** The item with this id or alias (case does not matter), or null. */
  find(reference: string): Evidence | null;
};

const folder = new URL("../../../../data/law/items/", import.meta.url);
let shipped: Knowledge | null = null;

/** The knowledge that ships with the product; loaded once. */
export function loadKnowledge(): Knowledge {
  shipped ??= readShipped();
  return shipped;
}

/** The shipped knowledge with a user's own items added; an item of the user's may not take a shipped id. */
export function addItems(knowledge: Knowledge, added: Evidence[]): Knowledge {
  return added.length === 0 ? knowledge : buildKnowledge([...knowledge.items, ...added], knowledge.leading);
}

/** Indexes items by id and alias; a name used twice is an error that says by whom. */
export function buildKnowledge(items: Evidence[], leading: ReadonlySet<string> = new Set()): Knowledge {
  const byName = new Map<string, Evidence>();
  for (const item of items) {
    for (const name of [item.id, ...item.aliases]) {
      const key = writeKey(name);
      const holder = byName.get(key);
      if (holder && holder !== item) {
        throw new ParleyError(
          "bad_input",
          `"${name}" names both ${holder.id} and ${item.id}; ids and aliases must be unique`,
        );
      }
      byName.set(key, item);
    }
  }
  return { items, leading, find: (reference) => byName.get(writeKey(reference)) ?? null };
}

function readShipped(): Knowledge {
  const collections = readdirSync(folder)
    .toSorted()
    .map((file) => CollectionSchema.parse(JSON.parse(readFileSync(new URL(file, folder), "utf8"))));
  return buildKnowledge(collections.flatMap(completeItems), new Set(collections.flatMap(listLeading)));
}

function writeKey(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, "-");
}
