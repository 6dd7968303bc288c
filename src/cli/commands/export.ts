import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { Command, Option } from "commander";
import { exportJson } from "../../runs/export-run.ts";
import { readRun } from "../../runs/read-run.ts";
import type { Io } from "../io.ts";
import { withStoreOption } from "../options.ts";
import { openStore, userConfig } from "../setting.ts";

type Options = { store?: string; format: "json"; out?: string };

/** `parley export RUN` */
export function command(io: Io): Command {
  return withStoreOption(new Command("export").description("Writes a run to a file, or to stdout."))
    .argument("<run>", "a run's id, or the beginning of it")
    .addOption(new Option("--format <format>", "what to write").choices(["json"]).default("json"))
    .option("--out <file>", "where to")
    .action(async (id: string, options: Options) => {
      const store = openStore(io, options, userConfig(io, {}));
      try {
        const text = `${JSON.stringify(await exportJson(store, await readRun(store, id)), null, 2)}\n`;
        if (options.out === undefined) io.out(text);
        else writeFileSync(resolve(io.cwd, options.out), text);
      } finally {
        await store.close();
      }
    });
}
