import { ParleyError } from "../../contract/error.ts";
import { turnIdOf } from "../../contract/turn.ts";
import { loadPackOf } from "../../packs/registry.ts";
import { castOfStrings } from "../../runs/start/cast-of.ts";
import { findRun } from "../../runs/record/read-run.ts";
import { answerOnce, explainProblem, parseReply } from "../../runs/review/review-turn.ts";
import { continueRun } from "../../runs/start/start-run.ts";
import type { UserConfig } from "../../runs/settings/user-config.ts";
import type { Store } from "../../store/store.ts";
import { printResult } from "../run/print-result.ts";
import { makeRunSetting, tellKeyUse } from "../setting/setting.ts";
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

type Surroundings = { store: Store; config: UserConfig };

/** Answers a waiting turn, here or with what was given, and prints how the run went on. */
export async function answerTurn(
  io: Io,
  { store, config }: Surroundings,
  id: string,
  options: ReviewOptions,
): Promise<void> {
  const run = await findRun(store, id);
  if (run.status === "finished")
    throw new ParleyError("bad_input", `run ${run.id} waits for nobody: it is ${run.outcome}`);
  const pack = await loadPackOf(run.manifest);
  const setting =
    options.answer === undefined
      ? makeRunSetting(io, store, config)
      : { ...makeRunSetting(io, store, config), castOf: castAnswering(io, { store, config }, options.answer) };
  if (options.answer === undefined && !io.interactive)
    throw new ParleyError("bad_input", "there is no terminal to ask at; give the reply with --answer '{…}'");
  const followers = await openFollowers(io, { quiet: true, telemetry: config.telemetry });
  try {
    printResult(io, options, pack, await continueRun({ ...setting, onEvent: followers.trace }, pack, run.id));
  } finally {
    await followers.close();
  }
}

/** Casts whose person has one answer; what was wrong with it is said. */
function castAnswering(io: Io, { store, config }: Surroundings, text: string) {
  const { endpoints, prices } = config;
  const person = answerOnce(parseReply(text), (key, problems) => {
    const lines = problems.map((problem) => `  ${explainProblem(problem)}\n`).join("");
    io.err(
      `parley: the answer to ${turnIdOf(key)} could not be used:\n${lines}One more that cannot be used is an abstention.\n`,
    );
  });
  return castOfStrings(store, { env: io.env, endpoints, prices, person }, tellKeyUse(io));
}
