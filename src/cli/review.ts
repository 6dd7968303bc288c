import { Command, Option } from "commander";
import { existsSync, readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ParleyError, hasCode } from "../contract/error.ts";
import type { DebateResult } from "../contract/result.ts";
import type { Run } from "../contract/run.ts";
import { type Problem, turnIdOf, type TurnKey } from "../contract/turn.ts";
import { splitCast, stopWhenLeft } from "../fleet/leave-to-workers.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { loadPackOf } from "../packs/registry.ts";
import { openTerminalPerson, type PersonPort } from "../players/person.ts";
import { type Contested, contestRun } from "../runs/contest.ts";
import { findRun, readRun } from "../runs/read-run.ts";
import { subjectOf } from "../runs/show-run.ts";
import {
  claimItem,
  type InboxItem,
  type Judgement,
  listInbox,
  listLabelledCases,
  makeRuling,
  patientRules,
  ruleOnRun,
} from "../runs/review.ts";
import { answerOnce, explainProblem, parseReply } from "../runs/review-turn.ts";
import type { UserConfig } from "../runs/user-config.ts";
import { castOfStrings } from "../runs/cast.ts";
import { type CastOf, continueRun } from "../runs/start.ts";
import { isPostgresAddress } from "../store/store.ts";
import type { Store } from "../store/store.ts";
import { cutText } from "../text/format.ts";
import { type Io, sayDamaged, throwIfStopped } from "./io.ts";
import { collect, withRunsOptions, withStoreOption } from "./options.ts";
import { printResult, reportOf } from "./run-case.ts";
import { loadUserConfig, makeRunSetting, tellKeyUse } from "./settings.ts";
import { nameStore, withFleet, withStore } from "./stores.ts";

type Options = ReviewOptions & { store?: string; config?: string };

const examples = `
Examples:
  parley review                                            what waits for a person
  parley review 2b9x1k                                     answer it here, field by field
  parley review 2b9x1k --answer '{"answer": "yes", …}'     answer a turn from a script
  parley review 2b9x1k --uphold "I checked both sources"   settle an escalated run
  parley review 2b9x1k --replace "Adat law applies" --gold '{"positions": ["B"]}'
  parley review contest 2b9x1k --because "C2 cites a repealed article" --evidence repeal.txt --target C2
  parley review export --pack law > labelled.jsonl         what reviewers labelled, as cases for a study`;

/** `parley review [RUN]` */
export function command(io: Io): Command {
  const review = withRunsOptions(
    new Command("review").description(
      "Answers whatever waits for a person: turns cast to one, escalated runs, runs out of budget. The run then continues.",
    ),
  )
    .argument("[run]", "the run to answer (default: choose from those waiting, or list them)")
    .option("--answer <json>", "the reply of the waiting turn, instead of asking for it here")
    .addOption(new Option("--uphold <why>", "an escalated run: let its decision stand, and say why"))
    .addOption(
      new Option("--replace <ruling>", "an escalated run: replace its decision with this ruling").conflicts("uphold"),
    )
    .option("--overrule <why>", "with --answer: let it stand although it breaks a rule, and say why")
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
  return review.addCommand(contestCommand(io, review)).addCommand(exportCommand(io, review));
}

type ContestOptions = Options & { because: string; evidence: string[]; target: string[] };

/** `parley review contest RUN` */
function contestCommand(io: Io, review: Command): Command {
  return withRunsOptions(
    new Command("contest").description(
      "Contests a decided run: the roles whose statements it concerns are asked again, in a branch.",
    ),
  )
    .argument("<run>", "the run to contest")
    .requiredOption("--because <statement>", "what is wrong with the decision")
    .option("--evidence <file|text>", "evidence for that; can be repeated", collect, [])
    .option("--target <what>", "a claim, a quote, a rule or a turn that it is against; can be repeated", collect, [])
    .option("--json", "print the result as JSON")
    .addHelpText(
      "after",
      '\nExample:\n  parley review contest 2b9x1k --because "C2 cites a repealed article" --target C2',
    )
    .action(async (id: string, given: ContestOptions) => {
      const options = { ...review.opts<Options>(), ...given };
      await withStore(io, options, async (store, config) => {
        const stored = await readRun(store, id);
        const contest = {
          by: options.reviewer ?? userInfo().username,
          statement: options.because,
          evidence: options.evidence.map((one) => readEvidence(io, one)),
          targets: options.target,
        };
        const pack = await loadPackOf(stored.run.manifest);
        const done = await contestRun(makeRunSetting(io, store, config), pack, stored, contest);
        io.out(options.json ? `${JSON.stringify(done)}\n` : formatContested(done));
      });
    });
}

/** Evidence is a file that is there, else the words themselves. */
function readEvidence(io: Io, given: string): string {
  const file = resolve(io.cwd, given);
  const text = existsSync(file) && statSync(file).isFile() ? readFileSync(file, "utf8") : given;
  if (text.length <= 20_000) return text;
  throw new ParleyError("bad_input", `--evidence ${cutText(given, 60)} is too long; give the part that matters`);
}

