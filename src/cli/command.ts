import { Command, Option } from "commander";

/** An option: what its help says and how its value is read. Its name is its key in the table of its command. */
export type OptionSpec<T> = {
  help: string;
  /** How the help writes the value, e.g. `<file>`; an option without one is a switch. */
  value?: string;
  parse?(text: string, before: T): T;
  initial?: T;
  choices?: readonly string[];
  /** Only `--help-all` shows it. */
  isRare?: boolean;
  isRequired?: boolean;
  /** Given as `--no-NAME`, and true without it. */
  isOff?: boolean;
};

/** The options of a command by their names in code: `maxWrong` is `--max-wrong`. */
// oxlint-disable-next-line typescript/no-explicit-any -- each option has a type of its own
export type OptionTable = Record<string, OptionSpec<any>>;

/** What an action is given for a table of options. */
export type Given<O> = { [K in keyof O]: O[K] extends OptionSpec<infer T> ? T : never };

export const flag = (help: string): OptionSpec<boolean | undefined> => ({ help });

/** A switch that is on unless `--no-NAME` is given. */
export const off = (help: string): OptionSpec<boolean> => ({ help, isOff: true });

export const text = (value: string, help: string): OptionSpec<string | undefined> => ({ value, help });

/** An option that can be repeated. */
export const list = (value: string, help: string): OptionSpec<string[]> => ({
  value,
  help,
  parse: (one, before) => [...before, one],
  initial: [],
});

export const parsed = <T>(value: string, help: string, parse: (text: string) => T): OptionSpec<T | undefined> => ({
  value,
  help,
  parse,
});

export const choice = <T extends string>(
  value: string,
  help: string,
  choices: readonly T[],
): OptionSpec<T | undefined> => ({ value, help, choices });

export const withDefault = <T>(option: OptionSpec<T | undefined>, initial: T): OptionSpec<T> =>
  ({ ...option, initial }) as OptionSpec<T>;

export const required = <T>(option: OptionSpec<T | undefined>): OptionSpec<T> =>
  ({ ...option, isRequired: true }) as OptionSpec<T>;

export const rare = <T>(option: OptionSpec<T>): OptionSpec<T> => ({ ...option, isRare: true });

/** The heading of options that few people need: `--help` leaves them out, `--help-all` shows them. */
export const moreOptions = "More options:";

/** A command as a table: its words, its options and what it does. */
export type CommandSpec<O extends OptionTable, A extends unknown[]> = {
  name: string;
  about: string;
  /** What may be given without an option, e.g. `{ "<run>": "the run to show" }`. */
  arguments?: Record<string, string>;
  options?: O;
  /** What stands below the help. */
  examples?: string;
  commands?: Command[];
  action?(options: Given<O>, ...words: A): unknown;
};

/** Makes the command that a table describes. */
export function defineCommand<O extends OptionTable, A extends unknown[]>(spec: CommandSpec<O, A>): Command {
  const command = new Command(spec.name).description(spec.about);
  for (const [name, help] of Object.entries(spec.arguments ?? {})) command.argument(name, help);
  addOptions(command, spec.options ?? {});
  for (const sub of spec.commands ?? []) command.addCommand(sub);
  if (spec.examples !== undefined) command.addHelpText("after", `\n${spec.examples.trim()}`);
  const { action } = spec;
  if (action)
    command.action(async (...given: unknown[]) => {
      const [words, options] = [given.slice(0, -2), given.at(-2)];
      await action(options as Given<O>, ...(words as A));
    });
  return command;
}

/** Adds the options of a table to a command. */
export function addOptions(command: Command, table: OptionTable): Command {
  for (const [name, spec] of Object.entries(table)) {
    const { help, value, parse, initial, choices } = spec;
    const written = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const option = new Option(`--${spec.isOff ? "no-" : ""}${written}${value === undefined ? "" : ` ${value}`}`, help);
    if (parse) option.argParser(parse);
    if (choices) option.choices(choices);
    if (initial !== undefined) option.default(initial, Array.isArray(initial) ? "none" : undefined);
    if (spec.isRare) option.helpGroup(moreOptions);
    if (spec.isRequired) option.makeOptionMandatory();
    command.addOption(option);
  }
  return command;
}
