import type { Command, Option } from "commander";
import { findNearestName, suggestName } from "../text/similar.ts";
import { moreOptions } from "./command.ts";
import { commands } from "./commands.ts";
import { hang } from "../print/terminal/render-terminal.ts";
import type { Io } from "./io.ts";

/** The commands by group; with `isWhole` also their own commands, and those that are seldom called. */
export async function writeTopHelp(io: Io, isWhole: boolean): Promise<string> {
  const bold = (text: string): string => (io.color ? `\u001B[1m${text}\u001B[22m` : text);
  const listed = Object.entries(commands).filter(([, { group }]) => isWhole || group !== null);
  const rows: { group: string; name: string; summary: string }[] = [];
  for (const [name, { group, summary, load }] of listed) {
    rows.push({ group: group ?? "Shell", name, summary });
    const subs = isWhole ? (await load()).command(io, commands).commands : [];
    for (const sub of subs)
      rows.push({ group: group ?? "", name: `${name} ${sub.name()}`, summary: startSmall(sub.description()) });
  }
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lists = [...Map.groupBy(rows, ({ group }) => group)].map(
    ([group, own]) =>
      `${bold(group)}\n${own.map(({ name, summary }) => hang(`  ${bold(name.padEnd(width))}  `, summary, isWhole ? io.width : Infinity).join("\n")).join("\n")}`,
  );
  return `Parley runs structured debates between agents and turns them into decisions that can be checked.

${bold("Usage")}  parley COMMAND [OPTIONS]

${lists.join("\n\n")}

${bold("Start here")}
  parley demo                                     every pack, offline, no key
  parley new                                      asks what you have and writes a configuration
  parley ask "Why was the bridge closed?" --docs notes/
  parley ask "Is P equal to NP?" --cast openai/gpt-5-mini --budget usd=0.10

parley COMMAND --help shows the usual options and examples, --help-all every option;
parley --help-all lists every command.
Exit codes: 0 ok, 1 failed, 2 bad input, 3 undecided or escalated, 4 budget exhausted;
129, 130, 143 stopped by SIGHUP, Ctrl-C or SIGTERM; 141 the output was closed (e.g. by head).
`;
}

const startSmall = (sentence: string): string =>
  sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");

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

export async function describeUnknown(io: Io, given: string): Promise<string> {
  if (given.startsWith("-"))
    return `unknown option "${given}"${suggestName(given, ["--help", "--help-all", "--version"])}`;
  const listed = Object.entries(commands).flatMap(([name, { group }]) => (group === null ? [] : [name]));
  const parents = new Map<string, string>();
  for (const name of listed.toReversed())
    for (const sub of (await commands[name]?.load())?.command(io, commands).commands ?? [])
      parents.set(sub.name(), name);
  const meant = findNearestName(given, [...parents.keys(), ...listed]) ?? "";
  const parent = listed.includes(meant) ? undefined : parents.get(meant);
  const advice = parent === undefined ? suggestName(given, listed) : `; did you mean "parley ${parent} ${meant}"?`;
  return `unknown command "${given}"${advice}`;
}

function rewordUsageError(text: string, command: Command, words: readonly string[]): string {
  const said = text.replace(/^error: /, "").trimEnd();
  const name = fullNameOf(command);
  const [, argument, option] =
    /^missing required argument '(.*)'|^required option '(.*)' not specified/.exec(said) ?? [];
  const lacking = command.registeredArguments.find((one) => one.name() === argument);
  if (lacking || option !== undefined) {
    const missing = lacking ? `<${lacking.name()}${lacking.variadic ? "..." : ""}>` : option;
    return `parley: ${missing} is missing; \`${name} --help\` shows the usage\n`;
  }
  const [, flag, given = "", why = ""] = /^option '(--[\w-]+).*' argument '(.*)' is invalid\. (.*)$/s.exec(said) ?? [];
  const choices = /^Allowed choices are (.*)\.$/.exec(why)?.[1];
  if (choices !== undefined) {
    const meant = findNearestName(given, choices.split(", "));
    return `parley: ${flag} ${given}: choose one of ${choices}.${meant === null ? "" : ` Did you mean ${meant}?`}\n`;
  }
  if (flag !== undefined) return `parley: ${flag} ${given}: ${why}\n`;
  const [, kind, unknown, meant] = /^unknown (option|command) '(.*?)'(?:\s+\(Did you mean (.*)\?\))?$/.exec(said) ?? [];
  if (kind !== undefined)
    return `parley: unknown ${kind} "${unknown}"${meant === undefined ? "" : `; did you mean "${meant}"?`} (\`${name} --help\` lists the ${kind}s)\n`;
  if (!said.startsWith("too many arguments")) return `parley: ${said}\n`;
  const subs = command.commands.map((one) => one.name());
  const sub = words.map((word) => findNearestName(word, subs)).find((one) => one !== null);
  const taken = command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
  const most = taken.length === 0 ? "It takes none." : `Write ${[name, ...taken].join(" ")}.`;
  const isText = command.registeredArguments.some((one) => texts.includes(one.name()));
  const advice = isText ? "Put a text of several words in quotes." : most;
  return `parley: too many arguments for ${name}. ${sub === undefined ? advice : `Did you mean ${name} ${sub}?`}\n`;
}

/** Arguments that people write as several words. */
const texts = ["question", "text", "query", "input"];

function fullNameOf(command: Command): string {
  return command.parent === null ? command.name() : `${fullNameOf(command.parent)} ${command.name()}`;
}
