import { InvalidArgumentError } from "commander";
import type { Budget } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import { BudgetSettingSchema, checkValue } from "../runs/settings.ts";
import { durationMs, shortenText } from "../text/format.ts";
import { flag, type Given, list, parsed, rare, text, withDefault } from "./command.ts";

export const storeOption = {
  store: text("<place>", "where runs are kept: a folder, or postgres://… (default: .parley)"),
};

export const runsOptions = {
  ...storeOption,
  pack: rare(list("<file>", "a pack of your own that is not listed in the configuration; can be repeated")),
};

export const configOption = {
  config: rare(text("<file>", "configuration file (default: parley.config.yaml, when there is one)")),
};

export const printOptions = {
  json: flag("print the result as JSON"),
  out: text("<path>", "write the run's files to this folder"),
  quiet: rare(flag("no progress")),
};

export const setOption = {
  set: list("<key=value>", "change one setting of the pack; can be repeated"),
};

export const serverSetOption = {
  set: list("<key=value>", "change one setting of the configuration's section `server`; can be repeated"),
};

export const runOptions = {
  cast: text("<cast>", 'who plays: "expert", "openai/gpt-5-mini", "expert,ROLE=person"'),
  ...setOption,
  budget: parsed("<limits>", "limits for the whole command, e.g. calls=20,tokens=50000,usd=0.50,time=90s", parseBudget),
  dryRun: flag("estimate the cost without calling a model"),
  ...printOptions,
  seed: rare(parsed("<number>", "seed for all random choices", parseInteger)),
  ...configOption,
  store: rare(storeOption.store),
};

export const promiseOptions = {
  maxWrong: rare(
    parsed(
      "<share>",
      "act only where the pack's certificate promises at most this share of wrong decisions, e.g. 5%; the rest goes to a person",
      parseShare,
    ),
  ),
};

export const fleetOptions = {
  fleet: flag("put the runs into the queue of a shared store, to be played by its workers"),
};

export const fileOptions = (noun: string) => ({
  concurrency: withDefault(parsed("<number>", `${noun} at once`, parseConcurrency), 4),
  fresh: rare(flag(`run ${noun} again even if the store has them already`)),
});

export type PromiseOptions = Partial<Given<typeof promiseOptions>>;
export type FleetOptions = Partial<Given<typeof fleetOptions>>;
export type RunOptions = Partial<Given<typeof runOptions>> & { set: string[] } & PromiseOptions & FleetOptions;

export function parseShare(given: string): number {
  const value = given.endsWith("%") ? Number(given.slice(0, -1)) / 100 : Number(given);
  if (!Number.isFinite(value) || value <= 0 || value >= 1)
    throw new InvalidArgumentError("Give a share between 0 and 1, e.g. 5% or 0.05.");
  return value;
}

export function parseInteger(given: string): number {
  const value = Number(given);
  if (!/^[+-]?\d+$/.test(given) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError(`"${shortenText(given)}" is not a whole number.`);
  return value;
}

export function parseCount(given: string): number {
  const value = parseInteger(given);
  if (value < 1) throw new InvalidArgumentError("Give 1 or more.");
  return value;
}

export function parseConcurrency(given: string): number {
  const value = parseCount(given);
  if (value > 256) throw new InvalidArgumentError("Give at most 256.");
  return value;
}

const limits = ["calls", "tokens", "usd", "time"];

export function parseBudget(given: string): Budget {
  if (/^\$?\d*\.?\d+$/.test(given.trim())) {
    const amount = given.trim().replace("$", "");
    const likely = amount.includes(".") || given.includes("$") ? "usd" : "calls";
    throw new ParleyError(
      "bad_input",
      `--budget ${shortenText(given)}: of what? Write ${likely}=${amount}, or limit ${limits.filter((name) => name !== likely).join(", ")}`,
    );
  }
  const parts = given.split(",").map((part) => part.split(/=(.*)/).map((one) => one.trim()));
  const names = parts.map(([name = ""]) => name);
  const twin = names.find((name, at) => names.indexOf(name) !== at);
  if (twin !== undefined) throw new ParleyError("bad_input", `--budget: ${shortenText(twin)} is given twice`);
  const amounts = parts.map(([name = "", value = ""]) => [name, name === "time" ? value : readAmount(value)]);
  return checkValue(BudgetSettingSchema, Object.fromEntries(amounts), "--budget", "bad_input");
}

/** A number, or what is none as it was written. */
function readAmount(value: string): number | string {
  return /^[\d_]*\.?\d+(?:e\d+)?$/i.test(value) ? Number(value.replaceAll("_", "")) : value;
}

/** Parses 500ms, 90s, 5m or 2h to milliseconds; a bare number is seconds. */
export function parseDuration(given: string): number {
  const ms = durationMs(given);
  if (ms === null)
    throw new ParleyError("bad_input", `"${shortenText(given)}" is not a time; write e.g. 90s, 5m or 2h`);
  return ms;
}
