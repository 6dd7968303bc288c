import { existsSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Command } from "commander";
import { ReasonSchema, ReviewerSchema } from "../contract/api/reviews.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { DebateResult } from "../contract/result.ts";
import type { Run } from "../contract/run.ts";
import { describeProblem } from "../contract/turn.ts";
import { playedByWorkers } from "../fleet/run-worker.ts";
import { loadPackOf } from "../packs/registry.ts";
import { nameTurn, openTerminalPerson, type PersonPort } from "../players/person.ts";
import { castOfStrings } from "../runs/cast.ts";
import { buildContestSections, contestRun } from "../runs/contest.ts";
import { findRun, readRun } from "../runs/read-run.ts";
import {
  answerOnce,
  claimItem,
  type InboxItem,
  type Judgement,
  listInbox,
  listLabelledCases,
  makeRuling,
  ruleOnRun,
} from "../runs/review.ts";
import { checkValue } from "../runs/settings.ts";
import { finishedOf, subjectOf } from "../runs/show-run.ts";
import { continueRun } from "../runs/start.ts";
import { isPostgresAddress, type Store } from "../store/store.ts";
import { cutText } from "../text/format.ts";
import { defineCommand, flag, type Given, list, required, text } from "./command.ts";
import { askPerson, type Io, parseGivenJson, readNamedFile, sayDamaged } from "./io.ts";
import { configOption, runsOptions, storeOption } from "./options.ts";
import { printResult, reportOf } from "./run-case.ts";
import { loadUserConfig, reportKeyUse } from "./settings.ts";
import { nameStore, type Runs, withRuns, withStore } from "./stores.ts";

const options = {
  answer: text("<json>", "the reply of the waiting turn; without it, you are asked here"),
  overrule: text("<why>", "with --answer: let it stand although it breaks a rule, and say why"),
  uphold: text("<why>", "an escalated run: let its decision stand, and say why"),
  replace: text("<ruling>", "an escalated run: replace its decision with this ruling"),
  gold: text("<json>", "the right answer, as a dataset writes it: the run becomes a labelled case"),
  reviewer: text("<name>", "name of the reviewer (default: the user's name)"),
  json: flag("print the result as JSON"),
  ...runsOptions,
  ...configOption,
};
type Options = Given<typeof options>;

export function command(io: Io): Command {
  const review = defineCommand({
    name: "review",
    arguments: { "[run]": "the run to answer (default: choose from those waiting, or list them)" },
    options,
    action: (given, id: string | undefined) =>
      withRuns(
        io,
        { ...given, fleet: isPostgresAddress(nameStore(io, given, loadUserConfig(io, given))) },
        (runs) => reviewRun(io, runs, id, given),
        { isRead: true },
      ),
  });
  return review.addCommand(contestCommand(io, review)).addCommand(exportCommand(io, review));
}

function contestCommand(io: Io, review: Command): Command {
  return defineCommand({
    name: "contest",
    arguments: { "<run>": "the run to contest" },
    options: {
      because: required(text("<statement>", "what is wrong with the decision")),
      evidence: list("<file|text>", "evidence for that; can be repeated"),
      target: list("<what>", "the claim, quote, rule or turn that it disputes; can be repeated"),
      cast: text("<cast>", "who is asked again (default: the original speakers)"),
      json: flag("print the result as JSON"),
      ...runsOptions,
    },
    async action(own, id: string) {
      const given = { ...review.opts<Options>(), ...own };
      const contest = async ({ store, setting }: Runs): Promise<void> => {
        const stored = await readRun(store, id);
        const pack = await loadPackOf(stored.run.manifest);
        const done = await contestRun(setting, pack, stored, {
          by: nameReviewer(given),
          statement: checkValue(ReasonSchema, given.because, "--because", "bad_input"),
          evidence: given.evidence.map((one) => readEvidence(io, one)),
          targets: given.target,
          cast: given.cast,
        });
        if (given.json) io.jsonLines([done]);
        else io.show(buildContestSections(done));
        const next = done.changed === null ? `Go on with: parley review ${done.branch}; then compare` : "Compare";
        if (!given.json && done.branch !== null) io.out(`${next}: parley runs diff ${id} ${done.branch}\n`);
        if (done.changed === null) io.exit.code = 3;
      };
      await withRuns(io, given, contest, { isRead: true });
    },
  });
}

