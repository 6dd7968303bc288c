import type { Command } from "commander";
import type { Budget } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import { suggestion } from "../contract/nearest-name.ts";

/** The options that every command which runs debates has. */
export type RunOptions = {
  cast?: string;
  config?: string;
  set: string[];
  seed?: number;
  budget?: Budget;
  json?: boolean;
  quiet?: boolean;
  out?: string;
  store?: string;
};

/** Adds the common options. */
export function withRunOptions(command: Command): Command {
  return withStoreOption(command)
    .option("--cast <cast>", 'who plays: "expert", "openai/gpt-5-mini", "expert,judge=person"')
    .option("--config <file>", "configuration file (default: parley.config.yaml, when there is one)")
    .option("--set <key=value>", "change one setting of the pack; can be repeated", collect, [])
    .option("--seed <number>", "seed of everything that is drawn by lot", toInteger)
    .option("--budget <limits>", "limits, e.g. calls=20,tokens=50000,usd=0.50,time=90s", parseBudget)
    .option("--json", "print the result as JSON")
    .option("--quiet", "no progress")
    .option("--out <path>", "write the run's artifacts to this folder");
}

/** Adds `--store`. */
export function withStoreOption(command: Command): Command {
  return command.option("--store <folder>", "where runs are kept (default: .parley)");
}

/** Collects a repeatable option. */
export function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

/** Reads a whole number. */
export function toInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new ParleyError("bad_input", `"${text}" is not a whole number`);
  return value;
}

const limits = ["calls", "tokens", "usd", "time"];

/** Reads `calls=20,tokens=50000,usd=0.50,time=90s`. */
export function parseBudget(text: string): Budget {
  const budget: Budget = {};
  for (const part of text.split(",")) {
    const [name = "", value = ""] = part.split("=").map((piece) => piece.trim());
    if (!limits.includes(name))
      throw new ParleyError("bad_input", `--budget: unknown limit "${name}"${suggestion(name, limits)}`);
    if (name === "time") budget.wallMs = parseDuration(value);
    else budget[name as "calls" | "tokens" | "usd"] = parseAmount(name, value);
  }
  return budget;
}

function parseAmount(name: string, value: string): number {
  const amount = Number(value.replaceAll("_", ""));
  if (value === "" || !Number.isFinite(amount) || amount < 0 || (name !== "usd" && !Number.isInteger(amount)))
    throw new ParleyError(
      "bad_input",
      `--budget: ${name}=${value} is not an amount; write e.g. ${name}=${name === "usd" ? "0.50" : "20"}`,
    );
  return amount;
}

/** Reads 500ms, 90s, 5m or 2h into milliseconds; a bare number is seconds. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text);
  if (!match) throw new ParleyError("bad_input", `"${text}" is not a time; write e.g. 90s, 5m or 2h`);
  const unit = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[(match[2] ?? "s") as "ms" | "s" | "m" | "h"];
  return Number(match[1]) * unit;
}
