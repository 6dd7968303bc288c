import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { Command, Option } from "commander";
import { ParleyError } from "../../contract/error.ts";
import type { FinalOutput } from "../../packs/sentiment/index.ts";
import { sentiment } from "../../packs/sentiment/pack.ts";
import type { Io } from "../terminal/io.ts";
import { collect, parseConcurrency, withRunOptions } from "../setting/options.ts";
import { runCase } from "../run/run-case.ts";
import { withLayers } from "../sentiment/chosen-layers.ts";
import { createLearnCommand } from "../sentiment/learn-command.ts";
import type { SentimentOptions } from "../sentiment/sentiment-options.ts";

/** `parley sentiment TEXT|FILE`, and `sentiment learn` */
export function command(io: Io): Command {
  const command = new Command("sentiment")
    .description(
      "What a text says of each thing it talks about, in Korean or English: analysis, debate, review, rules.",
    )
    .argument("<text>", "a text, or a .jsonl, .csv or .tsv file of texts")
    .addOption(new Option("--lang <code>", "the language; detected from the script unless given").choices(["ko", "en"]))
    .option("--gold <file>", "gold tuples by id, to measure a file of texts against")
    .option("--report", "print metrics and warnings over a file of texts")
    .option(
      "--memory <file>",
      "a store of episodes: read at the start, extended at the end (memory.condition C2, C2_silent)",
    )
    .option("--model <file>", "read with this learnt layer (default: the project's own, else the one that ships)")
    .option("--thresholds <file>", "thresholds of the gate or of the warnings, as JSON; can be repeated", collect, [])
    .option("--concurrency <number>", "texts at once", parseConcurrency, 4)
    .option("--fresh", "run texts anew that the store has already")
    .enablePositionalOptions()
    .addCommand(createLearnCommand(io));
  return withRunOptions(command)
    .addHelpText("after", examples)
    .action(async (text: string, given: SentimentOptions) => {
      const options = await withThresholds(io, withLayers(io, given));
      if (isTextFile(io, text)) await runTexts(io, text, options);
      else await runText(io, text, options);
    });
}

/** Options with the settings of their threshold files; `--set` wins over a file. */
async function withThresholds(io: Io, options: SentimentOptions): Promise<SentimentOptions> {
  if (options.thresholds.length === 0) return options;
  const { readThresholds } = await import("../sentiment/thresholds-file.ts");
  return { ...options, set: [...readThresholds(io, options.thresholds, options.set), ...options.set] };
}

async function runTexts(io: Io, file: string, options: SentimentOptions): Promise<void> {
  const [{ runFile }, { openTextBatch }] = await Promise.all([
    import("../run/run-file.ts"),
    import("../sentiment/text-batch.ts"),
  ]);
  await runFile(io, options, openTextBatch(io, file, options));
}

async function runText(io: Io, text: string, options: SentimentOptions): Promise<void> {
  for (const name of ["gold", "report"] as const)
    if (options[name] !== undefined)
      throw new ParleyError("bad_input", `--${name} needs a file of texts, but "${text.slice(0, 40)}" is no such file`);
  const input = { text, ...(options.lang === undefined ? {} : { language_code: options.lang }) };
  if (options.memory === undefined) {
    await runCase(io, options, sentiment, input);
    return;
  }
  const { openMemoryFile } = await import("../sentiment/memory-file.ts");
  const memory = openMemoryFile(io, options.memory);
  const episodes = `memory.episodes=${JSON.stringify(memory.episodes)}`;
  const done = await runCase(io, { ...options, set: [episodes, ...options.set] }, sentiment, input);
  const decision = done?.finished.result.decision;
  if (decision) memory.learn(decision as FinalOutput);
  const learnt = memory.save();
  if (learnt > 0 && !options.quiet)
    io.err(`${learnt} ${learnt === 1 ? "episode" : "episodes"} learnt: ${options.memory}\n`);
}

/** A name that ends like a table is meant as a file, even when there is none: then that is the error. */
function isTextFile(io: Io, text: string): boolean {
  if (/\s/.test(text.trim()) || text.length > 1000) return false;
  const path = resolve(io.cwd, text);
  return /\.(jsonl|ndjson|csv|tsv)$/i.test(text) || (existsSync(path) && statSync(path).isFile());
}

const examples = `
Examples:
  parley sentiment "배송은 빨랐지만 포장이 엉망이에요"
  parley sentiment "Great coffee, slow service" --set debate.style=stance --json
  parley sentiment reviews.jsonl --out results/ --cast openai/gpt-5-mini --concurrency 8
  parley sentiment reviews.csv --gold gold.jsonl --report --set neutral_policy=mention
  parley sentiment learn reviews.labelled.jsonl --base default`;
