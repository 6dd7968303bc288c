import type { Command, Option } from "commander";
import { findNearestName, suggestName } from "../text/similar.ts";
import { moreOptions } from "./command.ts";
import { commands } from "./commands.ts";
import type { Io } from "./io.ts";

/** The help of `parley` itself, written without loading any command. */
export function writeTopHelp(color: boolean): string {
  const bold = (text: string): string => (color ? `\u001B[1m${text}\u001B[22m` : text);
  const listed = Object.entries(commands).filter(([, { group }]) => group !== null);
  const width = Math.max(...listed.map(([name]) => name.length));
  const groups = Map.groupBy(listed, ([, { group }]) => group ?? "");
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

/** Makes a command ready to read its words: its name, its outputs, and help as long as was asked for. */
export function prepareCommand(io: Io, command: Command, words: readonly string[]): Command {
  command.name(`parley ${command.name()}`).exitOverride().enablePositionalOptions();
  command.configureOutput({
    writeOut: io.out,
    writeErr: io.err,
    outputError: (text, write) => write(rewordUsageError(text, command, words)),
  });
  shapeHelp(
    command,
    words.some((word) => word === "--help" || word === "-h"),
  );
  return command;
}

/** Makes `--help` leave out the options that few people need, and any help a default that says nothing. */
function shapeHelp(command: Command, isShort: boolean): void {
  const standard = command.createHelp();
  const isLeftOut = (option: Option): boolean => isShort && option.helpGroupHeading === moreOptions;
  command.configureHelp({
    visibleOptions: (shown) => standard.visibleOptions(shown).filter((option) => !isLeftOut(option)),
    optionDescription: (option) => standard.optionDescription(option).replace(" (default: none)", ""),
  });
  const left = command.options.filter((option) => isLeftOut(option) && !option.hidden).length;
  if (left > 0) command.addHelpText("after", `\n${left} more ${left === 1 ? "option" : "options"}: --help-all`);
  for (const sub of command.commands) {
    sub.copyInheritedSettings(command);
    shapeHelp(sub, isShort);
  }
}

/** Suggests a command or subcommand for an unknown name. */
export async function suggestCommand(io: Io, name: string): Promise<string> {
  const entries = Object.entries(commands);
  const listed = entries.flatMap(([one, { group }]) => (group === null ? [] : [one]));
  const subs = await Promise.all(
    entries.map(async ([parent, entry]) =>
      (await entry.load()).command(io, commands).commands.map((sub) => ({ parent, name: sub.name() })),
    ),
  );
  const meant = findNearestName(name, [...subs.flat().map((sub) => sub.name), ...listed]);
  const sub = subs.flat().find((one) => one.name === meant);
  return sub === undefined || listed.includes(sub.name)
    ? suggestName(name, listed)
    : `; did you mean "parley ${sub.parent} ${sub.name}"?`;
}

/** Rewords commander's usage errors and adds a suggestion. */
function rewordUsageError(text: string, command: Command, words: readonly string[]): string {
  const reworded = text.replace(/^error:/, "parley:").trimEnd();
  const [, given, choices] = /argument '(.*)' is invalid\. Allowed choices are (.*)\.$/.exec(reworded) ?? [];
  const [name = "", known] = reworded.includes("too many arguments")
    ? [words[0], command.commands.map((sub) => `${command.name()} ${sub.name()}`)]
    : [given, choices?.split(", ")];
  if (/missing required argument|required option/.test(reworded))
    return `${reworded}; ${command.name()} --help shows how it is used\n`;
  if (known === undefined) return `${reworded}\n`;
  const meant = findNearestName(
    name,
    known.map((one) => one.slice(one.lastIndexOf(" ") + 1)),
  );
  if (meant !== null) return `${reworded} Did you mean ${known.find((one) => one.endsWith(meant))}?\n`;
  return choices === undefined ? `${reworded} Put a text of several words in quotes.\n` : `${reworded}\n`;
}
