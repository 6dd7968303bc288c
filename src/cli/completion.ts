import type { Command } from "commander";
import { ParleyError } from "../contract/error.ts";
import { suggestName } from "../text/similar.ts";
import { defineCommand, list, rare } from "./command.ts";
import { commands, findCommand } from "./commands.ts";
import type { Io } from "./io.ts";

export function command(io: Io): Command {
  return defineCommand({
    name: "completion",
    arguments: { "<shell>": "bash, zsh or fish" },
    options: { words: rare(list("<words...>", "what can stand for the last of these words")) },
    async action(options, shell: string) {
      if (!Object.hasOwn(scripts, shell))
        throw new ParleyError("bad_input", `no completion for "${shell}"${suggestName(shell, Object.keys(scripts))}`);
      if (options.words.length === 0) return io.out(scripts[shell as keyof typeof scripts]);
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

/** The scripts ask Parley for completions, and fall back to files. */
const scripts = {
  bash: `_parley() {
  local -a words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  mapfile -t COMPREPLY < <(parley completion bash --words "\${words[@]/#/=}" 2>/dev/null)
}
complete -o default -F _parley parley
`,
  zsh: `#compdef parley
_parley() {
  local -a found
  found=("\${(@f)$(parley completion zsh --words "\${(@)\${(@)words[2,$CURRENT]}/#/=}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -- $found; else _files; fi
}
if [[ "$funcstack[1]" = "_parley" ]]; then _parley "$@"; else compdef _parley parley; fi
`,
  fish: `function __parley_words
  set -l given (commandline -opc)[2..-1] (commandline -ct)
  parley completion fish --words "="$given 2>/dev/null
end
complete -c parley -f -n 'test -n "$(__parley_words)"' -a '(__parley_words)'
`,
};
