import { userInfo } from "node:os";
import { stripVTControlCharacters } from "node:util";
import { Command, Option } from "commander";
import { ParleyError } from "../../contract/error.ts";
import { type Problem, type TurnKey, turnIdOf } from "../../contract/turn.ts";
import { loadPack } from "../../packs/registry.ts";
import type { PersonPort } from "../../players/person/person-player.ts";
import { parked } from "../../players/person/person-player.ts";
import { castOfStrings } from "../../runs/cast-of.ts";
import { findRun, readRun } from "../../runs/read-run.ts";
import { listWaiting, type Ruling, ruleOnRun } from "../../runs/review-run.ts";
import { subjectOf } from "../../runs/run-subject.ts";
import { continueRun } from "../../runs/start-run.ts";
import type { UserConfig } from "../../runs/user-config.ts";
import type { Store } from "../../store/store.ts";
import { cutText } from "../../text/short-text.ts";
import { openFollowers } from "../terminal/followers.ts";
import { throwIfStopped, type Io } from "../terminal/io.ts";
import { withStoreOption } from "../setting/options.ts";
import { printResult } from "../run/print-result.ts";
import { sayDamaged } from "../terminal/say-damaged.ts";
import { makeRunSetting } from "../setting/setting.ts";
import { withStore } from "../setting/with-store.ts";
import { reportText } from "../run/report-text.ts";

type Options = {
  store?: string;
  config?: string;
  answer?: string;
  uphold?: string;
  replace?: string;
  reviewer?: string;
  json?: boolean;
};

const examples = `
Examples:
  parley review                                            what waits for a person
  parley review 2b9x1k                                     answer it here, field by field
  parley review 2b9x1k --answer '{"answer": "yes", …}'     answer a turn from a script
  parley review 2b9x1k --uphold "I checked both sources"   settle an escalated run`;

/** `parley review [RUN]` */
export function command(io: Io): Command {
  return withStoreOption(
    new Command("review").description(
      "Answers what waits for a person: turns cast to one, and escalated runs. The run goes on where it was.",
    ),
  )
    .argument("[run]", "the run to answer (default: choose from what waits, or list it)")
    .option("--answer <json>", "the reply of the waiting turn, instead of asking for it here")
    .addOption(new Option("--uphold <why>", "an escalated run: let its decision stand, and say why"))
    .addOption(new Option("--replace <ruling>", "an escalated run: rule otherwise").conflicts("uphold"))
    .option("--reviewer <name>", "who rules (default: the user's name)")
    .option("--config <file>", "configuration file, for endpoints and prices")
    .option("--json", "print the result as JSON")
    .addHelpText("after", examples)
    .action(async (id: string | undefined, options: Options) =>
      withStore(io, options, async (store, config) => {
        const picked = id ?? (await pickFromInbox(io, store, options));
        if (picked === null) return;
        const run = await findRun(store, picked);
        if (run.outcome === "escalated") await settle(io, store, run.id, options);
        else await answer(io, store, config, run.id, options);
      }),
    );
}

