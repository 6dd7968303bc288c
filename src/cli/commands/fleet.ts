import { setTimeout as pause } from "node:timers/promises";
import { Command } from "commander";
import { ParleyError } from "../../contract/error.ts";
import type { Fleet } from "../../fleet/open-fleet.ts";
import { requirePackName } from "../../packs/registry.ts";
import { findRun } from "../../runs/record/read-run.ts";
import { formatCount } from "../../text/number-text.ts";
import { type FleetPlace, withFleet } from "../fleet/open-fleet.ts";
import { withStoreOption } from "../setting/options.ts";
import type { Io } from "../terminal/io.ts";

type Options = FleetPlace & { json?: boolean; watch?: boolean };
type RunsOptions = FleetPlace & { batch?: string; dead?: boolean };
type RunToPlay = { id: string; pack: string };

const examples = `
Examples:
  parley fleet --store postgres://… --watch
  parley fleet pause law            hand out no more runs of a pack; without one, none at all
  parley fleet go-on                end every pause
  parley fleet cancel 2b9x1k        take a run out of the queue, or stop it where it is
  parley fleet cancel --batch nightly
  parley fleet retry --dead         hand out again what was given up`;

/** `parley fleet [pause | go-on | cancel | retry]` */
export function command(io: Io): Command {
  const fleet = withStoreOption(
    new Command("fleet").description(
      "Shows the workers of a shared store, what waits, what was spent and what failed.",
    ),
  )
    .option("--config <file>", "configuration file")
    .option("--json", "as JSON")
    .option("--watch", "again every two seconds")
    .addHelpText("after", examples)
    .enablePositionalOptions()
    .action((options: Options) => withFleet(io, options, (opened) => show(io, opened, options)));
  fleet.addCommand(
    placed(new Command("pause"))
      .description("Hands out no more runs, of a pack or at all; what is being played goes on.")
      .argument("[pack]", "a pack")
      .action((pack: string | undefined, options: FleetPlace) => setPause(io, options, pack, "pause")),
  );
  fleet.addCommand(
    placed(new Command("go-on"))
      .description("Hands out runs again.")
      .argument("[pack]", "a pack")
      .action((pack: string | undefined, options: FleetPlace) => setPause(io, options, pack, "resume")),
  );
  fleet.addCommand(
    placed(new Command("cancel"))
      .description("Takes runs out of the queue; one that is being played is stopped, and can be tried again.")
      .argument("[run]", "a run's id, or the beginning of it")
      .option("--batch <name>", "every run of a batch or a study")
      .action((run: string | undefined, options: RunsOptions) => cancel(io, run, options)),
  );
  fleet.addCommand(
    placed(new Command("retry"))
      .description("Puts runs into the queue again.")
      .argument("[run]", "a run's id, or the beginning of it")
      .option("--batch <name>", "every run of a batch or a study that has not ended")
      .option("--dead", "every run that was given up")
      .action((run: string | undefined, options: RunsOptions) => retry(io, run, options)),
  );
  return fleet;
}

function placed(command: Command): Command {
  return withStoreOption(command).option("--config <file>", "configuration file");
}

async function show(io: Io, fleet: Fleet, { json, watch }: Options): Promise<void> {
  const [{ readFleet }, { formatFleet }] = await Promise.all([
    import("../../fleet/watch/read-fleet.ts"),
    import("../fleet/fleet-text.ts"),
  ]);
  for (;;) {
    const state = await readFleet(fleet);
    io.out(json ? `${JSON.stringify(state)}\n` : formatFleet(state));
    if (!watch) return;
    await pause(2_000, undefined, { signal: io.signal }).catch(() => undefined);
    if (io.signal.aborted || io.unread.aborted) return;
    if (!json) io.out("\n");
  }
}

async function setPause(
  io: Io,
  options: FleetPlace,
  pack: string | undefined,
  what: "pause" | "resume",
): Promise<void> {
  await withFleet(io, options, async ({ database }) => {
    const { createPauses, everyPack } = await import("../../fleet/pauses.ts");
    const name = pack === undefined ? everyPack : requirePackName(pack);
    await createPauses(database)[what](name);
    const whose = pack === undefined ? "runs" : `${name} runs`;
    io.out(
      what === "pause"
        ? `No more ${whose} are handed out. Go on with: parley fleet go-on\n`
        : `${pack === undefined ? "Runs" : whose} are handed out.\n`,
    );
  });
}

async function cancel(io: Io, run: string | undefined, options: RunsOptions): Promise<void> {
  await withFleet(io, options, async (fleet) => {
    const cancelled = await fleet.queue.cancel(await findRuns(fleet, run, options));
    if (cancelled.length === 0) throw new ParleyError("bad_input", "nothing of that is in the queue");
    io.out(`${formatCount(cancelled.length, "run")} taken out of the queue.\n`);
  });
}

async function retry(io: Io, run: string | undefined, options: RunsOptions): Promise<void> {
  await withFleet(io, options, async (fleet) => {
    const runs = await findRuns(fleet, run, options);
    for (const one of runs) await fleet.queue.enqueue(one);
    io.out(`${formatCount(runs.length, "run")} put into the queue.\n`);
  });
}

/** The runs that a command is about: one, those of a batch that have not ended, or those that were given up. */
async function findRuns(
  { store, queue }: Fleet,
  run: string | undefined,
  { batch, dead }: RunsOptions,
): Promise<RunToPlay[]> {
  if ([run, batch, dead].filter((given) => given !== undefined).length !== 1)
    throw new ParleyError("bad_input", "name a run, or a batch with --batch");
  if (dead) return (await queue.listDead()).map(({ run: id, pack }) => ({ id, pack }));
  const found = run === undefined ? await store.list({ batch }) : [await findRun(store, run)];
  return found
    .filter(({ status, outcome }) => status !== "finished" || outcome === "failed")
    .map(({ id, manifest }) => ({ id, pack: manifest.pack }));
}
