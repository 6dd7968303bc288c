import { userInfo } from "node:os";
import { stripVTControlCharacters } from "node:util";
import { Command, Option } from "commander";
import { ParleyError } from "../../contract/error.ts";
import { loadPackOf } from "../../packs/registry.ts";
import { findRun } from "../../runs/record/read-run.ts";
import { claimItem, type InboxItem, listInbox, patientRules } from "../../runs/review/review-inbox.ts";
import { listLabelledCases } from "../../runs/review/review-labels.ts";
import { subjectOf } from "../../runs/record/run-subject.ts";
import type { UserConfig } from "../../runs/settings/user-config.ts";
import type { Fleet } from "../../fleet/open-fleet.ts";
import { isPostgresAddress } from "../../store/postgres-address.ts";
import type { Store } from "../../store/store.ts";
import { cutText } from "../../text/short-text.ts";
import { answerTurn, type ReviewOptions } from "../review/answer-turn.ts";
import { withFleet } from "../fleet/open-fleet.ts";
import { settleRun } from "../review/settle-run.ts";
import { withRunsOptions, withStoreOption } from "../setting/options.ts";
import { loadUserConfig, nameStore } from "../setting/setting.ts";
import { withStore } from "../setting/with-store.ts";
import type { Io } from "../terminal/io.ts";
import { sayDamaged } from "../terminal/say-damaged.ts";

type Options = ReviewOptions & { store?: string; config?: string };

const examples = `
Examples:
  parley review                                            what waits for a person
  parley review 2b9x1k                                     answer it here, field by field
  parley review 2b9x1k --answer '{"answer": "yes", …}'     answer a turn from a script
  parley review 2b9x1k --uphold "I checked both sources"   settle an escalated run
  parley review 2b9x1k --replace "Adat law applies" --gold '{"positions": ["B"]}'
  parley review export --pack law > labelled.jsonl         what reviewers labelled, as cases for a study`;

/** `parley review [RUN]` */
export function command(io: Io): Command {
  const review = withRunsOptions(
    new Command("review").description(
      "Answers what waits for a person: turns cast to one, escalated runs, runs over their budget. The run goes on where it was.",
    ),
  )
    .argument("[run]", "the run to answer (default: choose from what waits, or list it)")
    .option("--answer <json>", "the reply of the waiting turn, instead of asking for it here")
    .addOption(new Option("--uphold <why>", "an escalated run: let its decision stand, and say why"))
    .addOption(new Option("--replace <ruling>", "an escalated run: rule otherwise").conflicts("uphold"))
    .option("--gold <json>", "the right answer, as a dataset writes it: the run becomes a labelled case")
    .option("--reviewer <name>", "who rules (default: the user's name)")
    .option("--config <file>", "configuration file, for endpoints and prices")
    .option("--json", "print the result as JSON")
    .addHelpText("after", examples)
    .action(async (id: string | undefined, options: Options) =>
      isPostgresAddress(nameStore(io, options, loadUserConfig(io, options)))
        ? withFleet(io, options, (fleet, config) => reviewRun(io, { store: fleet.store, config, fleet }, id, options))
        : withStore(io, options, (store, config) => reviewRun(io, { store, config }, id, options)),
    );
  return review.enablePositionalOptions().addCommand(exportCommand(io, review));
}

/** `parley review export --pack NAME` */
function exportCommand(io: Io, review: Command): Command {
  return withStoreOption(
    new Command("export").description("Writes what reviewers labelled as a dataset, one case per line."),
  )
    .requiredOption("--pack <name>", "of which pack; one of your own by its name or its file")
    .addHelpText("after", "\nExample:\n  parley review export --pack law > labelled.jsonl")
    .action(async (options: { store?: string; pack: string }) =>
      withStore(io, { ...review.opts<Options>(), ...options }, async (store) => {
        for await (const row of listLabelledCases(store, options.pack)) io.out(`${JSON.stringify(row)}\n`);
      }),
    );
}

/** `fleet` is there when the store is shared: what comes after an answer is left to its workers. */
type Office = { store: Store; config: UserConfig; fleet?: Fleet };

async function reviewRun(io: Io, office: Office, id: string | undefined, options: Options): Promise<void> {
  const { store } = office;
  const picked = id ?? (await pickFromInbox(io, office, options));
  if (picked === null) return;
  const run = await findRun(store, picked);
  const reviewer = options.reviewer ?? userInfo().username;
  await claimItem(store, run.id, { reviewer, leaseMs }, new Date());
  try {
    if (run.outcome === "escalated") {
      const isSettled = await settleRun(io, store, run.id, { ...options, reviewer });
      if (!isSettled) return void (await store.inbox.release(run.id, reviewer));
    } else if (run.outcome === "budget_exhausted") throw explainBudget(run.id);
    else await answerTurn(io, office, run.id, options);
    await store.inbox.settle(run.id, false);
  } catch (error) {
    await store.inbox.release(run.id, reviewer);
    throw error;
  }
}

/** Who sits at the terminal has this long before somebody else may take the item. */
const leaseMs = 3_600_000;

function explainBudget(id: string): ParleyError {
  return new ParleyError("bad_input", `run ${id} ran out of its budget; go on with: parley resume ${id} --budget …`);
}

/** Lists what waits; at a terminal one of it can be chosen. */
async function pickFromInbox(io: Io, { store }: Office, { json }: Options): Promise<string | null> {
  const items = await listInbox(store, patientRules, new Date(), sayDamaged(io));
  const rows = await Promise.all(items.map(describeWaiting));
  if (json) {
    for (const row of rows) io.out(`${JSON.stringify(row)}\n`);
    return null;
  }
  if (rows.length === 0) io.out("nothing waits for a person\n");
  else if (!io.interactive) io.out(`${rows.map(formatWaiting).join("\n")}\n\nAnswer one with: parley review RUN\n`);
  else {
    const clack = await import("@clack/prompts");
    const options = rows.map((row) => ({ value: row.run, label: formatWaiting(row) }));
    const message = "What waits for you; Ctrl-C leaves it";
    const picked = await clack.select({ message, options, output: process.stderr });
    return clack.isCancel(picked) ? null : picked;
  }
  return null;
}

type Waiting = Pick<InboxItem, "why" | "since" | "claim"> & { run: string; pack: string; subject: string };

async function describeWaiting({ run, why, since, claim }: InboxItem): Promise<Waiting> {
  const pack = await loadPackOf(run.manifest);
  return { run: run.id, pack: pack.name, why, subject: subjectOf(pack, run), since, claim };
}

const words: Record<InboxItem["why"], string> = {
  turn: "a turn waits for its answer",
  escalated: "escalated, waits for a ruling",
  budget: "its budget is spent: go on?",
};

function formatWaiting({ run, pack, why, subject, claim }: Waiting): string {
  const taken = claim === null ? "" : `  (${claim.reviewer} has it)`;
  const line = `${run}  ${pack.padEnd(10)}  ${words[why].padEnd(29)}  ${cutText(subject, 50)}${taken}`;
  return stripVTControlCharacters(line).trimEnd();
}
