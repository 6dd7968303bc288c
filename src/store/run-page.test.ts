import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describePages } from "../../test/support/describe-pages.ts";
import { memoryStore } from "./memory-store.ts";
import { sqliteStore } from "./sqlite/sqlite-store.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-page-"));
let files = 0;

describePages("SQLite", () => sqliteStore(join(folder, `${++files}`, "parley.db")));
describePages("memory", memoryStore);
