import { Command, Option } from "commander";
import { type Outcome, OutcomeSchema } from "../../contract/result.ts";
import { type Run, type RunStatus, RunStatusSchema } from "../../contract/run.ts";
import { loadPack, packNames, requirePackName } from "../../packs/registry.ts";
import { subjectOf } from "../../runs/run-subject.ts";
import type { Store } from "../../store/store.ts";
import { cutText } from "../../text/short-text.ts";
import type { Io } from "../terminal/io.ts";
import { parseCount, withStoreOption } from "../setting/options.ts";
import { sayDamaged } from "../terminal/say-damaged.ts";
import { openExistingStore, loadUserConfig } from "../setting/setting.ts";

type Options = {
  store?: string;
  pack?: string;
  status?: RunStatus;
  outcome?: Outcome;
  text?: string;
  limit: number;
  json?: boolean;
};

/** `parley runs` */
export function command(io: Io): Command {
  return withStoreOption(new Command("runs").description("Lists runs, newest first."))
    .option("--pack <name>", "only this pack's")
    .addOption(new Option("--status <status>", "only in this state").choices(RunStatusSchema.options))
    .addOption(new Option("--outcome <outcome>", "only with this end").choices(OutcomeSchema.options))
    .option("--text <words>", "only where all words are found: in the case, in one reply or in the decision")
    .option("--limit <number>", "how many", parseCount, 20)
    .option("--json", "as JSON Lines")
    .addHelpText(
      "after",
      '\nExamples:\n  parley runs --pack sentiment --limit 100\n  parley runs --text "connection pool" --outcome decided',
    )
    .action(async (options: Options) => {
      if (options.pack !== undefined) requirePackName(options.pack);
      const store = await openExistingStore(io, options, loadUserConfig(io, {}));
      try {
        const runs = await findRuns(io, store, options);
        if (options.json) for (const run of runs) io.out(`${JSON.stringify(run)}\n`);
        else if (runs.length === 0) io.out(`no runs in ${store.location}\n`);
        else io.out(`${(await Promise.all(runs.map(writeRow))).join("\n")}\n`);
      } finally {
        await store.close();
      }
    });
}

async function findRuns(io: Io, store: Store, { pack, status, outcome, text, limit }: Options): Promise<Run[]> {
  if (status === undefined && outcome === undefined && text === undefined)
    return store.list({ pack, limit }, sayDamaged(io));
  const { runs, damaged } = await store.page({ pack, status, outcome, text, limit });
  for (const { id, error } of damaged) sayDamaged(io)(id, error);
  return runs;
}

async function writeRow(run: Run): Promise<string> {
  const when = run.createdAt.slice(0, 16).replace("T", " ");
  const state = run.outcome ?? (run.status === "running" ? "unfinished" : run.status);
  const { pack, cast } = run.manifest;
  return [run.id, when, pack.padEnd(10), state.padEnd(16), cast, await describeSubject(run)].join("  ").trimEnd();
}

/** What the run was about; of a pack that this Parley does not have, nothing is known. */
async function describeSubject(run: Run): Promise<string> {
  if (!packNames.includes(run.manifest.pack)) return run.caseId ?? "";
  return cutText(subjectOf(await loadPack(run.manifest.pack), run), 60);
}
