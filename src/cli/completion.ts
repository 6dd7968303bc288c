import type { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import { suggestName } from "../text/similar.ts";
import { defineCommand, list, rare } from "./command.ts";
import { commands, findCommand } from "./commands.ts";
import { type Io, readData } from "./io.ts";

const shells = ["bash", "zsh", "fish"];

/** The scripts in data/completion ask Parley for completions, and fall back to files. */
export function command(io: Io): Command {
  return defineCommand({
    name: "completion",
    arguments: { "<shell>": "bash, zsh or fish" },
    options: { words: rare(list("<words...>", "what can stand for the last of these words")) },
    async action(options, shell: string) {
      if (!shells.includes(shell))
        throw new ParleyError("bad_input", `no completion for "${shell}"${suggestName(shell, shells)}`);
      if (options.words.length === 0) return io.out(readData(`completion/parley.${shell}`));
      // Words start with "=", so that options among them are not read as options of this command.
      const words = options.words.map((word) => word.replace(/^=/, ""));
      const current = words.at(-1) ?? "";
      const found = await findCandidates(io, words.slice(0, -1), current);
      for (const word of found) if (word.startsWith(current) && word !== current) io.out(`${word}\n`);
    },
  });
}

async function findCandidates(io: Io, before: string[], current: string): Promise<string[]> {
  const [name] = before;
  if (name === undefined) return [...Object.keys(commands), "help", "--help", "--version"];
  const entry = findCommand(name);
  if (!entry) return [];
  const top = (await entry.load()).command(io);
  const command = top.commands.find((sub) => before.slice(1).includes(sub.name())) ?? top;
  const option = command.options.find((one) => one.long === before.at(-1));
  if (option && !option.isBoolean()) return option.argChoices ?? [];
  const options = command.options.flatMap((one) => (one.hidden ? [] : (one.long ?? [])));
  if (current.startsWith("-")) return [...options, "--help"];
  return command === top ? top.commands.map((sub) => sub.name()) : [];
}
