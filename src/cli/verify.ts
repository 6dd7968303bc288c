import { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import type { Finding } from "../engine/pack.ts";
import { findRun } from "../runs/read-run.ts";
import { verifyRun } from "../runs/verify.ts";
import type { Store } from "../store/store.ts";
import { type Io, pauseBetweenSteps } from "./io.ts";
import { withRunsOptions } from "./options.ts";
import { findStoreFolder, withStore } from "./stores.ts";

type Options = { store?: string; all?: boolean; json?: boolean };

const examples = `
Examples:
  parley verify 2b9x1k            every check of one run
  parley verify --all             what is wrong in the whole store
  parley verify backup/.parley    a store elsewhere

Exit codes: 0 nothing is wrong, 1 something is.`;

/** `parley verify RUN|FOLDER|--all` */
export function command(io: Io): Command {
  return withRunsOptions(
    new Command("verify").description(
      "Checks that runs were not changed since they were written: hash chain, prompts, replayed rules, and the pack's own checks.",
    ),
  )
    .argument("[run]", "a run, or a store folder to check every run in it")
    .option("--all", "every run of the store")
    .option("--json", "every finding as JSON Lines")
    .addHelpText("after", examples)
    .action(async (target: string | undefined, options: Options) => {
      if (target === undefined && !options.all)
        throw new ParleyError("bad_input", "name a run, a store folder, or --all");
      if (target !== undefined && options.all)
        throw new ParleyError("bad_input", `${target} and --all: give one of them`);
      const folder = target === undefined ? null : findStoreFolder(io, target);
      await withStore(io, folder === null ? options : { store: folder }, async (store) => {
        if (target !== undefined && folder === null)
          return verifyAll(io, store, [(await findRun(store, target)).id], options);
        const problems = await verifyStore(io, store, options);
        await verifyAll(io, store, await store.ids(), options, problems);
      });
    });
}

/** What is wrong with the store as a whole, beside its runs. */
async function verifyStore(io: Io, store: Store, { json }: Options): Promise<number> {
  const problems = await store.problems();
  for (const message of problems)
    io.out(
      json
        ? `${JSON.stringify({ run: null, check: "store", ok: false, where: store.location, message })}\n`
        : `store ${store.location}\n  WRONG  ${message}\n`,
    );
  if (problems.length > 0) io.exit.code = 1;
  return problems.length;
}

async function verifyAll(io: Io, store: Store, ids: string[], options: Options, inStore = 0): Promise<void> {
  let wrong = 0;
  for (const id of ids) {
    await pauseBetweenSteps(io);
    const findings = await verifyRun(store, id);
    if (findings.some((finding) => !finding.ok)) wrong += 1;
    if (options.json) for (const finding of findings) io.out(`${JSON.stringify({ run: id, ...finding })}\n`);
    else io.out(runText(id, findings, ids.length === 1));
  }
  const beside = inStore > 0 ? `; ${inStore} wrong in the store itself` : "";
  if (!options.json && (ids.length !== 1 || inStore > 0))
    io.out(`${ids.length} runs, ${wrong} with something wrong${beside}\n`);
  if (wrong > 0) io.exit.code = 1;
}

function runText(id: string, findings: Finding[], verbose: boolean): string {
  const shown = findings.filter((finding) => verbose || !finding.ok);
  const lines = shown.map(
    ({ check, ok, where, message }) =>
      `  ${ok ? "ok   " : "WRONG"}  ${check}  ${where === id ? "" : `${where}: `}${message}`,
  );
  if (lines.length === 0) return "";
  return `${[`run ${id}`, ...lines].join("\n")}\n`;
}
