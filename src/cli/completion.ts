import { Argument, Command, Option } from "commander";
import { loadPack, listPackNames } from "../packs/registry.ts";
import { listProviders } from "../players/cast.ts";
import { type ConfigLeaf, listConfigLeaves } from "../runs/settings.ts";
import type { Commands } from "./commands.ts";
import type { Io } from "./io.ts";
import { loadUserConfig } from "./settings.ts";
import { openExistingStore } from "./stores.ts";

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

/** What is known while a line is completed: the words before the last one, and every command. */
type Line = { before: readonly string[]; commands: Commands };

/** What can stand for the last of some words of a command line; each of them begins with "=". */
export async function completeWords(io: Io, commands: Commands, given: readonly string[]): Promise<string[]> {
  const words = given.map((word) => word.replace(/^=/, ""));
  const current = words.at(-1) ?? "";
  const found = await findCandidates(io, { before: words.slice(0, -1), commands }, current);
  return [...new Set(found)].filter((word) => word.startsWith(current) && word !== current);
}

async function findCandidates(io: Io, line: Line, current: string): Promise<string[]> {
  const { before, commands } = line;
  const [name] = before;
  if (name === undefined) return [...Object.keys(commands), "help", "--help", "--version"];
  if (name === "help") return before.length === 1 ? Object.keys(commands) : [];
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!entry) return [];
  const top = (await entry.load()).command(io, commands);
  const command = top.commands.find((sub) => before.slice(1).includes(sub.name())) ?? top;
  const last = before.at(-1) ?? "";
  const option = command.options.find((one) => one.long === last || one.short === last);
  if (option && !option.isBoolean()) return option.argChoices ?? completeOption(io, option.long ?? "", line);
  if (current.startsWith("-")) return [...listOptionNames(command), "--help"];
  return completeArgument(io, command, top, before);
}

function listOptionNames(command: Command): string[] {
  return command.options.flatMap((option) => (option.hidden || option.long === undefined ? [] : [option.long]));
}

/** What an option takes: settings, packs, casts; files are left to the shell. */
async function completeOption(io: Io, option: string, line: Line): Promise<string[]> {
  if (option === "--set") return listSettings(await findPacks(io, line));
  if (option === "--pack") return listPackNames();
  if (option === "--cast") return listPlayers();
  if (option === "--from") return listSteps(io, line.before);
  return [];
}

/** Who can be cast; behind a provider comes the name of a model. */
function listPlayers(): string[] {
  return ["expert", "person", ...listProviders({}).map((provider) => `${provider}/`)];
}

async function completeArgument(io: Io, command: Command, top: Command, before: readonly string[]): Promise<string[]> {
  if (command === top && top.commands.length > 0) return top.commands.map((sub) => sub.name());
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  if (choices.length > 0) return choices;
  const names = top.registeredArguments.map((argument) => argument.name());
  if (names[before.length - 1] === "pack") return listPackNames();
  return names.includes("run") ? listRunIds(io, before) : [];
}

/** The pack that settings on this command line are of: the command's own, the one named, or the run's. */
async function findPacks(io: Io, { before, commands }: Line): Promise<string[]> {
  const [name = ""] = before;
  const named = commands[name]?.pack ?? before.find((word) => listPackNames().includes(word));
  if (named !== undefined) return [named];
  const run = await findPackOfRun(io, before);
  return run === null ? listPackNames() : [run];
}

async function listSettings(packs: readonly string[]): Promise<string[]> {
  const leaves = await Promise.all(packs.map(async (name) => listConfigLeaves((await loadPack(name)).config)));
  return leaves.flat().flatMap(writeSetting);
}

/** A setting, and what it may be where that is a choice. */
function writeSetting(leaf: ConfigLeaf): string[] {
  const values = leaf.kind === "boolean" ? ["true", "false"] : leaf.kind === "choice" ? leaf.choices : [];
  return [`${leaf.key}=`, ...values.map((value) => `${leaf.key}=${value}`)];
}

async function withStoreOf<T>(io: Io, before: readonly string[], read: (store: Store) => Promise<T>): Promise<T> {
  const at = before.indexOf("--store");
  const store = await openExistingStore(io, { store: at < 0 ? undefined : before[at + 1] }, loadUserConfig(io, {}));
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}
type Store = Awaited<ReturnType<typeof openExistingStore>>;

const shownRuns = 200;

async function listRunIds(io: Io, before: readonly string[]): Promise<string[]> {
  return withStoreOf(io, before, async (store) => (await store.list({ limit: shownRuns })).map((run) => run.id));
}

async function findPackOfRun(io: Io, before: readonly string[]): Promise<string | null> {
  return withStoreOf(io, before, async (store) => {
    for (const word of before.slice(1)) {
      const [run] = word.startsWith("-") ? [] : await store.list({ idPrefix: word, limit: 1 });
      if (run) return run.manifest.pack;
    }
    return null;
  });
}

/** The steps of the run on this command line. */
async function listSteps(io: Io, before: readonly string[]): Promise<string[]> {
  const { readRun } = await import("../runs/read-run.ts");
  return withStoreOf(io, before, async (store) => {
    const [run] = before[1] === undefined ? [] : await store.list({ idPrefix: before[1], limit: 1 });
    if (!run) return [];
    const { turns } = await readRun(store, run.id);
    const keys = turns.map(({ key }) => key);
    return keys.flatMap((key) => [`round-${key.round}`, `${key.round}/${key.step}`]);
  });
}

/**
 * The scripts ask Parley itself for the words, so that run ids and settings are those of the moment.
 * Words are handed over with a leading "=", which keeps options from being read as options of `completion`.
 */
const bash = `_parley() {
  local line word
  COMPREPLY=()
  local -a words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  # bash splits words at "=" and ":"; put them together again
  local joined=() glue=""
  for word in "\${words[@]}"; do
    if [ "$word" = "=" ] && [ \${#joined[@]} -gt 0 ]; then joined[-1]+="="; glue=1
    elif [ -n "$glue" ]; then joined[-1]+="$word"; glue=""
    else joined+=("$word"); fi
  done
  local current="\${joined[-1]}" cut=""
  case "$current" in *=*) [ "\${COMP_WORDS[COMP_CWORD]}" = "$current" ] || cut="\${current%%=*}=" ;; esac
  while IFS= read -r line; do COMPREPLY+=("\${line#"$cut"}"); done < <(parley completion bash --words "\${joined[@]/#/=}" 2>/dev/null)
  if [ \${#COMPREPLY[@]} -eq 0 ]; then compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$current")); fi
  case "\${COMPREPLY[*]}" in *=) compopt -o nospace 2>/dev/null ;; esac
}
complete -F _parley parley
`;

const zsh = `#compdef parley
_parley() {
  local -a found
  found=("\${(@f)$(parley completion zsh --words "\${(@)\${(@)words[2,$CURRENT]}/#/=}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -S '' -q -- \${(M)found:#*=}; compadd -- \${found:#*=}; else _files; fi
}
if [[ "$funcstack[1]" = "_parley" ]]; then _parley "$@"; else compdef _parley parley; fi
`;

const fish = `function __parley_words
  set -l given (commandline -opc)[2..-1] (commandline -ct)
  parley completion fish --words "="$given 2>/dev/null
end
complete -c parley -f -n 'test -n "$(__parley_words)"' -a '(__parley_words)'
`;

export const scripts = { bash, zsh, fish };
