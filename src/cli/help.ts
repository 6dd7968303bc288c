import type { Command, Option } from "commander";
import { findNearestName, suggestName } from "../text/similar.ts";
import { moreOptions } from "./command.ts";
import { commands } from "./commands.ts";
import type { Io } from "./io.ts";

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

export function prepareCommand(io: Io, command: Command, words: readonly string[]): Command {
  command.name(`parley ${command.name()}`).exitOverride().enablePositionalOptions();
  command.configureOutput({ writeOut: io.out, writeErr: io.err });
  shapeHelp(command, words);
  return command;
}

function shapeHelp(command: Command, words: readonly string[]): void {
  const isShort = words.some((word) => word === "--help" || word === "-h");
  command.configureOutput({ outputError: (text, write) => write(rewordUsageError(text, command, words)) });
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
    shapeHelp(sub, words);
  }
}

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

function rewordUsageError(text: string, command: Command, words: readonly string[]): string {
  const said = text.replace(/^error: /, "").trimEnd();
  const help = `\`${fullNameOf(command)} --help\` shows the usage`;
  const [, argument] = /^missing required argument '(.*)'/.exec(said) ?? [];
  if (argument !== undefined) return `parley: the ${argument} is missing; ${help}\n`;
  const [, option] = /^required option '(.*)' not specified/.exec(said) ?? [];
  if (option !== undefined) return `parley: ${option} is needed; ${help}\n`;
  const [, name, given = "", why = ""] = /^option '(--[\w-]+).*' argument '(.*)' is invalid\. (.*)$/s.exec(said) ?? [];
  const choices = /^Allowed choices are (.*)\.$/.exec(why)?.[1];
  if (choices !== undefined) {
    const meant = findNearestName(given, choices.split(", "));
    return `parley: ${name} ${given}: choose one of ${choices}.${meant === null ? "" : ` Did you mean ${meant}?`}\n`;
  }
  if (name !== undefined) return `parley: ${name} ${given}: ${why}\n`;
  if (!said.startsWith("too many arguments")) return `parley: ${said}\n`;
  const subs = command.commands.map((sub) => sub.name());
  const meant = findNearestName(words[0] ?? "", subs);
  const advice =
    meant === null ? "Put a text of several words in quotes." : `Did you mean ${fullNameOf(command)} ${meant}?`;
  return `parley: too many arguments for ${fullNameOf(command)}. ${advice}\n`;
}

function fullNameOf(command: Command): string {
  return command.parent === null ? command.name() : `${fullNameOf(command.parent)} ${command.name()}`;
}
