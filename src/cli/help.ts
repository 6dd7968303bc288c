import type { Command, Option } from "commander";
import { findNearestName, suggestName } from "../text/similar.ts";
import { moreOptions } from "./command.ts";
import { hang } from "../print/terminal/render-terminal.ts";
import { type Io, readData } from "./io.ts";

/** A page of data/help.md: what a command does, with examples. `summary` is what the list of commands says of it. */
type Page = { group: string; summary: string; about: string; more: string };

/** The pages by command, e.g. `study run`; those of the group Shell are listed by --help-all only. */
export function readPages(): Map<string, Page> {
  let group = "";
  const pages = new Map<string, Page>();
  for (const part of readData("help.md").split(/^(?=#)/m)) {
    const [, mark, name = "", said = ""] = /^(#+) ([^:\n]+)(?:: (.*))?/.exec(part) ?? [];
    if (mark === "#") group = name;
    if (mark !== "##") continue;
    const [, about = "", more = ""] = /^.*\n\n(.*)\n([\s\S]*)/.exec(part) ?? [];
    const summary = said || about.charAt(0).toLowerCase() + about.slice(1).replace(/\.$/, "");
    pages.set(name, { group, summary, about, more: more.trim() });
  }
  return pages;
}

const findPage = (command: Command): Page | undefined => readPages().get(fullNameOf(command).replace("parley ", ""));

export const unlisted = "Shell";

/** The commands by group; with `isWhole` also their own commands, and those that are seldom called. */
export function writeTopHelp(io: Io, isWhole: boolean): string {
  const bold = (text: string): string => (io.color ? `\u001B[1m${text}\u001B[22m` : text);
  const { parley, ...pages } = Object.fromEntries(readPages());
  const rows = Object.entries(pages).filter(
    ([name, { group }]) => isWhole || (group !== unlisted && !name.includes(" ")),
  );
  const width = Math.max(...rows.map(([name]) => name.length));
  const lists = [...Map.groupBy(rows, ([, { group }]) => group)].map(([group, own]) => {
    const lines = own.flatMap(([name, { summary }]) =>
      hang(`  ${bold(name.padEnd(width))}  `, summary, isWhole ? io.width : Infinity),
    );
    return [bold(group), ...lines].join("\n");
  });
  return `${[parley?.about, `${bold("Usage")}  parley COMMAND [OPTIONS]`, ...lists, parley?.more].join("\n\n")}\n`;
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
    commandDescription: (one) => findPage(one)?.about ?? "",
    subcommandDescription: (one) => findPage(one)?.about ?? one.description(),
    optionDescription: (option) => standard.optionDescription(option).replace(" (default: none)", ""),
  });
  command.addHelpText("after", () => `\n${findPage(command)?.more ?? ""}`.trimEnd());
  const left = command.options.filter((option) => isLeftOut(option) && !option.hidden).length;
  if (left > 0) command.addHelpText("after", `\n${left} more ${left === 1 ? "option" : "options"}: --help-all`);
  for (const sub of command.commands) {
    sub.copyInheritedSettings(command);
    shapeHelp(sub, words);
  }
}

export function describeUnknown(given: string): string {
  if (given.startsWith("-"))
    return `unknown option "${given}"${suggestName(given, ["--help", "--help-all", "--version"])}`;
  const pages = [...readPages()].flatMap(([name, { group }]) =>
    group === unlisted || name === "parley" ? [] : [name],
  );
  const meant = findNearestName(
    given,
    pages.map((name) => name.split(" ").at(-1) ?? ""),
  );
  const name = pages.find((one) => one === meant) ?? pages.find((one) => one.endsWith(` ${meant}`));
  return `unknown command "${given}"${name === undefined ? "" : `; did you mean "${name === meant ? "" : "parley "}${name}"?`}`;
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
