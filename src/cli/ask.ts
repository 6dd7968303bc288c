import { Command } from "commander";
import { protocolNames } from "../packs/question/index.ts";
import { question } from "../packs/question/pack.ts";
import type { Io } from "./io.ts";
import { type RunOptions, collect, withPromiseOptions, withRunOptions } from "./options.ts";
import { runCase } from "./run-case.ts";

type AskOptions = RunOptions & {
  docs: string[];
  choice: string[];
  number?: boolean;
  protocol?: string;
  onlyDocs: boolean;
  beside?: boolean;
};

/** `parley ask QUESTION` */
export function command(io: Io): Command {
  const ask = new Command("ask")
    .description("Debates a question: personas answer independently, read each other, and a vote or a judge decides.")
    .argument("<question>", "the question or topic")
    .option(
      "--docs <path>",
      "a file or folder to answer from (text, Markdown, PDF, DOCX, HTML, CSV…); can be repeated",
      collect,
      [],
    )
    .option("--choice <text>", "one of the choices of a multiple-choice question; can be repeated", collect, [])
    .option("--number", "the answer is a number")
    .option("--no-only-docs", "let players also answer from what they know, not from the documents alone")
    .option("--beside", "also ask for one plain answer of the same model, and show both with their costs")
    .option("--protocol <name>", `how it is debated: ${protocolNames.join(", ")}`);
  return withPromiseOptions(withRunOptions(ask))
    .addHelpText("after", examples)
    .action(async (text: string, options: AskOptions) => {
      const input = {
        question: text,
        docs: options.docs.length > 0 ? await (await import("./documents.ts")).readDocuments(io, options.docs) : [],
        ...(options.choice.length > 0 ? { choices: options.choice } : {}),
        ...(options.number ? { answer_type: "number" } : {}),
      };
      const set = [
        ...(options.protocol === undefined ? [] : [`protocol=${options.protocol}`]),
        ...(options.onlyDocs ? [] : ["only_documents=false"]),
        ...options.set,
      ];
      await runCase(io, { ...options, set }, question, input);
    });
}

const examples = `
Examples:
  parley ask "Why was the harbour bridge closed?" --docs reports/
  parley ask "Is tea older than coffee?" --cast openai/gpt-5-mini --budget usd=0.10 --beside
  parley ask "What is 17 * 24?" --number --cast openai/gpt-5-mini --protocol self_consistency --set samples=7
  parley ask "Should the city buy the bridge?" --protocol courtroom --cast anthropic/claude-sonnet-5,judge=person
  parley ask "Which planet is largest?" --choice Mars --choice Jupiter --cast ollama/llama3.2 --config round-table.yaml`;
