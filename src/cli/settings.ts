import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { AnyPack } from "../engine/pack.ts";
import { readCertificate, requireThreshold } from "../runs/certificate.ts";
import { pickPackSection, readUserConfig, type UserConfig, withSettings } from "../runs/settings.ts";
import type { RunRequest } from "../runs/start.ts";
import { findConfigFolder, requireTrust } from "../runs/trust.ts";
import type { Io } from "./io.ts";
import type { PromiseOptions, RunOptions } from "./options.ts";

/** Loads the named configuration, or parley.config.yaml if it exists. Settings that need trust are refused without it. */
export function loadUserConfig(io: Io, options: Pick<RunOptions, "config">): UserConfig {
  const file = resolve(io.cwd, options.config ?? "parley.config.yaml");
  if (options.config === undefined && !existsSync(file)) return {};
  return readUserConfig(file, requireTrust(io.env, file, io.cwd).text);
}

export function pickCastOptions(io: Io, { endpoints, prices }: UserConfig) {
  return { env: io.env, endpoints, prices };
}

export function reportKeyUse(io: Io): (line: string) => void {
  const said = new Set<string>();
  return (line) => {
    if (!said.has(line)) io.err(`Asks ${line}\n`);
    said.add(line);
  };
}

export function makeRequest(io: Io, options: RunOptions, config: UserConfig, pack: AnyPack): Omit<RunRequest, "input"> {
  return {
    pack,
    config: {
      ...withSettings(pickPackSection(config, pack.name), options.set),
      ...readCertified(io, options, pack.name),
    },
    cast: options.cast ?? config.cast ?? "expert",
    seed: options.seed ?? config.seed ?? 0,
    budget: options.budget ?? config.budget ?? {},
  };
}

export function readCertified(io: Io, { maxWrong }: PromiseOptions, pack: string): { act_above?: number } {
  if (maxWrong === undefined) return {};
  const file = `${pack}.certificate.json`;
  const path = resolve(io.cwd, file);
  if (!existsSync(path))
    throw new ParleyError(
      "bad_input",
      `--max-wrong needs labelled cases: \`parley study certify LABELLED --pack ${pack} --max-wrong ${maxWrong}\` makes ${file} of them`,
    );
  const found = readCertificate(path);
  const promised = found.promise.max_wrong;
  if (promised > maxWrong)
    throw new ParleyError(
      "bad_input",
      `${file} promises that at most ${100 * promised}% are wrong, not ${100 * maxWrong}%: certify again with --max-wrong ${maxWrong}`,
    );
  return { act_above: requireThreshold(found, pack) };
}

/**
 * Registers the user's packs before a command runs: trusted ones from the configuration, and those named in the
 * command.
 */
export async function knowPacks(
  io: Io,
  { config, pack = [] }: { config?: string; pack?: string | string[] },
  which: "all" | "trusted" | "none",
  argument?: unknown,
): Promise<void> {
  const file = resolve(io.cwd, config ?? "parley.config.yaml");
  const given = [pack, typeof argument === "string" ? argument : []].flat();
  if (!existsSync(file) && given.length === 0) return;
  const { isPackFile, loadOwnPacks } = await import("../runs/own-packs.ts");
  if (existsSync(file) && which !== "none")
    try {
      const { parseSharedSettings } = await import("../runs/settings.ts");
      const { text, code } = requireTrust(io.env, file, io.cwd);
      await loadOwnPacks(parseSharedSettings(text, file).packs ?? [], findConfigFolder(file), code);
    } catch (error) {
      if (which === "all" || !hasCode(error, "not_trusted")) throw error;
    }
  await loadOwnPacks(given.filter(isPackFile), io.cwd);
}
