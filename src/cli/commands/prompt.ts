import { Command } from "commander";
import { loadPack, listPackNames } from "../../packs/registry.ts";
import type { Io } from "../terminal/io.ts";
import { collect, parseInteger, withPackOption } from "../setting/options.ts";
import type { PromptOptions } from "../prompt/print-prompts.ts";

/** `parley prompt PACK [ROLE]` */
export function command(io: Io): Command {
  return withPackOption(new Command("prompt"))
    .description(
      "Prints what a model would be sent for a case, role by role, with the schema of its reply; calls nothing.",
    )
    .argument("<pack>", `${listPackNames().join(", ")}, or the file of your own`)
    .argument("[role]", "one role, or a pattern such as critic*; all of them when left out")
    .option("--case <case>", "the case: JSON, a .json file, or plain text (default: the pack's first example)")
    .option("--all", "every turn of the debate, not only the first of each role")
    .option("--cast <cast>", "whose way of being asked is shown", "openai/MODEL")
    .option("--config <file>", "configuration file (default: parley.config.yaml, when there is one)")
    .option("--set <key=value>", "change one setting of the pack; can be repeated", collect, [])
    .option("--seed <number>", "seed of everything that is drawn by lot", parseInteger)
    .option("--json", "as JSON Lines: one request per line")
    .addHelpText("after", examples)
    .action(async (name: string, role: string | undefined, options: PromptOptions) =>
      (await import("../prompt/print-prompts.ts")).printPrompts(io, await loadPack(name), role, options),
    );
}

const examples = `
Turns before the one that is shown are the built-in programs'.
Examples:
  parley prompt question
  parley prompt law sup --case "May adat land be sold to an outsider?"
  parley prompt root-cause judge --case incident.json --json | jq .schema`;
