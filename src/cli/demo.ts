import { Command } from "commander";
import { loadPack, listPackNames } from "../packs/registry.ts";
import { castOfStrings } from "../runs/start/cast-of.ts";
import { startRun } from "../runs/start/start-run.ts";
import { memoryStore } from "../store/memory-store.ts";
import { formatDuration } from "../text/duration.ts";
import { formatCount } from "../text/number-text.ts";
import { wrap } from "../text/wrap.ts";
import { type Io, pauseBetweenSteps } from "./io.ts";
import { reportText } from "./run-case.ts";

/** `parley demo` */
export function command(io: Io): Command {
  return new Command("demo")
    .description("Runs every pack on a bundled example with the embedded experts: offline, free, nothing is kept.")
    .option("--pack <name>", "only this pack; one of your own by its name or its file")
    .action(async (options: { pack?: string }) => {
      const started = performance.now();
      const names = options.pack === undefined ? listPackNames() : [options.pack];
      for (const name of names) {
        await pauseBetweenSteps(io);
        await demonstrate(io, name);
      }
      io.out(
        `${"─".repeat(Math.min(io.width, 80))}\n${formatCount(names.length, "debate")} in ${formatDuration(performance.now() - started)}, no model, no key, no network.\n`,
      );
    });
}

async function demonstrate(io: Io, name: string): Promise<void> {
  const pack = await loadPack(name);
  const [example] = pack.examples;
  if (!example) return;
  const store = memoryStore();
  const setting = { store, castOf: castOfStrings(store), signal: io.signal };
  const { runId, finished } = await startRun(setting, {
    pack,
    input: example.input,
    config: example.config,
    cast: "expert",
  });
  const rule = "─".repeat(Math.max(0, Math.min(io.width, 80) - name.length - 4));
  const summary = wrap(pack.summary, io.width).join("\n");
  io.painted(`── ${name} ${rule}\n${summary}\n\n${reportText(io, pack, { runId, finished })}\n`);
}
