import { extname, resolve } from "node:path";
import { Command, Option } from "commander";
import { exportFormats } from "../../contract/api/index.ts";
import { ParleyError } from "../../contract/error.ts";
import { type ExportFormat, writeExport } from "../../runs/export/write-export.ts";
import { readRun } from "../../runs/read-run.ts";
import { replaceFile } from "../../store/replace-file.ts";
import { formatBytes, formatCount } from "../../text/number-text.ts";
import type { Io } from "../terminal/io.ts";
import { withRunsOptions } from "../setting/options.ts";
import { withStore } from "../setting/with-store.ts";

type Options = { store?: string; format?: ExportFormat; out?: string };

const examples = `
Examples:
  parley export 2b9x1k --out debate.html            one file to send to a colleague
  parley export 2b9x1k --format md | pbcopy         for an issue or a wiki
  parley export 2b9x1k --format jsonl | jq .type    one event per line`;

/** `parley export RUN` */
export function command(io: Io): Command {
  return withRunsOptions(new Command("export").description("Writes a run to a file, or to stdout."))
    .argument("<run>", "a run's id, or the beginning of it")
    .addOption(
      new Option("--format <format>", "what to write (default: what --out ends in, else json)").choices(exportFormats),
    )
    .option("--out <file>", "where to")
    .addHelpText("after", examples)
    .action(async (id: string, options: Options) =>
      withStore(io, options, async (store) => {
        const format = options.format ?? guessFormat(options.out);
        const stored = await readRun(store, id);
        const text = await writeExport(store, stored, format);
        if (options.out === undefined) return io.out(text);
        replaceFile(resolve(io.cwd, options.out), text);
        const size = formatBytes(Buffer.byteLength(text));
        io.err(`wrote ${options.out}: ${format}, ${formatCount(stored.turns.length, "turn")}, ${size}\n`);
      }),
    );
}

const endings: Record<string, ExportFormat> = {
  json: "json",
  jsonl: "jsonl",
  ndjson: "jsonl",
  md: "md",
  markdown: "md",
  html: "html",
  htm: "html",
};

function guessFormat(out: string | undefined): ExportFormat {
  if (out === undefined) return "json";
  const format = endings[extname(out).slice(1).toLowerCase()];
  if (format !== undefined) return format;
  throw new ParleyError(
    "bad_input",
    `--out ${out}: what it ends in says no format; add --format ${exportFormats.join("|")}, or end it in one of them`,
  );
}
