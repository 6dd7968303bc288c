import type { Command } from "commander";
import { loadPack, packNames } from "../../packs/registry.ts";
import { type ConfigLeaf, configLeaves } from "../../runs/config-leaves.ts";
import { commands } from "../commands.ts";
import type { Io } from "../io.ts";
import { openExistingStore, userConfig } from "../setting.ts";

/** Commands that take a run, and which pack a command's settings are of. */
const takingRuns = ["show", "resume", "export", "redecide", "branch", "diff", "verify", "review"];
const packOf: Record<string, string> = { ask: "question", law: "law", sentiment: "sentiment", rca: "root-cause" };

/** What can stand for the last of some words of a command line; each of them begins with "=". */
export async function completions(io: Io, given: readonly string[]): Promise<string[]> {
  const words = given.map((word) => word.replace(/^=/, ""));
  const current = words.at(-1) ?? "";
  const found = await candidates(io, words.slice(0, -1), current);
  return [...new Set(found)].filter((word) => word.startsWith(current) && word !== current);
}

async function candidates(io: Io, before: readonly string[], current: string): Promise<string[]> {
  const [name] = before;
  if (name === undefined) return [...Object.keys(commands), "help", "--help", "--version"];
  if (name === "help") return before.length === 1 ? Object.keys(commands) : [];
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!entry) return [];
  const top = (await entry.load()).command(io);
  const command = top.commands.find((sub) => before.slice(1).includes(sub.name())) ?? top;
  const last = before.at(-1) ?? "";
  const option = command.options.find((one) => one.long === last || one.short === last);
  if (option && !option.isBoolean()) return option.argChoices ?? optionValues(io, option.long ?? "", before);
  if (current.startsWith("-")) return [...optionsOf(command), "--help"];
  return argumentsOf(io, command, top, before);
}

function optionsOf(command: Command): string[] {
  return command.options.flatMap((option) => (option.hidden || option.long === undefined ? [] : [option.long]));
}

/** What an option takes: settings, packs, casts; files are left to the shell. */
async function optionValues(io: Io, option: string, before: readonly string[]): Promise<string[]> {
  if (option === "--set") return settings(await packNamed(io, before));
  if (option === "--pack") return packNames;
  if (option === "--cast") return ["expert", "person", "openai/", "anthropic/", "google/", "ollama/", "compatible/"];
  if (option === "--from") return steps(io, before);
  return [];
}

async function argumentsOf(io: Io, command: Command, top: Command, before: readonly string[]): Promise<string[]> {
  const [name = ""] = before;
  if (command === top && top.commands.length > 0) return top.commands.map((sub) => sub.name());
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? []);
  if (choices.length > 0) return choices;
  if (name === "run" && before.length === 1) return packNames;
  if (takingRuns.includes(name)) return runIds(io, before);
  return [];
}

/** The pack that settings on this command line are of: the command's own, the one named, or the run's. */
async function packNamed(io: Io, before: readonly string[]): Promise<string[]> {
  const [name = ""] = before;
  const named = packOf[name] ?? before.find((word) => packNames.includes(word));
  if (named !== undefined) return [named];
  const run = await runNamed(io, before);
  return run === null ? packNames : [run];
}

async function settings(packs: readonly string[]): Promise<string[]> {
  const leaves = await Promise.all(packs.map(async (name) => configLeaves((await loadPack(name)).config)));
  return leaves.flat().flatMap(settingWords);
}

/** A setting, and what it may be where that is a choice. */
function settingWords(leaf: ConfigLeaf): string[] {
  const values = leaf.kind === "boolean" ? ["true", "false"] : leaf.kind === "choice" ? leaf.choices : [];
  return [`${leaf.key}=`, ...values.map((value) => `${leaf.key}=${value}`)];
}

async function withStoreOf<T>(io: Io, before: readonly string[], read: (store: Store) => Promise<T>): Promise<T> {
  const at = before.indexOf("--store");
  const store = openExistingStore(io, { store: at < 0 ? undefined : before[at + 1] }, userConfig(io, {}));
  try {
    return await read(store);
  } finally {
    await store.close();
  }
}
type Store = ReturnType<typeof openExistingStore>;

const shownRuns = 200;

async function runIds(io: Io, before: readonly string[]): Promise<string[]> {
  return withStoreOf(io, before, async (store) => (await store.list({ limit: shownRuns })).map((run) => run.id));
}

async function runNamed(io: Io, before: readonly string[]): Promise<string | null> {
  return withStoreOf(io, before, async (store) => {
    for (const word of before.slice(1)) {
      const [run] = word.startsWith("-") ? [] : await store.list({ idPrefix: word, limit: 1 });
      if (run) return run.manifest.pack;
    }
    return null;
  });
}

/** The steps of the run on this command line. */
async function steps(io: Io, before: readonly string[]): Promise<string[]> {
  const { readRun } = await import("../../runs/read-run.ts");
  return withStoreOf(io, before, async (store) => {
    const [run] = before[1] === undefined ? [] : await store.list({ idPrefix: before[1], limit: 1 });
    if (!run) return [];
    const { turns } = await readRun(store, run.id);
    const keys = turns.map(({ key }) => key);
    return keys.flatMap((key) => [`round-${key.round}`, `${key.round}/${key.step}`]);
  });
}
