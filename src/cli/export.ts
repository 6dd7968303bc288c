import { Command, Option } from "commander";
import { extname, resolve } from "node:path";
import { exportFormats } from "../contract/api/index.ts";
import { ParleyError } from "../contract/error.ts";
import { loadPackOf } from "../packs/registry.ts";
import { type ExportFormat, writeExport } from "../runs/export/export-run.ts";
import { locateKey, makeProof, readKey, writeProof } from "../runs/proof.ts";
import { readRun, type StoredRun } from "../runs/read-run.ts";
import { makeReceipt } from "../runs/receipt.ts";
import { replaceFile } from "../store/replace-file.ts";
import type { Store } from "../store/store.ts";
import { formatBytes, formatCount } from "../text/format.ts";
import type { Io } from "./io.ts";
import { withRunsOptions } from "./options.ts";
import { chooseRun, withStore } from "./stores.ts";

type Options = { store?: string; last?: boolean; format?: ExportFormat | "receipt"; out?: string; proof?: string };

const examples = `
Examples:
  parley export --last --out debate.html            one file to send to a colleague
  parley export 2b9x1k --format md | pbcopy         for an issue or a wiki
  parley export 2b9x1k --format receipt --out decision.receipt.json   who spoke, on what evidence, who overruled, the cost
  parley export 2b9x1k --proof run.proof.json       what \`parley-verify\` checks without Parley`;

/** `parley export RUN` */
export function command(io: Io): Command {
  return withRunsOptions(new Command("export").description("Writes a run to a file, or to stdout."))
    .argument("[run]", "a run's id, or the first characters of it")
    .option("--last", "the latest run")
    .addOption(
      new Option("--format <format>", "what to write (default: what --out ends in, else json)").choices([
        ...exportFormats,
        "receipt",
      ]),
    )
    .option("--out <file>", "where to")
    .option("--proof <file>", "write a proof of the run, signed if there is a key (`parley doctor keys`)")
    .addHelpText("after", examples)
    .action(async (given: string | undefined, options: Options) =>
      withStore(io, options, async (store) => {
        const id = await chooseRun(store, given, options.last);
        if (options.proof !== undefined) return exportProof(io, store, id, options as Options & { proof: string });
        const format = options.format ?? guessFormat(options.out);
        const stored = await readRun(store, id);
        const text = format === "receipt" ? await writeReceipt(io, stored) : await writeExport(store, stored, format);
        if (options.out === undefined) return io.out(text);
        replaceFile(resolve(io.cwd, options.out), text);
        const size = formatBytes(Buffer.byteLength(text));
        io.err(`wrote ${options.out}: ${format}, ${formatCount(stored.turns.length, "turn")}, ${size}\n`);
      }),
    );
}

/** One line, so that every byte of it is signed. */
async function writeReceipt(io: Io, stored: StoredRun): Promise<string> {
  const key = readKey(locateKey(io.env));
  if (key === null) io.err("the receipt is not signed: there is no key (`parley doctor keys new`)\n");
  return `${JSON.stringify(makeReceipt(await loadPackOf(stored.run.manifest), stored, key))}\n`;
}

async function exportProof(io: Io, store: Store, id: string, options: Options & { proof: string }): Promise<void> {
  if (options.out !== undefined || options.format !== undefined)
    throw new ParleyError("bad_input", "--proof is a file of its own; give it without --out and --format");
  const key = readKey(locateKey(io.env));
  const stored = await readRun(store, id);
  replaceFile(resolve(io.cwd, options.proof), writeProof(await makeProof(store, stored, key)));
  const how = key ? `signed by ${key.fingerprint}` : "not signed: there is no key (`parley doctor keys new`)";
  io.err(`wrote ${options.proof}, ${how}\n`);
}

const endings: Record<string, ExportFormat> = {
  json: "json",
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
    `--out ${out}: its ending names no format; add --format ${exportFormats.join("|")}, or end it in one of them`,
  );
}
