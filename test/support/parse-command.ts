/** Reads a command line as the program would, and does nothing: is it one that there is? */
import type { Command } from "commander";
import { commands, findCommand } from "../../src/cli/commands.ts";
import { makeSafe } from "../../src/cli/io.ts";
import { newFolder } from "./cli.ts";

/** What is wrong with the words after `parley`, or null. */
export async function findMistake(words: readonly string[]): Promise<string | null> {
  const [name = "", ...rest] = words;
  if (name.startsWith("-") || name === "help") return null;
  const entry = findCommand(name);
  if (!entry) return `no command ${JSON.stringify(name)}`;
  let said = "";
  const write = (text: string): void => void (said += text);
  const command = (await entry.load()).command(silentIo());
  disarm(command, write);
  try {
    await command.parseAsync(rest, { from: "user" });
    return null;
  } catch (error) {
    return said.trim() || String(error);
  }
}

/** Whether a mention such as `parley runs --outcome NAME` names a command and options that there are. */
export async function findUnknown(words: readonly string[]): Promise<string | null> {
  const [name = "", ...rest] = words;
  if (!/^[a-z]+$/.test(name)) return null;
  const entry = findCommand(name);
  if (!entry) return `no command ${JSON.stringify(name)}`;
  const command = (await entry.load()).command(silentIo());
  const known = new Set(listCommands(command).flatMap((one) => one.options.map(({ long }) => long)));
  const options = rest.flatMap((word) => /^\[?(--[a-z-]+)/.exec(word)?.[1] ?? []);
  const unknown = options.find((option) => !known.has(option) && option !== "--help");
  return unknown === undefined ? null : `no option ${unknown} of parley ${name}`;
}

/** Every command with those inside it, e.g. `study run`. */
export async function listCommandNames(): Promise<string[]> {
  const nameAll = (command: Command, name: string): string[] => [
    name,
    ...command.commands.flatMap((sub) => nameAll(sub, `${name} ${sub.name()}`)),
  ];
  const listed = Object.entries(commands).map(async ([name, { load }]) =>
    nameAll((await load()).command(silentIo()), name),
  );
  return (await Promise.all(listed)).flat();
}

const listCommands = (command: Command): Command[] => [command, ...command.commands.flatMap(listCommands)];

/** Leaves only the reading of the arguments. */
function disarm(command: Command, write: (text: string) => void): void {
  for (const one of listCommands(command))
    one
      .exitOverride()
      .enablePositionalOptions()
      .configureOutput({ writeOut: write, writeErr: write })
      .action(() => undefined);
}

function silentIo(): ReturnType<typeof makeSafe> {
  const { signal } = new AbortController();
  return makeSafe({
    out: () => undefined,
    err: () => undefined,
    drained: async () => undefined,
    live: false,
    color: false,
    width: 100,
    env: {},
    cwd: newFolder(),
    interactive: false,
    stdin: (async function* () {})(),
    signal,
    unread: signal,
    exit: { code: 0 },
  });
}