function readEvidence(io: Io, given: string): string {
  const file = resolve(io.cwd, given);
  const words = existsSync(file) && statSync(file).isFile() ? readNamedFile(io, given) : given;
  if (words.length <= 20_000) return words;
  throw new ParleyError("bad_input", `--evidence ${cutText(given, 60)} is too long; give the part that matters`);
}

function exportCommand(io: Io, review: Command): Command {
  return defineCommand({
    name: "export",
    options: {
      pack: required(text("<name>", "the pack: its name, or the file of a pack of your own")),
      ...storeOption,
    },
    action: (own) =>
      withStore(io, { ...review.opts<Options>(), ...own }, async (store) => {
        for await (const row of listLabelledCases(store, own.pack)) io.jsonLines([row]);
      }),
  });
}

/** How long an item stays reserved for the person at the terminal. */
const leaseMs = 15 * 60_000;

async function reviewRun(io: Io, runs: Runs, id: string | undefined, given: Options): Promise<void> {
  if (given.uphold !== undefined && given.replace !== undefined)
    throw new ParleyError("bad_input", "give --uphold or --replace, not both");
  const { store } = runs;
  const picked = id ?? (await pickFromInbox(io, store, given.json));
  if (picked === null) return;
  const run = await findRun(store, picked);
  const reviewer = nameReviewer(given);
  for (const name of ["overrule", "uphold", "replace"] as const)
    if (given[name] !== undefined) checkValue(ReasonSchema, given[name], `--${name}`, "bad_input");
  await claimItem(store, run.id, { reviewer, leaseMs }, new Date());
  try {
    if (run.outcome === "budget_exhausted")
      throw new ParleyError(
        "bad_input",
        `run ${run.id} ran out of its budget; go on with: parley resume ${run.id} --budget …`,
      );
    if (run.outcome !== "escalated") await answerTurn(io, runs, run, { ...given, reviewer });
    else if (!(await settleRun(io, store, run.id, { ...given, reviewer })))
      return void (await store.inbox.release(run.id, reviewer));
    await store.inbox.settle(run.id, false);
  } catch (error) {
    await store.inbox.release(run.id, reviewer);
    throw error;
  }
}

function nameReviewer({ reviewer }: Pick<Options, "reviewer">): string {
  return checkValue(ReviewerSchema, reviewer ?? userInfo().username, "--reviewer", "bad_input");
}

async function pickFromInbox(io: Io, store: Store, json = false): Promise<string | null> {
  const items = await listInbox(store, new Date(), sayDamaged(io));
  const rows: Waiting[] = [];
  for (const { run, why, since, claim } of items) {
    const pack = await loadPackOf(run.manifest);
    rows.push({ run: run.id, pack: pack.name, why, subject: subjectOf(pack, run), since, claim });
  }
  if (json) io.jsonLines(rows);
  else if (rows.length === 0) io.out("nothing waits for a person\n");
  else if (!io.interactive) io.out(`${rows.map(formatWaiting).join("\n")}\n\nAnswer one with: parley review RUN\n`);
  else {
    const choices = rows.map((row) => ({ value: row.run, label: formatWaiting(row) }));
    return askPerson(io, ({ select }, common) =>
      select({ message: "Waiting for you (Ctrl-C to leave)", options: choices, ...common }),
    );
  }
  return null;
}

type Waiting = Pick<InboxItem, "why" | "since" | "claim"> & { run: string; pack: string; subject: string };

const waits: Record<InboxItem["why"], string> = {
  turn: "a turn waits for its answer",
  escalated: "escalated, waits for a ruling",
  budget: "its budget is spent: continue?",
};

function formatWaiting({ run, pack, why, subject, claim }: Waiting): string {
  const taken = claim === null ? "" : `  (${claim.reviewer} has it)`;
  const line = `${run}  ${pack.padEnd(10)}  ${waits[why].padEnd(29)}  ${cutText(subject, 50)}${taken}`;
  return stripVTControlCharacters(line).trimEnd();
}

