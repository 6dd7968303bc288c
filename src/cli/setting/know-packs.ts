import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import type { Io } from "../terminal/io.ts";

/** Makes the user's own packs known before a command runs: those of the configuration, and those given with `--pack`. */
export async function knowPacks(io: Io, command: Command): Promise<void> {
  const { config, pack } = command.opts<{ config?: string; pack?: string | string[] }>();
  const file = config === undefined ? join(io.cwd, "parley.config.yaml") : resolve(io.cwd, config);
  const given = [pack ?? []]
    .flat()
    .concat(command.processedArgs.slice(0, 1).filter((word) => isPackArgument(command, word)));
  if (!existsSync(file) && given.length === 0) return;
  const { isPackFile, loadOwnPacks } = await import("../../runs/own-packs.ts");
  const { readPackList } = await import("../../runs/user-config.ts");
  if (existsSync(file)) await loadOwnPacks(readPackList(file), dirname(file));
  await loadOwnPacks(given.filter(isPackFile), io.cwd);
}

/** `parley run ./packs/triage.ts` names a pack by its file. */
function isPackArgument(command: Command, word: unknown): word is string {
  return typeof word === "string" && command.registeredArguments[0]?.name() === "pack";
}
