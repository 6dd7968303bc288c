import { resolve } from "node:path";
import { Command } from "commander";
import { ParleyError } from "../../contract/error.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { loadPackOf } from "../../packs/registry.ts";
import { requireThreshold } from "../../runs/certificate/certificate.ts";
import { readRun, type StoredRun } from "../../runs/record/read-run.ts";
import { finishedOf, headlineOf } from "../../runs/record/show-run.ts";
import { redecide } from "../../runs/redecide/redecide.ts";
import {
  explainNoChange,
  explainUntried,
  findWhatWouldChange,
  formatLever,
} from "../../runs/redecide/what-would-change.ts";
import type { Store } from "../../store/store.ts";
import { exitCodeOf } from "../terminal/exit-code.ts";
import type { Io } from "../terminal/io.ts";
import { findCertificate, readCertified } from "../setting/certified.ts";
import { collect, type PromiseOptions, withPromiseOptions, withStoreOption } from "../setting/options.ts";
import { writeArtifacts } from "../run/print-result.ts";
import { redecideText } from "../redecide/redecide-text.ts";
import { redecideStore } from "../redecide/redecide-store.ts";
import { findStoreFolder } from "../setting/find-store-folder.ts";
import { withStore } from "../setting/with-store.ts";

export type RedecideOptions = {
  store?: string;
  set: string[];
  json?: boolean;
  pack?: string;
  out?: string;
} & PromiseOptions;

/** `parley redecide RUN|FOLDER` */
export function command(io: Io): Command {
  return withPromiseOptions(
    withStoreOption(
      new Command("redecide").description(
        "Runs the rules again over recorded turns, with changed settings. No call is made.",
      ),
    ),
  )
    .argument("[run]", "a run, or a store folder to redecide every run in it")
    .option("--set <key=value>", "change one setting of the pack; can be repeated", collect, [])
    .option("--pack <name>", "over a folder: only this pack's runs; a file is a pack of your own to know")
    .option("--out <folder>", "write the artifacts of the new decision here")
    .option("--json", "print the changes as JSON; over a folder as JSON Lines")
    .addHelpText("after", examples)
    .action(async (target: string | undefined, options: RedecideOptions) => {
      if (target === undefined)
        throw new ParleyError("bad_input", "name a run, or a store folder such as .parley for every run in it");
      const folder = findStoreFolder(io, target);
      if (folder === null) return withStore(io, options, (store) => redecideOne(io, store, target, options));
      if (options.maxWrong !== undefined && options.certificate === undefined && options.pack === undefined)
        throw new ParleyError("bad_input", "over a folder, --max-wrong needs --pack or --certificate");
      const certificate = findCertificate(io, options, options.pack ?? "");
      if (certificate !== null) {
        options.pack ??= certificate.pack;
        options.set.push(`act_above=${requireThreshold(certificate, options.pack)}`);
      }
      await withStore(io, { store: folder }, (store) => redecideStore(io, store, options));
    });
}

async function redecideOne(io: Io, store: Store, id: string, options: RedecideOptions): Promise<void> {
  const stored = await readRun(store, id);
  const pack = await loadPackOf(stored.run.manifest);
  const { act_above } = readCertified(io, options, pack.name);
  if (act_above !== undefined) options.set.push(`act_above=${act_above}`);
  const done = await redecide(pack, stored, options.set);
  const { finished, ...changes } = done;
  if (options.set.length === 0 && options.out === undefined) return showLevers(io, pack, stored, options);
  if (options.json) io.out(`${JSON.stringify({ run: stored.run.id, ...changes, result: finished.result }, null, 2)}\n`);
  else io.out(redecideText(stored.run.id, done));
  if (options.out !== undefined) writeArtifacts(pack, finished, resolve(io.cwd, options.out));
  io.exit.code = exitCodeOf(finished.result.outcome);
}

/** Without a setting: which single one would make a reader act otherwise. */
async function showLevers(io: Io, pack: AnyPack, stored: StoredRun, options: RedecideOptions): Promise<void> {
  const change = await findWhatWouldChange(pack, stored);
  const { id } = stored.run;
  if (options.json) return io.out(`${JSON.stringify({ run: id, ...change }, null, 2)}\n`);
  const now = Object.entries(headlineOf(pack, finishedOf(stored))).map(([name, text]) => `${name}: ${text}`);
  const lines = change.levers.flatMap((lever) => [
    `  ${formatLever(lever)}`,
    ...lever.flips.map(({ name, before, after }) => `    ${name}: ${before} → ${after}`),
  ]);
  const rest = change.untried.length > 0 ? [`  ${explainUntried(change)}`] : [];
  const body = lines.length > 0 ? [...lines, ...rest] : [`  ${explainNoChange(change)}`];
  const head = `run ${id}, no setting given: each was tried alone over the recorded turns, without a call`;
  io.out(`${[head, "", ...now, "", "what would change it", ...body].join("\n")}\n`);
}

const examples = `
Examples:
  parley redecide 2b9x1k                                    which single setting would change it
  parley redecide 2b9x1k --set debate_override.min_total=1.0
  parley redecide .parley --pack sentiment --set debate_override.profile=t1     what flips, over all runs

Exit codes: as the new outcome's; 1 when a turn would be needed that was never recorded, 2 for a setting that is wrong.`;
