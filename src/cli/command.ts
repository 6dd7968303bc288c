import { Command, Option } from "commander";

/** An option; its key in the command's table is its name: `maxWrong` is `--max-wrong`. */
type OptionSpec<T> = {
  help: string;
  /** How help shows the value, e.g. `<file>`; an option without one is a switch. */
  value?: string;
  parse?(text: string, before: T): T;
  initial?: T;
  choices?: readonly string[];
  isRare?: boolean;
  isRequired?: boolean;
};

// oxlint-disable-next-line typescript/no-explicit-any -- each option has a type of its own
type OptionTable = Record<string, OptionSpec<any>>;

export type Given<O> = { [K in keyof O]: O[K] extends OptionSpec<infer T> ? T : never };

export const flag = (help: string): OptionSpec<boolean | undefined> => ({ help });

export const text = (value: string, help: string): OptionSpec<string | undefined> => ({ value, help });

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

export const moreOptions = "More options:";

/** What a command does and its examples stand in data/help.md. */
type CommandSpec<O extends OptionTable, A extends unknown[]> = {
  name: string;
  /** Positional arguments, e.g. `{ "<run>": "the run to show" }`. */
  arguments?: Record<string, string>;
  options?: O;
  commands?: Command[];
  action?(options: Given<O>, ...words: A): unknown;
};

export function defineCommand<O extends OptionTable, A extends unknown[]>(spec: CommandSpec<O, A>): Command {
  const command = new Command(spec.name);
  for (const [name, help] of Object.entries(spec.arguments ?? {})) command.argument(name, help);
  addOptions(command, spec.options ?? {});
  for (const sub of spec.commands ?? []) command.addCommand(sub);
  const { action } = spec;
  if (action)
    command.action(async (...given: unknown[]) => {
      await action(given.at(-2) as Given<O>, ...(given.slice(0, -2) as A));
    });
  return command;
}

function addOptions(command: Command, table: OptionTable): void {
  for (const [name, { help, value, parse, initial, choices, isRare, isRequired }] of Object.entries(table)) {
    const written = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const option = new Option(`--${written}${value === undefined ? "" : ` ${value}`}`, help);
    if (parse) option.argParser(parse);
    if (choices) option.choices(choices);
    if (initial !== undefined) option.default(initial, Array.isArray(initial) ? "none" : undefined);
    if (isRare) option.helpGroup(moreOptions);
    if (isRequired) option.makeOptionMandatory();
    command.addOption(option);
  }
}
