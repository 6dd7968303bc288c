import { extname, resolve } from "node:path";
import { Command, Option } from "commander";
import { ParleyError } from "../../contract/error.ts";
import { loadPack } from "../../packs/registry.ts";
import { exportHtml } from "../../runs/export/export-html.ts";
import { exportJson } from "../../runs/export/export-json.ts";
import { exportJsonl } from "../../runs/export/export-jsonl.ts";
import { exportMarkdown } from "../../runs/export/export-markdown.ts";
import { exportPage } from "../../runs/export/export-page.ts";
import { present } from "../../runs/present-run.ts";
import { readRun, type StoredRun } from "../../runs/read-run.ts";
import { findWhatWouldChange } from "../../runs/what-would-change.ts";
import { replaceFile } from "../../store/replace-file.ts";
import type { Store } from "../../store/store.ts";
import type { Io } from "../terminal/io.ts";
import { withStoreOption } from "../setting/options.ts";
import { withStore } from "../setting/with-store.ts";

const writers = { html: exportHtml, md: exportMarkdown, jsonl: exportJsonl };
const formats = ["json", "jsonl", "md", "html"] as const;
type Format = (typeof formats)[number];
type Options = { store?: string; format?: Format; out?: string };

const examples = `
Examples:
  parley export 2b9x1k --out debate.html            one file to send to a colleague
  parley export 2b9x1k --format md | pbcopy         for an issue or a wiki
  parley export 2b9x1k --format jsonl | jq .type    one event per line`;

/** `parley export RUN` */
export function command(io: Io): Command {
  return withStoreOption(new Command("export").description("Writes a run to a file, or to stdout."))
    .argument("<run>", "a run's id, or the beginning of it")
    .addOption(
      new Option("--format <format>", "what to write (default: what --out ends in, else json)").choices(formats),
    )
    .option("--out <file>", "where to")
    .addHelpText("after", examples)
    .action(async (id: string, options: Options) =>
      withStore(io, options, async (store) => {
        const text = await writeExport(store, await readRun(store, id), options.format ?? guessFormat(options.out));
        if (options.out === undefined) return io.out(text);
        replaceFile(resolve(io.cwd, options.out), text);
      }),
    );
}

const endings: Record<string, Format> = {
  json: "json",
  jsonl: "jsonl",
  ndjson: "jsonl",
  md: "md",
  markdown: "md",
  html: "html",
  htm: "html",
};

function guessFormat(out: string | undefined): Format {
  if (out === undefined) return "json";
  const format = endings[extname(out).slice(1).toLowerCase()];
  if (format !== undefined) return format;
  throw new ParleyError(
    "bad_input",
    `--out ${out}: what it ends in says no format; add --format ${formats.join("|")}, or end it in one of them`,
  );
}

async function writeExport(store: Store, stored: StoredRun, format: Format): Promise<string> {
  if (format === "json") return `${JSON.stringify(await exportJson(store, stored), null, 2)}\n`;
  const pack = await loadPack(stored.run.manifest.pack);
  const { result } = stored;
  const isDocument = format !== "jsonl" && result !== null && result.outcome !== "failed";
  const change = isDocument ? await findWhatWouldChange(pack, stored) : null;
  const page = await exportPage(store, pack, stored, change);
  return present(pack, stored, () => writers[format](page));
}