type Reviewing = Options & { reviewer: string };

/** Answers a waiting turn, interactively or from options; with a fleet, workers continue the run. */
async function answerTurn(io: Io, { store, config, fleet }: Runs, run: Run, given: Reviewing): Promise<void> {
  if (run.status === "finished" || (fleet && run.status !== "waiting"))
    throw new ParleyError("bad_input", `run ${run.id} is not waiting for anyone: it is ${run.outcome ?? run.status}`);
  if (given.answer === undefined && !io.interactive)
    throw new ParleyError("bad_input", "there is no terminal to ask at; give the reply with --answer '{…}'");
  const person = given.answer === undefined ? openTerminalPerson(given.reviewer) : answerWith(io, given.answer, given);
  const people = { person, ...(fleet && { others: playedByWorkers }) };
  const { endpoints, prices } = config;
  const castOf = castOfStrings(store, { env: io.env, endpoints, prices, ...people }, reportKeyUse(io));
  const pack = await loadPackOf(run.manifest);
  try {
    printResult(io, given, pack, await continueRun({ store, castOf, signal: io.signal }, pack, run.id));
  } catch (error) {
    if (!fleet || io.signal.aborted || !hasCode(error, "interrupted")) throw error;
    await fleet.queue.enqueue({ id: run.id, pack: pack.name });
    io.out(`The answer was accepted; run ${run.id} continues with a worker: parley show ${run.id}\n`);
  }
}

function answerWith(io: Io, answer: string, { reviewer: by, overrule: why }: Reviewing): PersonPort {
  const who = { by, ...(why === undefined ? {} : { overrule: { by, why } }) };
  return answerOnce(parseGivenJson(answer, "--answer"), who, (key, { problems, mayStand }) => {
    const lines = problems.map((problem) => `  ${describeProblem(problem)}\n`).join("");
    const advice = `Correct it and answer again${mayStand ? ', or let it stand with --overrule "why"' : ""}.`;
    io.err(`parley: this answer of ${nameTurn(key)} was not accepted:\n${lines}${advice}\n`);
  });
}

/** Settles an escalated run, from options or interactively; false when it is left as it is. */
async function settleRun(io: Io, store: Store, id: string, given: Reviewing): Promise<boolean> {
  const stored = await readRun(store, id);
  const pack = await loadPackOf(stored.run.manifest);
  const finished = finishedOf(stored);
  const report = reportOf({ width: io.width, color: false }, pack, { runId: id, finished });
  const judgement = readJudgement(given) ?? (await askJudgement(io, report, given.reviewer));
  if (!judgement) {
    io.err(`run ${id} stays escalated\n`);
    return false;
  }
  const ruling = makeRuling(pack, stored.result as DebateResult, judgement, false);
  const result = await ruleOnRun(store, id, ruling);
  printResult(io, given, pack, { runId: id, finished: { ...finished, result } });
  return true;
}

function readJudgement({ uphold, replace, gold, reviewer }: Reviewing): Judgement | null {
  const why = uphold ?? replace;
  if (why === undefined) return null;
  const right = gold === undefined ? {} : { gold: parseGivenJson(gold, "--gold") };
  return { verdict: uphold === undefined ? "correct" : "uphold", why, reviewer, ...right };
}

async function askJudgement(io: Io, report: string, reviewer: string): Promise<Judgement | null> {
  if (!io.interactive)
    throw new ParleyError("bad_input", "there is no terminal to ask at; give --uphold WHY or --replace RULING");
  io.err(`${report}\n`);
  const choices = [
    { value: "uphold" as const, label: "let the decision stand" },
    { value: "correct" as const, label: "replace it with another ruling" },
    { value: "later" as const, label: "leave it for later" },
  ];
  const message = "This run was escalated. What is your ruling?";
  const verdict = await askPerson(io, ({ select }, common) => select({ message, options: choices, ...common }));
  if (verdict === null || verdict === "later") return null;
  const why = await askPerson(io, (clack, common) => clack.text({ message: "Your ruling, and why", ...common }));
  return why ? { verdict, why, reviewer } : null;
}
