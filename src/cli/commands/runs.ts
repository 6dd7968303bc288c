import { Command } from "commander";
import type { Run } from "../../contract/run.ts";
import type { Io } from "../io.ts";
import { toInteger, withStoreOption } from "../options.ts";
import { openExistingStore, userConfig } from "../setting.ts";

type Options = { store?: string; pack?: string; limit: number; json?: boolean };

/** `parley runs` */
export function command(io: Io): Command {
  return withStoreOption(new Command("runs").description("Lists runs, newest first."))
    .option("--pack <name>", "only this pack's")
    .option("--limit <number>", "how many", toInteger, 20)
    .option("--json", "as JSON Lines")
    .action(async (options: Options) => {
      const store = openExistingStore(io, options, userConfig(io, {}));
      try {
        const runs = await store.list({ pack: options.pack, limit: options.limit });
        if (options.json) for (const run of runs) io.out(`${JSON.stringify(run)}\n`);
        else io.out(runs.length === 0 ? `no runs in ${store.location}\n` : `${runs.map(rowOf).join("\n")}\n`);
      } finally {
        await store.close();
      }
    });
}

function rowOf(run: Run): string {
  const when = run.createdAt.slice(0, 16).replace("T", " ");
  const state = run.outcome ?? (run.status === "running" ? "unfinished" : run.status);
  return [run.id, when, run.manifest.pack.padEnd(10), state.padEnd(16), run.manifest.cast, subject(run)].join("  ");
}

function subject(run: Run): string {
  const input = run.manifest.input as Record<string, unknown>;
  const text = [input.question, input.query, input.text, input.title, run.caseId].find(
    (value): value is string => typeof value === "string",
  );
  const line = (text ?? "").replaceAll(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
