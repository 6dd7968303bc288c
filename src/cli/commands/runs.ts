import { Command, Option } from "commander";
import { type Outcome, OutcomeSchema } from "../../contract/result.ts";
import { type Run, type RunStatus, RunStatusSchema } from "../../contract/run.ts";
import { loadPackOf, listPackNames, requirePackName } from "../../packs/registry.ts";
import { describeSubject } from "../../engine/show-by-schema.ts";
import { subjectOf } from "../../runs/record/show-run.ts";
import type { Store } from "../../store/store.ts";
import { cutText } from "../../text/short-text.ts";
import type { Io } from "../terminal/io.ts";
import { parseCount, parseDuration, withStoreOption } from "../setting/options.ts";
import { sayDamaged } from "../terminal/say-damaged.ts";
import { openExistingStore, loadUserConfig } from "../setting/setting.ts";

type Options = {
  store?: string;
  pack?: string;
  status?: RunStatus;
  outcome?: Outcome;
  text?: string;
  since?: string;
  limit: number;
  json?: boolean;
};

/** `parley runs` */
export function command(io: Io): Command {
  return withStoreOption(new Command("runs").description("Lists runs, newest first."))
    .option("--pack <name>", "only this pack's; one of your own by its name or its file")
    .addOption(new Option("--status <status>", "only in this state").choices(RunStatusSchema.options))
    .addOption(new Option("--outcome <outcome>", "only with this end").choices(OutcomeSchema.options))
    .option("--text <words>", "only where all words are found: in the case, in one reply or in the decision")
    .option("--since <time>", "only newer than this: 90m, 12h, 2d, or a date", parseSince)
    .option("--limit <number>", "how many", parseCount, 20)
    .option("--json", "as JSON Lines")
    .addHelpText(
      "after",
      '\nExamples:\n  parley runs --pack sentiment --limit 100\n  parley runs --outcome escalated --since 2d\n  parley runs --text "connection pool" --outcome decided',
    )
    .action(async (options: Options) => {
      const pack = options.pack === undefined ? undefined : requirePackName(options.pack);
      const store = await openExistingStore(io, options, loadUserConfig(io, {}));
      try {
        const runs = await findRuns(io, store, { ...options, pack });
        if (options.json) for (const run of runs) io.out(`${JSON.stringify(run)}\n`);
        else if (runs.length === 0) io.out(`no runs in ${store.location}\n`);
        else io.out(`${(await Promise.all(runs.map(writeRow))).join("\n")}\n`);
      } finally {
        await store.close();
      }
    });
}

async function findRuns(io: Io, store: Store, { pack, status, outcome, text, since, limit }: Options): Promise<Run[]> {
  if ([status, outcome, text, since].every((one) => one === undefined))
    return store.list({ pack, limit }, sayDamaged(io));
  const { runs, damaged } = await store.page({ pack, status, outcome, text, from: since, limit });
  for (const { id, error } of damaged) sayDamaged(io)(id, error);
  return runs;
}

/** A date or time as it is, or the moment that an age reaches back to. */
function parseSince(text: string): string {
  const written = /^\d{4}-\d{2}-\d{2}(?:[T ][\d:.]+Z?)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(written)) return new Date(written).toISOString();
  return new Date(Date.now() - parseDuration(text)).toISOString();
}

async function writeRow(run: Run): Promise<string> {
  const when = run.createdAt.slice(0, 16).replace("T", " ");
  const state = run.outcome ?? (run.status === "running" ? "unfinished" : run.status);
  const { pack, cast } = run.manifest;
  return [run.id, when, pack.padEnd(10), state.padEnd(16), cast, await writeSubject(run)].join("  ").trimEnd();
}

/** What the run was about; of a pack that is not known here, the first words of its case. */
async function writeSubject(run: Run): Promise<string> {
  if (!listPackNames().includes(run.manifest.pack))
    return cutText(describeSubject(run.manifest.input).replaceAll(/\s+/g, " ").trim(), 60);
  return cutText(subjectOf(await loadPackOf(run.manifest), run), 60);
}