function formatContested({ branch, touches, asked, why }: Contested): string {
  const { claims, quotes, rules, turns } = touches;
  const touched = [
    ...claims.map(({ turn, name, text }) => `  ${name} (${turn}): ${cutText(text, 90)}`),
    ...quotes.map(({ source, quote }) => `  quote from ${source}: ${cutText(quote, 90)}`),
    ...rules.map((rule) => `  rule ${rule}`),
    ...(claims.length === 0 ? turns.map((turn) => `  ${turn}`) : []),
  ];
  const heads = touched.length > 0 ? ["It touches:", ...touched] : [];
  const again = branch === null ? [] : [`Asked again in run ${branch}: ${asked.join(", ")}`];
  return stripVTControlCharacters(`${[...heads, ...again, ...why].join("\n")}\n`);
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

/** `fleet` is set when the store is shared: its workers then continue the run. */
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
    else await answerTurn(io, office, run.id, { ...options, reviewer });
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

/** How a review is given on the command line. */
export type ReviewOptions = {
  answer?: string;
  overrule?: string;
  uphold?: string;
  replace?: string;
  gold?: string;
  reviewer?: string;
  json?: boolean;
};

/** `fleet` is there when workers play the runs of the store. */
type Surroundings = { store: Store; config: UserConfig; fleet?: Fleet };

/** Answers a waiting turn, here or with what was given, and prints how the run went on. */
export async function answerTurn(io: Io, office: Surroundings, id: string, options: ReviewOptions): Promise<void> {
  const run = await findRun(office.store, id);
  if (run.status === "finished" || (office.fleet && run.status !== "waiting"))
    throw new ParleyError("bad_input", `run ${run.id} waits for nobody: it is ${run.outcome ?? run.status}`);
  if (options.answer === undefined && !io.interactive)
    throw new ParleyError("bad_input", "there is no terminal to ask at; give the reply with --answer '{…}'");
  await goOn(io, office, run, options);
}

/** Goes on with the answer; where workers play, what comes after it is left to them. */
async function goOn(io: Io, { store, config, fleet }: Surroundings, run: Run, options: ReviewOptions): Promise<void> {
  const left = new AbortController();
  const { answer, reviewer: by, overrule: why } = options;
  const overrule = why === undefined ? {} : { overrule: { by: by ?? "person", why } };
  const person = answer === undefined ? openTerminalPerson(by) : answerWith(io, answer, { by, ...overrule });
  const people = fleet && person ? splitCast(person, Infinity) : { person };
  const { endpoints, prices } = config;
  const plain = castOfStrings(store, { env: io.env, endpoints, prices, ...people }, tellKeyUse(io));
  const castOf: CastOf = fleet ? async (...cast) => stopWhenLeft(await plain(...cast), () => left.abort()) : plain;
  const signal = AbortSignal.any([io.signal, left.signal]);
  const pack = await loadPackOf(run.manifest);
  try {
    printResult(io, options, pack, await continueRun({ store, castOf, signal }, pack, run.id));
  } catch (error) {
    if (!fleet || !left.signal.aborted || !hasCode(error, "interrupted")) throw error;
    await fleet.queue.enqueue({ id: run.id, pack: pack.name });
    io.out(`The answer is taken; run ${run.id} goes on with a worker: parley show ${run.id}\n`);
  }
}

/** A person with one given answer; its problems are reported. */
function answerWith(io: Io, text: string, who: Pick<PersonPort, "by" | "overrule">): PersonPort {
  const onRefused = (key: TurnKey, problems: Problem[]): void => {
    const lines = problems.map((problem) => `  ${explainProblem(problem)}\n`).join("");
    const advice = 'Mend it and answer again, or let it stand with --overrule "why".';
    io.err(`parley: the answer to ${turnIdOf(key)} breaks a rule and was not taken:\n${lines}${advice}\n`);
  };
  return answerOnce(parseReply(text), onRefused, who);
}

type SettleOptions = ReviewOptions & { reviewer: string };

/** Settles an escalated run with what was given, or by asking here; false when it is left as it is. */
export async function settleRun(io: Io, store: Store, id: string, options: SettleOptions): Promise<boolean> {
  const stored = await readRun(store, id);
  const pack = await loadPackOf(stored.run.manifest);
  const { input, config } = stored.run.manifest;
  const finished = { input, material: stored.material, config, result: stored.result as never, turns: stored.turns };
  const report = reportOf({ width: io.width, color: false }, pack, { runId: id, finished });
  const judgement = readJudgement(options) ?? (await askJudgement(io, report, options));
  if (!judgement) {
    io.err(`run ${id} stays escalated\n`);
    return false;
  }
  const ruling = makeRuling(pack, stored.result as DebateResult, judgement, false);
  const result = await ruleOnRun(store, id, ruling);
  printResult(io, options, pack, { runId: id, finished: { ...finished, result } });
  return true;
}

function readJudgement({ uphold, replace, gold, reviewer }: SettleOptions): Judgement | null {
  const right = gold === undefined ? {} : { gold: parseGold(gold) };
  if (uphold !== undefined) return { verdict: "uphold", why: uphold, reviewer, ...right };
  return replace === undefined ? null : { verdict: "correct", why: replace, reviewer, ...right };
}

function parseGold(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ParleyError("bad_input", `--gold is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

async function askJudgement(io: Io, report: string, options: SettleOptions): Promise<Judgement | null> {
  if (!io.interactive)
    throw new ParleyError("bad_input", "there is no terminal to ask at; give --uphold WHY or --replace RULING");
  const clack = await import("@clack/prompts");
  io.err(`${report}\n`);
  const choices = [
    { value: "uphold" as const, label: "let the decision stand" },
    { value: "correct" as const, label: "replace it with another ruling" },
    { value: "later" as const, label: "leave it for later" },
  ];
  const verdict = await clack.select({
    message: "This run was escalated. What do you rule?",
    options: choices,
    output: process.stderr,
    signal: io.signal,
  });
  if (clack.isCancel(verdict) || verdict === "later") return returnNothing(io);
  const why = await clack.text({ message: "Your ruling, and why", output: process.stderr, signal: io.signal });
  if (clack.isCancel(why)) return returnNothing(io);
  return !why ? null : { verdict, why, reviewer: options.reviewer };
}

/** Leaving a question is no ruling; being stopped is an interruption. */
function returnNothing(io: Io): null {
  throwIfStopped(io);
  return null;
}
