import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { hasCode, ParleyError } from "../contract/error.ts";
import { copyRun } from "../runs/copy-run.ts";
import { isPostgresAddress } from "../store/store.ts";
import type { Store } from "../store/store.ts";
import { formatCount } from "../text/format.ts";
import { defineCommand } from "./command.ts";
import { fleetCommand } from "./fleet.ts";
import { type Io, pauseBetweenSteps } from "./io.ts";
import { configOption, storeOption } from "./options.ts";
import { createProgress } from "./progress.ts";
import { loadUserConfig } from "./settings.ts";
import { nameStore, type StoreOptions, withNewStore, withStore } from "./stores.ts";

const examples = `
Examples:
  parley store copy .parley backup-2026-11     a backup, while others go on
  parley store init --store postgres://parley@db.example.org/parley
  parley store copy .parley postgres://parley@db.example.org/parley
  parley store fleet --store postgres://parley@db.example.org/parley
Run the same line again after a stop: what is there already is left as it is.`;

export function command(io: Io): Command {
  return defineCommand({
    name: "store",
    about: "Manages the stores that keep runs.",
    commands: [
      defineCommand({
        name: "init",
        about: "Creates the tables of a store in PostgreSQL, or updates them; needs the owner of the database.",
        options: { ...storeOption, ...configOption },
        action: (options) => initialise(io, options),
      }),
      defineCommand({
        name: "copy",
        about: "Copies every run from one store to another, checking that nothing was changed.",
        arguments: { "<from>": "a folder, or postgres://…", "<to>": "a folder, or postgres://…" },
        action: (_, from: string, to: string) => copy(io, from, to),
      }),
      fleetCommand(io),
    ],
    examples,
  });
}

async function initialise(io: Io, options: StoreOptions): Promise<void> {
  const name = nameStore(io, options, loadUserConfig(io, options));
  if (!isPostgresAddress(name))
    throw new ParleyError("bad_input", "only a PostgreSQL store needs init: --store postgres://…");
  const { migrateFleet } = await import("../fleet/fleet.ts");
  const { from, to } = await migrateFleet(name);
  io.out(from === to ? `The store is up to date (layout ${to}).\n` : `Updated from layout ${from} to ${to}.\n`);
}

async function copy(io: Io, fromName: string, toName: string): Promise<void> {
  if (fromName === toName) throw new ParleyError("bad_input", "give two different stores");
  if (!isPostgresAddress(fromName) && !existsSync(join(resolve(io.cwd, fromName), "parley.db")))
    throw new ParleyError("bad_input", `${fromName}: no store there (no parley.db)`);
  await withStore(io, { store: fromName }, (from) =>
    withNewStore(io, { store: toName }, (to) => copyAll(io, from, to)),
  );
}

async function copyAll(io: Io, from: Store, to: Store): Promise<void> {
  const ids = await from.ids();
  const held = new Set((await from.held()).filter(({ state }) => state === "held").map(({ run }) => run));
  const counts = { copied: 0, "there already": 0, "being run": 0, wrong: 0 };
  const progress = createProgress(io, false);
  for (const id of ids) {
    await pauseBetweenSteps(io);
    try {
      counts[await copyRun(from, to, id, held)] += 1;
    } catch (error) {
      if (!hasCode(error, "corrupt_store") && !hasCode(error, "bad_input")) throw error;
      counts.wrong += 1;
      progress.clear();
      io.err(`parley: ${error.message}\n`);
    }
    progress.line(`${counts.copied} of ${ids.length} runs copied`);
  }
  progress.clear();
  const said = [
    `${formatCount(counts.copied, "run")} copied to ${to.location}`,
    ...(counts["there already"] > 0 ? [`${counts["there already"]} were there already`] : []),
    ...(counts["being run"] > 0 ? [`${counts["being run"]} are being run and were left out`] : []),
    ...(counts.wrong > 0 ? [`${counts.wrong} could not be copied`] : []),
  ];
  io.out(`${said.join("; ")}.\n`);
  if (counts.wrong > 0) io.exit.code = 1;
}
