import { Command } from "commander";
import { hasCode, ParleyError } from "../../contract/error.ts";
import { copyRun } from "../../runs/record/copy-run.ts";
import { isPostgresAddress } from "../../store/postgres-address.ts";
import type { Store } from "../../store/store.ts";
import { formatCount } from "../../text/number-text.ts";
import { listUpkeepCommands } from "../store/upkeep-commands.ts";
import { withStoreOption } from "../setting/options.ts";
import { loadUserConfig, nameStore, openExistingStore, openStore } from "../setting/setting.ts";
import { type Io, pauseBetweenSteps } from "../terminal/io.ts";
import { createProgress } from "../terminal/progress.ts";

type Options = { store?: string; config?: string };

/** `parley store info | compact | backup | restore | migrate | copy` */
export function command(io: Io): Command {
  const store = new Command("store").description("Looks after where runs are kept.");
  for (const one of listUpkeepCommands(io)) store.addCommand(one);
  store.addCommand(
    withStoreOption(new Command("migrate"))
      .description("Lays out a store in PostgreSQL, or brings it up to date; run by whoever owns the database.")
      .option("--config <file>", "configuration file")
      .action((options: Options) => migrate(io, options)),
  );
  store.addCommand(
    new Command("copy")
      .description("Copies every run from one store to another, checking that nothing was changed.")
      .argument("<from>", "a folder, or postgres://…")
      .argument("<to>", "a folder, or postgres://…")
      .action((from: string, to: string) => copy(io, from, to)),
  );
  return store.addHelpText("after", examples);
}

async function migrate(io: Io, options: Options): Promise<void> {
  const name = nameStore(io, options, loadUserConfig(io, options));
  if (!isPostgresAddress(name))
    throw new ParleyError("bad_input", "only a store in PostgreSQL is laid out by hand: --store postgres://…");
  const { migrateFleet } = await import("../../fleet/migrate-fleet.ts");
  const { from, to } = await migrateFleet(name);
  io.out(from === to ? `The store is laid out already (layout ${to}).\n` : `Laid out: from layout ${from} to ${to}.\n`);
}

async function copy(io: Io, fromName: string, toName: string): Promise<void> {
  if (fromName === toName) throw new ParleyError("bad_input", "give two different stores");
  const from = await openExistingStore(io, { store: fromName }, {});
  const to = await openStore(io, { store: toName }, {}).catch(async (error: unknown) => {
    await from.close();
    throw error;
  });
  try {
    await copyAll(io, from, to);
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
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

const examples = `
Examples:
  parley store backup runs-2026-11.db          while others go on
  parley store migrate --store postgres://parley@db.example.org/parley
  parley store copy .parley postgres://parley@db.example.org/parley
Run the same line again after a stop: what is there already is left as it is.`;
