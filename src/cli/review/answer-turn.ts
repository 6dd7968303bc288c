import { hasCode, ParleyError } from "../../contract/error.ts";
import type { Run } from "../../contract/run.ts";
import { turnIdOf } from "../../contract/turn.ts";
import { splitCast, stopWhenLeft } from "../../fleet/leave-to-workers.ts";
import type { Fleet } from "../../fleet/open-fleet.ts";
import { loadPackOf } from "../../packs/registry.ts";
import type { PersonPort } from "../../players/person/person-player.ts";
import { openTerminalPerson } from "../../players/person/terminal-person.ts";
import { castOfStrings } from "../../runs/start/cast-of.ts";
import { findRun } from "../../runs/record/read-run.ts";
import { answerOnce, explainProblem, parseReply } from "../../runs/review/review-turn.ts";
import { type CastOf, continueRun, type RunSetting } from "../../runs/start/start-run.ts";
import type { UserConfig } from "../../runs/settings/user-config.ts";
import type { Store } from "../../store/store.ts";
import { printResult } from "../run/print-result.ts";
import { tellKeyUse } from "../setting/setting.ts";
import { openFollowers } from "../terminal/followers.ts";
import type { Io } from "../terminal/io.ts";

/** How a review is given on the command line. */
export type ReviewOptions = {
  answer?: string;
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
  const followers = await openFollowers(io, { quiet: true, telemetry: office.config.telemetry });
  try {
    await goOn(io, office, run, options, followers.trace);
  } finally {
    await followers.close();
  }
}

/** Goes on with the answer; where workers play, what comes after it is left to them. */
async function goOn(
  io: Io,
  { store, config, fleet }: Surroundings,
  run: Run,
  options: ReviewOptions,
  onEvent: RunSetting["onEvent"],
): Promise<void> {
  const left = new AbortController();
  const person = options.answer === undefined ? openTerminalPerson() : answerWith(io, options.answer);
  const people = fleet && person ? splitCast(person, Infinity) : { person };
  const { endpoints, prices } = config;
  const plain = castOfStrings(store, { env: io.env, endpoints, prices, ...people }, tellKeyUse(io));
  const castOf: CastOf = fleet ? async (...cast) => stopWhenLeft(await plain(...cast), () => left.abort()) : plain;
  const signal = AbortSignal.any([io.signal, left.signal]);
  const pack = await loadPackOf(run.manifest);
  try {
    printResult(io, options, pack, await continueRun({ store, castOf, signal, onEvent }, pack, run.id));
  } catch (error) {
    if (!fleet || !left.signal.aborted || !hasCode(error, "interrupted")) throw error;
    await fleet.queue.enqueue({ id: run.id, pack: pack.name });
    io.out(`The answer is taken; run ${run.id} goes on with a worker: parley show ${run.id}\n`);
  }
}

/** Somebody who has one answer; what was wrong with it is said. */
function answerWith(io: Io, text: string): PersonPort {
  return answerOnce(parseReply(text), (key, problems) => {
    const lines = problems.map((problem) => `  ${explainProblem(problem)}\n`).join("");
    io.err(
      `parley: the answer to ${turnIdOf(key)} could not be used:\n${lines}One more that cannot be used is an abstention.\n`,
    );
  });
}
