import { join, resolve } from "node:path";
import { Command } from "commander";
import { ParleyError } from "../../contract/error.ts";
import { isPostgresAddress } from "../../store/postgres/address.ts";
import { backupStore, restoreStore } from "../../store/upkeep/copy-file.ts";
import { compactStore, readStoreFacts, type StoreFacts } from "../../store/upkeep/store-facts.ts";
import { withStoreOption } from "../setting/options.ts";
import { loadUserConfig, locateStore, nameStore } from "../setting/setting.ts";
import type { Io } from "../terminal/io.ts";

type Options = { store?: string; json?: boolean; replace?: boolean };

/** The commands of `parley store` that look after a store file. */
export function listUpkeepCommands(io: Io): Command[] {
  return [
    withStoreOption(new Command("info"))
      .description("Says what a store holds and what it takes.")
      .option("--json", "as JSON")
      .action((options: Options) => {
        const file = locateFile(io, options);
        const facts = readStoreFacts(file);
        io.out(options.json ? `${JSON.stringify({ file, ...facts })}\n` : describeFacts(file, facts));
      }),
    withStoreOption(new Command("compact"))
      .description("Gives unused space back.")
      .action((options: Options) => {
        const { before, after, isClean } = compactStore(locateFile(io, options));
        io.out(`${describeBytes(before)} → ${describeBytes(after)}\n${isClean ? "" : `${inUse}\n`}`);
      }),
    withStoreOption(new Command("backup"))
      .description("Writes the store as it is at this moment to a file, while others go on using it.")
      .argument("<file>", "where to")
      .action((to: string, options: Options) => {
        backupStore(locateFile(io, options), resolve(io.cwd, to));
        io.out(`${to} holds the store as it was\n`);
      }),
    withStoreOption(new Command("restore"))
      .description("Puts a backup in the place of the store.")
      .argument("<file>", "a backup")
      .option("--replace", "also when there is a store already")
      .action((from: string, options: Options) => {
        const file = locateFile(io, options);
        restoreStore(resolve(io.cwd, from), file, options.replace === true);
        io.out(
          `${file} is as ${from} had it, with ${readStoreFacts(file).runs} runs; \`parley verify --all\` checks them\n`,
        );
      }),
  ];
}

/** What is said when a log could not be emptied. */
export const inUse =
  "Another process has the store open: what was deleted is in its log until that one closes it, or `parley store compact` is run then.";

/** The file of the store that is meant; a store in PostgreSQL is looked after by the database's own tools. */
export function locateFile(io: Io, options: Options): string {
  const config = loadUserConfig(io, {});
  if (isPostgresAddress(nameStore(io, options, config)))
    throw new ParleyError(
      "bad_input",
      "this is for a store in a folder; a database is looked after with its own tools",
    );
  return join(locateStore(io, options, config), "parley.db");
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
