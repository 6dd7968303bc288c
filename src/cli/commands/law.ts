import { Command, Option } from "commander";
import { law } from "../../packs/law/pack.ts";
import { routeLabels } from "../../packs/law/router/route.ts";
import type { Io } from "../io.ts";
import { type RunOptions, withRunOptions } from "../options.ts";
import { runCase } from "../run-case.ts";

type LawOptions = RunOptions & { hint?: string };

/** `parley law QUESTION` */
export function command(io: Io): Command {
  const command = new Command("law")
    .description(
      "Debates a question of Indonesian law: national and adat readings with their sources, critiques and a conclusion.",
    )
    .argument("<question>", "the question, in Indonesian or English")
    .addOption(new Option("--hint <label>", "what the question is about; wins over the router").choices(routeLabels));
  return withRunOptions(command)
    .addHelpText("after", examples)
    .action(async (query: string, { hint, ...options }: LawOptions) => {
      await runCase(io, options, law, { query, ...(hint === undefined ? {} : { domain_hint: hint }) });
    });
}

const examples = `
Examples:
  parley law "Apakah pusako tinggi boleh dijual?"
  parley law "Anak perempuan Bali menuntut bagian waris yang sama menurut KUHPerdata" --hint conflict --out debat/
  parley law "Can a grandchild inherit in place of a dead parent?" --json
  parley law "Siapa ahli waris?" --cast anthropic/claude-sonnet-5,sup=person --set max_rounds=2`;
