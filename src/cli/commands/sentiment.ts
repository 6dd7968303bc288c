import { Command, Option } from "commander";
import { ParleyError } from "../../contract/error.ts";
import type { FinalOutput } from "../../packs/sentiment/index.ts";
import { sentiment } from "../../packs/sentiment/pack.ts";
import type { Io } from "../terminal/io.ts";
import { isFileName } from "../terminal/looks-like-file.ts";
import { tableEndings } from "../sentiment/table-endings.ts";
import { collect, withFileOptions, withPromiseOptions, withRunOptions } from "../setting/options.ts";
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
    .argument("<text>", "a text, or a file of texts: .csv, .tsv, .xlsx, .jsonl, or .txt with a text on each line")
    .addOption(new Option("--lang <code>", "the language; detected from the script unless given").choices(["ko", "en"]))
    .option("--text <column>", "the column of the texts (default: text, review, comment, content…)")
    .option("--id <column>", "the column of their ids (default: id, else the row's number)")
    .option("--skip-bad", "leave out rows that cannot be used, instead of stopping")
    .option("--gold <file>", "gold tuples by id, to measure a file of texts against")
    .option("--report", "print metrics and warnings over a file of texts")
    .option(
      "--memory <file>",
      "a store of episodes: read at the start, extended at the end (memory.condition C2, C2_silent)",
    )
    .option("--model <file>", "read with this learnt layer (default: the project's own, else the one that ships)")
    .option("--thresholds <file>", "thresholds of the gate or of the warnings, as JSON; can be repeated", collect, [])
    .enablePositionalOptions()
    .addCommand(createLearnCommand(io));
  return withFileOptions(withPromiseOptions(withRunOptions(command)), "texts")
    .addHelpText("after", examples)
    .action(async (text: string, given: SentimentOptions) => {
      const options = await withThresholds(io, withLayers(io, given));
      if (isFileName(io.cwd, text, tableEndings)) await runTexts(io, text, options);
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
  await runFile(io, options, await openTextBatch(io, file, options));
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

const examples = `
Examples:
  parley sentiment "배송은 빨랐지만 포장이 엉망이에요"
  parley sentiment "Great coffee, slow service" --set debate.style=stance --json
  parley sentiment reviews.csv --out results.xlsx          a row for each aspect, your columns kept; or .csv, .jsonl
  parley sentiment reviews.xlsx --text comment --out summary.html       plots and examples to read
  parley sentiment reviews.jsonl --out results/ --cast openai/gpt-5-mini --budget usd=2
  parley sentiment reviews.csv --gold gold.jsonl --report --set neutral_policy=mention
  parley sentiment learn reviews.labelled.jsonl --base default`;
