import { Command, Option } from "commander";
import { selectOwnItems } from "../knowledge/law/index.ts";
import { law, RouteLabelSchema } from "../packs/law/index.ts";
import type { Io } from "./io.ts";
import { createDecideCommand } from "./law-decide.ts";
import { createSourcesCommand, readCorpus } from "./law-sources.ts";
import { type RunOptions, withPromiseOptions, withRunOptions } from "./options.ts";
import { runCase } from "./run-case.ts";

type LawOptions = RunOptions & { hint?: string; corpus?: string };

/** `parley law QUESTION`, and `law sources`, `law decide` */
export function command(io: Io): Command {
  const command = new Command("law")
    .description(
      "Debates a question of Indonesian law: national and adat readings with their sources, critiques and a conclusion.",
    )
    .argument("<question>", "the question, in Indonesian or English")
    .addOption(
      new Option("--hint <label>", "what the question is about; overrides the automatic choice").choices(
        RouteLabelSchema.options,
      ),
    )
    .option("--corpus <file>", "your own articles and norms: a JSON array, or one entry per line")
    .addCommand(createSourcesCommand(io))
    .addCommand(createDecideCommand(io));
  return withPromiseOptions(withRunOptions(command))
    .addHelpText("after", examples)
    .action(async (query: string, { hint, corpus, ...options }: LawOptions) => {
      const own = corpus === undefined ? [] : selectOwnItems(query, readCorpus(io, corpus));
      const input = {
        query,
        ...(hint === undefined ? {} : { domain_hint: hint }),
        ...(own.length > 0 ? { corpus: own } : {}),
      };
      await runCase(io, options, law, input);
    });
}

const examples = `
Examples:
  parley law "Apakah pusako tinggi boleh dijual?"
  parley law "Anak perempuan Bali menuntut bagian waris yang sama menurut KUHPerdata" --hint conflict --out debat/
  parley law "Can a grandchild inherit in place of a dead parent?" --json
  parley law "Siapa yang membayar iuran perahu danau?" --corpus perda.json
  parley law sources "gadai pusako tinggi"
  parley law decide recorded/debate-1/
  parley law "Siapa ahli waris?" --cast anthropic/claude-sonnet-5,sup=person --set max_rounds=2`;
