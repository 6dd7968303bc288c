import type { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import { describeProblem, turnIdOf } from "../contract/turn.ts";
import { loadPackOf } from "../packs/registry.ts";
import { exportJson } from "../runs/export/export-run.ts";
import { findTurn, readRun, requirePrompt, type StoredRun } from "../runs/read-run.ts";
import { findLanguage, finishedOf, present } from "../runs/show-run.ts";
import { explainRun, makeWhySections } from "../runs/why.ts";
import type { Store } from "../store/store.ts";
import { defineCommand, flag, text } from "./command.ts";
import type { Io } from "./io.ts";
import { runsOptions } from "./options.ts";
import { reportOf } from "./run-case.ts";
import { chooseRun, withStore } from "./stores.ts";

export function command(io: Io): Command {
  return defineCommand({
    name: "show",
    arguments: { "[run]": "a run's id, or the first characters of it" },
    options: {
      last: flag("the latest run"),
      turn: text("[name]", "one turn in full, e.g. 1/opening/analyst; without a name, the list of turns"),
      why: flag("what the decision depends on, and the smallest change that flips it"),
      json: flag("everything as JSON; with --why, every change that was tried"),
      ...runsOptions,
    },
    action: (options, given: string | undefined) =>
      withStore(io, options, async (store) => {
        const stored = await readRun(store, await chooseRun(store, given, options.last));
        if (options.why) await explain(io, stored, options.json);
        else if (options.json) io.json(await exportJson(store, stored));
        // Commander gives true for an option without its value.
        else if ((options.turn as string | true | undefined) === true) io.out(listTurns(stored));
        else if (options.turn !== undefined) io.out(await describeTurn(store, stored, options.turn));
        else io.painted(await reportStored(io, stored));
      }),
  });
}

async function reportStored(io: Io, stored: StoredRun): Promise<string> {
  const { run, turns, result } = stored;
  if (!result)
    return `run ${run.id} has not ended (${turns.length} turns so far). Continue with: parley ${run.status === "waiting" ? "review" : "resume"} ${run.id}\n`;
  const pack = await loadPackOf(run.manifest);
  return present(pack, stored, (finished) => reportOf(io, pack, { runId: run.id, finished }));
}

function listTurns({ turns }: StoredRun): string {
  const rows = turns.map(({ key, status, player, attempts }) => {
    const problems = attempts.flatMap((attempt) => attempt.problems.map(({ code }) => code)).join(" ");
    return `${turnIdOf(key).padEnd(32)}  ${status.padEnd(9)}  ${player}  ${problems}`.trimEnd();
  });
  return `${rows.join("\n")}\n`;
}

async function describeTurn(store: Store, { run, turns }: StoredRun, name: string): Promise<string> {
  const turn = findTurn(turns, name);
  if (!turn)
    throw new ParleyError(
      "bad_input",
      `run ${run.id} has no turn "${name}". It has: ${turns.map((one) => turnIdOf(one.key)).join(", ")}`,
    );
  const prompt = await requirePrompt(await store.journal(run.id), run.id, turn);
  const attempts = turn.attempts.flatMap((attempt, index) => [
    `--- reply ${index + 1}`,
    attempt.raw,
    ...attempt.problems.map((problem) => `! ${problem.code}: ${describeProblem(problem)}`),
    ...(attempt.overruled ? [`= ${attempt.overruled.by} lets it stand: ${attempt.overruled.why}`] : []),
    ...(attempt.mends ?? []).map((mend) => `~ mended: ${mend}`),
  ]);
  const head = `${turnIdOf(turn.key)} · ${turn.player} · ${turn.status}`;
  return `${[head, "--- prompt", ...prompt, ...attempts].join("\n")}\n`;
}

async function explain(io: Io, stored: StoredRun, json = false): Promise<void> {
  const pack = await loadPackOf(stored.run.manifest);
  const why = await explainRun(pack, stored);
  if (json) io.json(why);
  else io.show(makeWhySections(why, findLanguage(pack, finishedOf(stored))));
}