/** Lists what waits; at a terminal one of it can be chosen. */
async function pickFromInbox(io: Io, store: Store, { json }: Options): Promise<string | null> {
  const rows = await Promise.all((await listWaiting(store, sayDamaged(io))).map(describeWaiting));
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

type Waiting = { run: string; pack: string; why: "turn" | "escalated"; subject: string };

async function describeWaiting({ run, why }: Awaited<ReturnType<typeof listWaiting>>[number]): Promise<Waiting> {
  const pack = await loadPack(run.manifest.pack);
  return { run: run.id, pack: pack.name, why, subject: subjectOf(pack, run) };
}

function formatWaiting({ run, pack, why, subject }: Waiting): string {
  const what = why === "turn" ? "a turn waits for its answer" : "escalated, waits for a ruling";
  return stripVTControlCharacters(`${run}  ${pack.padEnd(10)}  ${what.padEnd(29)}  ${cutText(subject, 50)}`).trimEnd();
}

async function answer(io: Io, store: Store, config: UserConfig, id: string, options: Options): Promise<void> {
  const run = await findRun(store, id);
  if (run.status === "finished")
    throw new ParleyError("bad_input", `run ${run.id} waits for nobody: it is ${run.outcome}`);
  const pack = await loadPack(run.manifest.pack);
  const base = makeRunSetting(io, store, config);
  const { endpoints, prices } = config;
  const setting =
    options.answer === undefined
      ? base
      : {
          ...base,
          castOf: castOfStrings(store, { env: io.env, endpoints, prices, person: answerOnce(io, options.answer) }),
        };
  if (options.answer === undefined && !io.interactive)
    throw new ParleyError("bad_input", "there is no terminal to ask at; give the reply with --answer '{…}'");
  const followers = await openFollowers(io, true);
  try {
    printResult(io, options, pack, await continueRun({ ...setting, onEvent: followers.trace }, pack, run.id));
  } finally {
    await followers.close();
  }
}

/** A person whose one reply is known; a second turn waits again. */
function answerOnce(io: Io, text: string): PersonPort {
  let reply: unknown;
  try {
    reply = JSON.parse(text);
  } catch (cause) {
    throw new ParleyError("bad_input", `--answer is not valid JSON: ${(cause as Error).message}`, { cause });
  }
  let isGiven = false;
  return {
    answer: async (form) => {
      if (isGiven) {
        if (form.earlier !== null) io.err(explainRefusal(form.key, form.earlier.problems));
        throw parked(form.key);
      }
      isGiven = true;
      return reply;
    },
  };
}

function explainRefusal(key: TurnKey, problems: Problem[]): string {
  const lines = problems.map(({ path, message }) => `  ${path?.length ? `${path.join(".")}: ` : ""}${message}\n`);
  return `parley: the answer to ${turnIdOf(key)} could not be used:\n${lines.join("")}One more that cannot be used is an abstention.\n`;
}

async function settle(io: Io, store: Store, id: string, options: Options): Promise<void> {
  const stored = await readRun(store, id);
  const pack = await loadPack(stored.run.manifest.pack);
  const { input, config } = stored.run.manifest;
  const ruling =
    readRuling(options) ??
    (await askRuling(
      io,
      reportText({ width: io.width, color: false }, pack, {
        runId: id,
        finished: { input, config, result: stored.result as never, turns: stored.turns },
      }),
      options,
    ));
  if (!ruling) return io.err(`run ${id} stays escalated\n`);
  const result = await ruleOnRun(store, id, ruling);
  printResult(io, options, pack, { runId: id, finished: { input, config, result, turns: stored.turns } });
}

function readRuling(options: Options): Ruling | null {
  const reviewer = nameReviewer(options);
  if (options.uphold !== undefined) return { verdict: "upheld", ruling: options.uphold, reviewer };
  return options.replace === undefined ? null : { verdict: "replaced", ruling: options.replace, reviewer };
}

async function askRuling(io: Io, report: string, options: Options): Promise<Ruling | null> {
  if (!io.interactive)
    throw new ParleyError("bad_input", "there is no terminal to ask at; give --uphold WHY or --replace RULING");
  const clack = await import("@clack/prompts");
  io.err(`${report}\n`);
  const choices = [
    { value: "upheld" as const, label: "let the decision stand" },
    { value: "replaced" as const, label: "rule otherwise" },
    { value: "later" as const, label: "leave it for later" },
  ];
  const verdict = await clack.select({
    message: "This run was escalated. What do you rule?",
    options: choices,
    output: process.stderr,
    signal: io.signal,
  });
  if (clack.isCancel(verdict) || verdict === "later") return returnNothing(io);
  const ruling = await clack.text({ message: "Your ruling, and why", output: process.stderr, signal: io.signal });
  if (clack.isCancel(ruling)) return returnNothing(io);
  return !ruling ? null : { verdict, ruling, reviewer: nameReviewer(options) };
}

/** Leaving a question is no ruling; being stopped is an interruption. */
function returnNothing(io: Io): null {
  throwIfStopped(io);
  return null;
}

function nameReviewer(options: Options): string {
  return options.reviewer ?? userInfo().username;
}
