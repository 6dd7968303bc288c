import { Argument, Command } from "commander";
import { commands } from "../commands.ts";
import type { Io } from "../io.ts";

type Known = { name: string; summary: string; words: string[] };

/** `parley completion bash|zsh|fish` */
export function command(io: Io): Command {
  return new Command("completion")
    .description("Prints a completion script for your shell.")
    .addArgument(new Argument("<shell>", "which shell").choices(["bash", "zsh", "fish"]))
    .addHelpText(
      "after",
      "\nbash:  parley completion bash > /etc/bash_completion.d/parley\nzsh:   parley completion zsh > ~/.zfunc/_parley\nfish:  parley completion fish > ~/.config/fish/completions/parley.fish",
    )
    .action(async (shell: keyof typeof scripts) => io.out(scripts[shell](await knownCommands(io))));
}

async function knownCommands(io: Io): Promise<Known[]> {
  return Promise.all(
    Object.entries(commands).map(async ([name, entry]) => {
      const command = (await entry.load()).command(io);
      const options = [command, ...command.commands]
        .flatMap((one) => one.options.map((option) => option.long ?? ""))
        .filter(Boolean);
      return {
        name,
        summary: entry.summary,
        words: [...new Set([...command.commands.map((sub) => sub.name()), ...options, "--help"])],
      };
    }),
  );
}

const scripts = {
  bash: (known: Known[]) => `_parley() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="${known.map((one) => one.name).join(" ")} --help --version"
  if [ "$COMP_CWORD" -gt 1 ]; then
    case "\${COMP_WORDS[1]}" in
${known.map((one) => `      ${one.name}) words="${one.words.join(" ")}" ;;`).join("\n")}
      *) words="" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _parley parley
`,
  zsh: (known: Known[]) => `#compdef parley
_parley() {
  local -a names
  names=(${known.map((one) => `'${one.name}:${quote(one.summary)}'`).join(" ")})
  if (( CURRENT == 2 )); then _describe 'command' names; return; fi
  case "$words[2]" in
${known.map((one) => `    ${one.name}) compadd -- ${one.words.join(" ")}; _files ;;`).join("\n")}
  esac
}
compdef _parley parley
`,
  fish: (known: Known[]) =>
    known
      .flatMap((one) => [
        `complete -c parley -n __fish_use_subcommand -a ${one.name} -d '${quote(one.summary)}'`,
        ...one.words.map((word) =>
          word.startsWith("--")
            ? `complete -c parley -n '__fish_seen_subcommand_from ${one.name}' -l ${word.slice(2)}`
            : `complete -c parley -n '__fish_seen_subcommand_from ${one.name}' -a ${word}`,
        ),
      ])
      .join("\n")
      .concat("\n"),
};

function quote(text: string): string {
  return text.replaceAll("'", "").replaceAll(":", " ");
}
