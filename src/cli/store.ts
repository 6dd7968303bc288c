import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { hasCode, ParleyError } from "../contract/error.ts";
import { copyRun } from "../runs/proof.ts";
import { isPostgresAddress } from "../store/store.ts";
import type { Store } from "../store/store.ts";
import { formatCount } from "../text/format.ts";
import { defineCommand } from "./command.ts";
import { fleetCommand } from "./fleet.ts";
import { type Io, pauseBetweenSteps } from "./io.ts";
import { configOption, storeOption } from "./options.ts";
import { createProgress } from "./progress.ts";
import { loadUserConfig } from "./settings.ts";
import { nameStore, type StoreOptions, withStore } from "./stores.ts";

export function command(io: Io): Command {
  return defineCommand({
    name: "store",
    commands: [
      defineCommand({
        name: "init",
        options: { ...storeOption, ...configOption },
        action: (options) => initialise(io, options),
      }),
      defineCommand({
        name: "copy",
        arguments: { "<from>": "a folder, or postgres://…", "<to>": "a folder, or postgres://…" },
        action: (_, from: string, to: string) => copy(io, from, to),
      }),
      fleetCommand(io),
    ],
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
    withStore(io, { store: toName }, (to) => copyAll(io, from, to), { isRead: false }),
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
