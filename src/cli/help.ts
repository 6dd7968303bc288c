import type { Command } from "commander";
import { findNearestName, suggestName } from "../text/similar.ts";
import { type Commands, commands } from "./commands.ts";
import type { Io } from "./io.ts";

/** The heading of options that few people need: `--help` leaves them out, `--help-all` shows them. */
export const moreOptions = "More options:";

/** The help of `parley` itself, written without loading any command. */
export function writeTopHelp(color: boolean): string {
  const bold = (text: string): string => (color ? `\u001B[1m${text}\u001B[22m` : text);
  const listed = Object.entries(commands).filter(([, { group }]) => group !== undefined);
  const width = Math.max(...listed.map(([name]) => name.length));
  const groups = Map.groupBy(listed, ([, { group = "" }]) => group);
  const lists = [...groups].map(([group, entries]) => {
    const rows = entries.map(([name, { summary }]) => `  ${bold(name.padEnd(width))}  ${summary}`);
    return `${bold(group)}\n${rows.join("\n")}`;
  });
  return `Parley runs structured debates between agents and turns them into decisions that can be checked.

${bold("Usage")}  parley COMMAND [OPTIONS]

${lists.join("\n\n")}

${bold("Start here")}
  parley demo                                     every pack, offline, no key
  parley new                                      asks what you have and writes a configuration
  parley ask "Why was the bridge closed?" --docs notes/
  parley ask "Is P equal to NP?" --cast openai/gpt-5-mini --budget usd=0.10

parley COMMAND --help shows the usual options and examples; --help-all shows every option.
Exit codes: 0 ok, 1 failed, 2 bad input, 3 undecided or escalated, 4 budget exhausted;
129, 130, 143 stopped by SIGHUP, Ctrl-C or SIGTERM; 141 the output was closed (e.g. by head).
`;
}

/** Makes `--help` leave out the options that few people need. */
export function shapeHelp(command: Command): void {
  for (const one of [command, ...listDescendants(command)]) {
    const standard = one.createHelp();
    const left = one.options.filter((option) => option.helpGroupHeading === moreOptions && !option.hidden).length;
    if (left === 0) continue;
    one.configureHelp({
      visibleOptions: (shown) =>
        standard.visibleOptions(shown).filter((option) => option.helpGroupHeading !== moreOptions),
    });
    one.addHelpText("after", `\n${left} more options: --help-all`);
  }
}

/** The subcommands of a command, and theirs. */
export function listDescendants(command: Command): Command[] {
  return command.commands.flatMap((sub) => [sub, ...listDescendants(sub)]);
}

/** Suggests a command or subcommand for an unknown name. */
export async function suggestCommand(io: Io, name: string, known: Commands): Promise<string> {
  const entries = Object.entries(known);
  const listed = entries.flatMap(([one, { group }]) => (group === undefined ? [] : [one]));
  const subs = await Promise.all(
    entries.map(async ([parent, entry]) =>
      (await entry.load()).command(io, known).commands.map((sub) => ({ parent, name: sub.name() })),
    ),
  );
  const meant = findNearestName(name, [...subs.flat().map((sub) => sub.name), ...listed]);
  const sub = subs.flat().find((one) => one.name === meant);
  return sub === undefined || listed.includes(meant ?? "")
    ? suggestName(name, listed)
    : `; did you mean "parley ${sub.parent} ${sub.name}"?`;
}

/** Rewords commander's usage errors and adds a suggestion. */
export function rewordUsageError(text: string, command: Command, args: readonly string[]): string {
  const reworded = text.replace(/^error:/, "parley:");
  if (!reworded.includes("too many arguments")) return reworded;
  const subs = command.commands.map((sub) => sub.name());
  const meant = findNearestName(args[0] ?? "", subs);
  const advice = meant === null ? "Put a text of several words in quotes." : `Did you mean ${command.name()} ${meant}?`;
  return `${reworded.trimEnd()} ${advice}\n`;
}
