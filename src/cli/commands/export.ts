import { resolve } from "node:path";
import { Command, Option } from "commander";
import { loadPack } from "../../packs/registry.ts";
import { exportHtml } from "../../runs/export/export-html.ts";
import { exportJson } from "../../runs/export/export-json.ts";
import { exportJsonl } from "../../runs/export/export-jsonl.ts";
import { exportMarkdown } from "../../runs/export/export-markdown.ts";
import { exportPage } from "../../runs/export/export-page.ts";
import { readRun, type StoredRun } from "../../runs/read-run.ts";
import { replaceFile } from "../../store/replace-file.ts";
import type { Store } from "../../store/store.ts";
import type { Io } from "../io.ts";
import { withStoreOption } from "../options.ts";
import { withStore } from "../with-store.ts";

const writers = { html: exportHtml, md: exportMarkdown, jsonl: exportJsonl };
const formats = ["json", "jsonl", "md", "html"] as const;
type Format = (typeof formats)[number];
type Options = { store?: string; format?: Format; out?: string };

/** `parley export RUN` */
export function command(io: Io): Command {
  return withStoreOption(new Command("export").description("Writes a run to a file, or to stdout."))
    .argument("<run>", "a run's id, or the beginning of it")
    .addOption(
      new Option("--format <format>", "what to write (default: what --out ends in, else json)").choices(formats),
    )
    .option("--out <file>", "where to")
    .addHelpText("after", "\nExample:\n  parley export 2b9x1k --out debate.html     one file to send to a colleague")
    .action(async (id: string, options: Options) =>
      withStore(io, options, async (store) => {
        const text = await exported(store, await readRun(store, id), options.format ?? formatOf(options.out));
        if (options.out === undefined) return io.out(text);
        replaceFile(resolve(io.cwd, options.out), text);
      }),
    );
}

function formatOf(out: string | undefined): Format {
  return formats.find((format) => out?.endsWith(`.${format}`)) ?? "json";
}

async function exported(store: Store, stored: StoredRun, format: Format): Promise<string> {
  if (format === "json") return `${JSON.stringify(await exportJson(store, stored), null, 2)}\n`;
  const pack = await loadPack(stored.run.manifest.pack);
  return writers[format](await exportPage(store, pack, stored));
}
