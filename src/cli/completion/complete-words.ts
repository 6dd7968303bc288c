import type { Command } from "commander";
import { loadPack, listPackNames } from "../../packs/registry.ts";
import { listProviders } from "../../players/cast/parse-cast.ts";
import { type ConfigLeaf, listConfigLeaves } from "../../runs/settings/config-leaves.ts";
import { openExistingStore, loadUserConfig } from "../setting/setting.ts";
import type { Commands } from "../terminal/command-entry.ts";
import type { Io } from "../terminal/io.ts";

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
  const { readRun } = await import("../../runs/record/read-run.ts");
  return withStoreOf(io, before, async (store) => {
    const [run] = before[1] === undefined ? [] : await store.list({ idPrefix: before[1], limit: 1 });
    if (!run) return [];
    const { turns } = await readRun(store, run.id);
    const keys = turns.map(({ key }) => key);
    return keys.flatMap((key) => [`round-${key.round}`, `${key.round}/${key.step}`]);
  });
}
