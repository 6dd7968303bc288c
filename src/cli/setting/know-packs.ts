import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { ParleyError } from "../../contract/error.ts";
import type { Io } from "../terminal/io.ts";

/**
 * Makes the user's own packs known before a command runs: those of the configuration, which must be trusted, and those
 * given with `--pack`. A command may do without those of a configuration that is not trusted, or without any.
 */
export async function knowPacks(io: Io, command: Command, which: "all" | "trusted" | "none"): Promise<void> {
  const { config, pack } = command.opts<{ config?: string; pack?: string | string[] }>();
  const file = config === undefined ? join(io.cwd, "parley.config.yaml") : resolve(io.cwd, config);
  const given = [pack ?? []]
    .flat()
    .concat(command.processedArgs.slice(0, 1).filter((word) => isPackArgument(command, word)));
  if (!existsSync(file) && given.length === 0) return;
  const { isPackFile, loadOwnPacks } = await import("../../runs/settings/own-packs.ts");
  if (existsSync(file) && which !== "none")
    await loadOwnPacks(await listTrustedPacks(io, file, which === "all"), dirname(file));
  await loadOwnPacks(given.filter(isPackFile), io.cwd);
}

async function listTrustedPacks(io: Io, file: string, isRequired: boolean): Promise<string[]> {
  const { parseSharedSettings, readText } = await import("../../runs/settings/user-config.ts");
  const { requireTrust } = await import("../../runs/trust/trust-file.ts");
  try {
    requireTrust(io.env, file);
    return parseSharedSettings(readText(file), file).packs ?? [];
  } catch (error) {
    if (!isRequired && error instanceof ParleyError) return [];
    throw error;
  }
}

/** `parley run ./packs/triage.ts` names a pack by its file. */
function isPackArgument(command: Command, word: unknown): word is string {
  return typeof word === "string" && command.registeredArguments[0]?.name() === "pack";
}
