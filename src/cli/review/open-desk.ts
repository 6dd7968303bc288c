import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isWritable } from "../../store/sqlite/readable-database.ts";
import type { Desk } from "../../store/desk/desk.ts";
import { sqliteDesk } from "../../store/desk/sqlite-desk.ts";
import type { Store } from "../../store/store.ts";

/** The desk beside a store; a store that is not there, or is read-only, has one that is forgotten. */
export function openDesk({ location }: Store): Desk {
  const isKept = existsSync(location) && isWritable(location);
  return sqliteDesk(isKept ? join(dirname(location), "desk.db") : ":memory:");
}
