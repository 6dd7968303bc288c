import { type Command, InvalidArgumentError, Option } from "commander";
import type { Budget } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import { durationMs, shortenText } from "../text/format.ts";
import { suggestName } from "../text/similar.ts";
import { addOptions, flag, type Given, list, moreOptions, parsed, rare, text, withDefault } from "./command.ts";

/** Where runs are kept. */
export const storeOption = {
  store: text("<place>", "where runs are kept: a folder, or postgres://… (default: .parley)"),
};

/** For commands that read runs of any pack. */
export const runsOptions = {
  ...storeOption,
  pack: rare(list("<file>", "a pack of your own that is not listed in the configuration; can be repeated")),
};

export const configOption = {
  config: rare(text("<file>", "configuration file (default: parley.config.yaml, when there is one)")),
};

/** How a run is printed. */
export const printOptions = {
  json: flag("print the result as JSON"),
  out: text("<path>", "write the run's files to this folder"),
  quiet: rare(flag("no progress")),
};

/** What every command that runs debates takes. */
export const runOptions = {
  cast: text("<cast>", 'who plays: "expert", "openai/gpt-5-mini", "expert,judge=person"'),
  set: list("<key=value>", "change one setting of the pack; can be repeated"),
  budget: parsed("<limits>", "limits for the whole command, e.g. calls=20,tokens=50000,usd=0.50,time=90s", parseBudget),
  dryRun: flag("estimate the cost without calling a model"),
  ...printOptions,
  seed: rare(parsed("<number>", "seed of all random choices", parseInteger)),
  ...configOption,
  store: rare(storeOption.store),
};

/** What may be acted on: a certificate, the promise that it must keep, or both. */
export const promiseOptions = {
  certificate: rare(
    text("<file>", "act only where this certificate holds (`parley study certify`); the rest goes to a person"),
  ),
  maxWrong: rare(
    parsed(
      "<share>",
      "the largest share of wrong decisions among those acted on, e.g. 5%; needs a certificate (default: PACK.certificate.json)",
      parseShare,
    ),
  ),
};

/** With which runs are played by workers. */
export const fleetOptions = {
  fleet: flag("put the runs into the queue of a shared store, to be played by its workers"),
  priority: rare(parsed("<number>", "runs with a higher one are played first", parseInteger)),
};

/** What commands take that run a file of cases. */
export const fileOptions = (noun: string) => ({
  concurrency: withDefault(parsed("<number>", `${noun} at once`, parseConcurrency), 4),
  budgetPerCase: rare(parsed("<limits>", `limits of each of the ${noun} of a file`, parseBudget)),
  fresh: rare(flag(`run ${noun} anew that the store has already`)),
});

export type PromiseOptions = Partial<Given<typeof promiseOptions>>;
export type FleetOptions = Partial<Given<typeof fleetOptions>>;
export type RunOptions = Partial<Given<typeof runOptions>> & { set: string[] } & PromiseOptions & FleetOptions;

/** An option that only `--help-all` shows. */
export function rareOption(flags: string, description: string): Option {
  return new Option(flags, description).helpGroup(moreOptions);
}

export const withRunOptions = (command: Command): Command => addOptions(command, runOptions);
export const withPromiseOptions = (command: Command): Command => addOptions(command, promiseOptions);
export const withFleetOptions = (command: Command): Command => addOptions(command, fleetOptions);
export const withStoreOption = (command: Command): Command => addOptions(command, storeOption);
export const withRunsOptions = (command: Command): Command => addOptions(command, runsOptions);
export const withFileOptions = (command: Command, noun: string): Command => addOptions(command, fileOptions(noun));

/** Collects a repeatable option. */
export function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

/** Reads a share: 5% or 0.05. */
export function parseShare(text: string): number {
  const value = text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (!Number.isFinite(value) || value <= 0 || value >= 1)
    throw new InvalidArgumentError("Give a share between 0 and 1, e.g. 5% or 0.05.");
  return value;
}

/** Reads a whole number. */
export function parseInteger(text: string): number {
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError(`"${shortenText(text)}" is not a whole number.`);
  return value;
}

/** Reads a count: a whole number from 1 on. */
export function parseCount(text: string): number {
  const value = parseInteger(text);
  if (value < 1) throw new InvalidArgumentError("Give 1 or more.");
  return value;
}

/** Reads how many things may be done at once. */
export function parseConcurrency(text: string): number {
  const value = parseCount(text);
  if (value > 256) throw new InvalidArgumentError("Give at most 256.");
  return value;
}

const limits = ["calls", "tokens", "usd", "time"];

/** Reads `calls=20,tokens=50000,usd=0.50,time=90s`. */
export function parseBudget(text: string): Budget {
  if (/^\$?\d*\.?\d+$/.test(text.trim())) {
    const amount = text.trim().replace("$", "");
    const likely = amount.includes(".") || text.includes("$") ? `usd=${amount}` : `calls=${amount}`;
    const others = limits.filter((name) => !likely.startsWith(name));
    throw new ParleyError(
      "bad_input",
      `--budget ${shortenText(text)}: of what? Write ${likely}, or a limit of ${others.join(", ")}`,
    );
  }
  const budget: Budget = {};
  const seen = new Set<string>();
  for (const part of text.split(",")) {
    const at = part.indexOf("=");
    const name = (at < 0 ? part : part.slice(0, at)).trim();
    const value = at < 0 ? "" : part.slice(at + 1).trim();
    if (!limits.includes(name))
      throw new ParleyError("bad_input", `--budget: unknown limit "${shortenText(name)}"${suggestName(name, limits)}`);
    if (seen.has(name)) throw new ParleyError("bad_input", `--budget: ${name} is given twice`);
    seen.add(name);
    if (name === "time") budget.wallMs = parseDuration(value);
    else budget[name as "calls" | "tokens" | "usd"] = parseAmount(name, value);
  }
  return budget;
}

function parseAmount(name: string, value: string): number {
  const amount = Number(value.replaceAll("_", ""));
  const isAmount = name === "usd" ? Number.isFinite(amount) : Number.isSafeInteger(amount);
  if (!/^[\d_]*\.?\d+(?:e\d+)?$/i.test(value) || !isAmount)
    throw new ParleyError(
      "bad_input",
      `--budget: ${name}=${shortenText(value)} is not an amount; write e.g. ${name}=${name === "usd" ? "0.50" : "20"}`,
    );
  return amount;
}

/** Reads 500ms, 90s, 5m or 2h into milliseconds; a bare number is seconds. */
export function parseDuration(text: string): number {
  const ms = durationMs(text);
  if (ms === null) throw new ParleyError("bad_input", `"${shortenText(text)}" is not a time; write e.g. 90s, 5m or 2h`);
  return ms;
}
