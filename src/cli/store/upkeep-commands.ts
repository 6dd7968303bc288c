import { join, resolve } from "node:path";
import { Command } from "commander";
import { ParleyError } from "../../contract/error.ts";
import { isPostgresAddress, readAddress } from "../../store/postgres-address.ts";
import { createUpkeep, type Upkeep } from "../../store/sql-upkeep.ts";
import {
  backupStore,
  compactStore,
  fileUpkeep,
  readStoreFacts,
  restoreStore,
  type StoreFacts,
} from "../../store/sqlite-upkeep.ts";
import { withStoreOption } from "../setting/options.ts";
import { loadUserConfig, locateStore, nameStore, waitOptions } from "../setting/setting.ts";
import type { Io } from "../terminal/io.ts";

type Options = { store?: string; json?: boolean; replace?: boolean };

/** The commands of `parley store` that look after a store file. */
export function listUpkeepCommands(io: Io): Command[] {
  return [
    withStoreOption(new Command("info"))
      .description("Says what a store holds and what it takes.")
      .option("--json", "as JSON")
      .action(async (options: Options) => {
        const file = locateFile(io, options, "info");
        const facts = await readStoreFacts(file);
        io.out(options.json ? `${JSON.stringify({ file, ...facts })}\n` : describeFacts(file, facts));
      }),
    withStoreOption(new Command("compact"))
      .description("Gives unused space back.")
      .action(async (options: Options) => {
        const { before, after, left } = await compactStore(locateFile(io, options, "compact"));
        io.out(`${describeBytes(before)} → ${describeBytes(after)}\n${left === null ? "" : `${left}\n`}`);
      }),
    withStoreOption(new Command("backup"))
      .description("Writes the store as it is at this moment to a file, while others go on using it.")
      .argument("<file>", "where to")
      .action(async (to: string, options: Options) => {
        await backupStore(locateFile(io, options, "backup"), resolve(io.cwd, to));
        io.out(`${to} holds the store as it was\n`);
      }),
    withStoreOption(new Command("restore"))
      .description("Puts a backup in the place of the store.")
      .argument("<file>", "a backup")
      .option("--replace", "also when there is a store already")
      .action(async (from: string, options: Options) => {
        const file = locateFile(io, options, "restore");
        await restoreStore(resolve(io.cwd, from), file, options.replace === true);
        io.out(
          `${file} is as ${from} had it, with ${(await readStoreFacts(file)).runs} runs; \`parley verify --all\` checks them\n`,
        );
      }),
  ];
}

/** How a database is looked after with its own tools, by what a folder's store is looked after with. */
const databaseTools = {
  info: "parley fleet shows what is in it, and psql what it takes",
  compact: "psql: VACUUM FULL",
  backup: "pg_dump --format=custom --schema=SCHEMA --schema=SCHEMA_queue --file=FILE, while others go on",
  restore: "pg_restore --dbname=DATABASE FILE, then parley store migrate and parley verify --all",
};

/** The file of the store that is meant; one in PostgreSQL has tools of its own, and they are named. */
function locateFile(io: Io, options: Options, command: keyof typeof databaseTools): string {
  const config = loadUserConfig(io, {});
  const name = nameStore(io, options, config);
  if (!isPostgresAddress(name)) return join(locateStore(io, options, config), "parley.db");
  const { schema, location } = readAddress(name);
  const how = databaseTools[command].replaceAll("SCHEMA", schema).replace("DATABASE", location.split("/").at(-1) ?? "");
  throw new ParleyError("bad_input", `${location} is a database; use its own tools: ${how}`);
}

/** Opens what looks after the runs of the store that is meant, in a folder or a database. */
export async function openUpkeep(io: Io, options: Options): Promise<Upkeep> {
  const config = loadUserConfig(io, {});
  const name = nameStore(io, options, config);
  if (!isPostgresAddress(name)) return fileUpkeep(join(locateStore(io, options, config), "parley.db"));
  const { openPostgres } = await import("../../store/postgres.ts");
  const database = openPostgres(name, waitOptions(io));
  await database
    .persist(() => database.requireLayout())
    .catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
  return createUpkeep(database);
}

function describeFacts(file: string, facts: StoreFacts): string {
  const { runs, byStatus, entries, oldest, newest, fileBytes, logBytes, freeBytes, layout } = facts;
  const states = Object.entries(byStatus).map(([status, count]) => `${count} ${status}`);
  return `${[
    `store    ${file}, layout ${layout}`,
    `runs     ${runs}${states.length > 0 ? ` (${states.join(", ")}), ${entries} entries` : ""}`,
    ...(oldest === null || newest === null ? [] : [`from     ${oldest} to ${newest}`]),
    `size     ${describeBytes(fileBytes)}, log ${describeBytes(logBytes)}, unused ${describeBytes(freeBytes)}`,
  ].join("\n")}\n`;
}

/** Bytes as a person would write them. */
export function describeBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
