import { Argument, Command, Option } from "commander";
import { completeWords } from "../completion/complete-words.ts";
import { scripts } from "../completion/scripts.ts";
import type { Commands } from "../terminal/command-entry.ts";
import type { Io } from "../terminal/io.ts";

const examples = `
bash:  parley completion bash > /etc/bash_completion.d/parley       (or: source <(parley completion bash))
zsh:   parley completion zsh > ~/.zfunc/_parley                     (or: source <(parley completion zsh))
fish:  parley completion fish > ~/.config/fish/completions/parley.fish

Commands, options, packs, run ids, casts and the keys of --set are completed.`;

/** `parley completion bash|zsh|fish` */
export function command(io: Io, commands: Commands): Command {
  return new Command("completion")
    .description("Prints a completion script for your shell.")
    .addArgument(new Argument("<shell>", "which shell").choices(Object.keys(scripts)))
    .addOption(new Option("--words <words...>", "what can stand for the last of these words").hideHelp())
    .addHelpText("after", examples)
    .allowUnknownOption()
    .action(async (shell: keyof typeof scripts, options: { words?: string[] }) => {
      if (options.words === undefined) return io.out(scripts[shell]);
      const found = await completeWords(io, commands, options.words);
      io.out(found.map((word) => `${word}\n`).join(""));
    });
}
