import { extname } from "node:path";
import type { Command } from "commander";
import { exportFormats } from "../contract/api/index.ts";
import { ParleyError } from "../contract/error.ts";
import { loadPackOf } from "../packs/registry.ts";
import { type ExportFormat, writeExport } from "../runs/export/export-run.ts";
import { locateKey, makeProof, makeReceipt, readKey, writeProof } from "../runs/proof.ts";
import { readRun } from "../runs/read-run.ts";
import { replaceFile } from "../store/replace-file.ts";
import { formatCount } from "../text/format.ts";
import { choice, defineCommand, flag, text } from "./command.ts";
import { type Io, resolveOut } from "./io.ts";
import { runsOptions } from "./options.ts";
import { chooseRun, withStore } from "./stores.ts";

export function command(io: Io): Command {
  return defineCommand({
    name: "export",
    arguments: { "[run]": "a run's id, or the first characters of it" },
    options: {
      last: flag("the latest run"),
      format: choice("<format>", "what to write (default: what --out ends in, else json)", [
        ...exportFormats,
        "receipt",
      ]),
      out: text("<file>", "where to"),
      proof: text("<file>", "write a proof of the run there, signed if there is a key (`parley doctor keys`)"),
      ...runsOptions,
    },
    action: ({ last, format: asked, out: file, proof, ...options }, given: string | undefined) =>
      withStore(io, options, async (store) => {
        const stored = await readRun(store, await chooseRun(store, given, last));
        if (proof !== undefined && (asked ?? file) !== undefined)
          throw new ParleyError(
            "bad_input",
            "--proof FILE writes one file of its own format; leave out --format and --out",
          );
        const out = proof ?? file;
        const format = proof === undefined ? (asked ?? guessFormat(out)) : "proof";
        const isSigned = format === "proof" || format === "receipt";
        const key = isSigned ? readKey(locateKey(io.env)) : null;
        const written =
          format === "proof"
            ? writeProof(await makeProof(store, stored, key))
            : format === "receipt"
              ? // One line, so that every byte of it is signed.
                `${JSON.stringify(makeReceipt(await loadPackOf(stored.run.manifest), stored, key))}\n`
              : await writeExport(store, stored, format);
        const signed = key
          ? `, signed by ${key.fingerprint}`
          : ", not signed: there is no key (`parley doctor keys new`)";
        if (out === undefined) {
          if (isSigned) io.err(`${format}${signed}\n`);
          return io.out(written);
        }
        replaceFile(resolveOut(io, { out }), written);
        io.err(`wrote ${out}: ${format}, ${formatCount(stored.turns.length, "turn")}${isSigned ? signed : ""}\n`);
      }),
  });
}

function guessFormat(out: string | undefined): ExportFormat {
  if (out === undefined) return "json";
  const format = exportFormats.find((one) => extname(out).toLowerCase() === `.${one}`);
  if (format !== undefined) return format;
  throw new ParleyError(
    "bad_input",
    `--out ${out}: unknown file extension; add --format ${exportFormats.join("|")}, or use one of these extensions`,
  );
}
