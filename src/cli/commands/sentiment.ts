import { Command, Option } from "commander";
import { ParleyError } from "../../contract/error.ts";
import { sentiment } from "../../packs/sentiment/pack.ts";
import type { Io } from "../terminal/io.ts";
import { isFileName } from "../terminal/looks-like-file.ts";
import { tableEndings } from "../sentiment/table-endings.ts";
import { withFileOptions, withRunOptions } from "../setting/options.ts";
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
    .enablePositionalOptions()
    .addCommand(createLearnCommand(io));
  return withFileOptions(withRunOptions(command), "texts")
    .addHelpText("after", examples)
    .action(async (text: string, given: SentimentOptions) => {
      const options = withLayers(io, given);
      if (isFileName(io.cwd, text, tableEndings)) await runTexts(io, text, options);
      else await runText(io, text, options);
    });
}

async function runTexts(io: Io, file: string, options: SentimentOptions): Promise<void> {
  const [{ runFile }, { openTextBatch }] = await Promise.all([
    import("../run/run-file.ts"),
    import("../sentiment/text-batch.ts"),
  ]);
  await runFile(io, options, await openTextBatch(io, file, options));
}

async function runText(io: Io, text: string, options: SentimentOptions): Promise<void> {
  for (const name of ["gold", "report", "memory"] as const)
    if (options[name] !== undefined)
      throw new ParleyError("bad_input", `--${name} needs a file of texts, but "${text.slice(0, 40)}" is no such file`);
  await runCase(io, options, sentiment, {
    text,
    ...(options.lang === undefined ? {} : { language_code: options.lang }),
  });
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
