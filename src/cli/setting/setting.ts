import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { openTerminalPerson } from "../../players/person/terminal-person.ts";
import { castOfStrings } from "../../runs/start/cast-of.ts";
import { withSettings } from "../../runs/settings/read-settings.ts";
import type { RunRequest, RunSetting } from "../../runs/start/start-run.ts";
import { requireTrust } from "../../runs/trust/trust-file.ts";
import { pickPackSection, readUserConfig, type UserConfig } from "../../runs/settings/user-config.ts";
import { memoryStore } from "../../store/memory-store.ts";
import { isWritable } from "../../store/readable-file.ts";
import type { PatienceOptions } from "../../store/patience.ts";
import { isPostgresAddress } from "../../store/postgres-address.ts";
import { sqliteStore } from "../../store/sqlite.ts";
import type { Store } from "../../store/store.ts";
import type { Io } from "../terminal/io.ts";
import { parseDuration, type RunOptions } from "./options.ts";
import { readCertified } from "./certified.ts";

/** The user's configuration: the file named, else parley.config.yaml when there is one, else nothing; what it may not say untrusted is refused. */
export function loadUserConfig(io: Io, options: Pick<RunOptions, "config">): UserConfig {
  const file = resolve(io.cwd, options.config ?? "parley.config.yaml");
  if (options.config === undefined && !existsSync(file)) return {};
  requireTrust(io.env, file);
  return readUserConfig(file);
}

type StoreOptions = Pick<RunOptions, "store" | "config">;

/** What names the store: `--store`, else PARLEY_STORE, else the config's, else `.parley`. */
export function nameStore(io: Io, options: StoreOptions, config: UserConfig): string {
  if (options.store?.trim() === "")
    throw new ParleyError("bad_input", "--store is empty; give a folder, or leave it out for .parley");
  return options.store ?? (io.env.PARLEY_STORE || undefined) ?? config.store ?? ".parley";
}

/** The folder of the store, and of what is kept beside runs; a store in a database has `.parley` for that. */
export function locateStore(
  io: Io,
  options: StoreOptions,
  config: UserConfig = options.store === undefined ? loadUserConfig(io, options) : {},
): string {
  const name = nameStore(io, options, config);
  return resolve(io.cwd, isPostgresAddress(name) ? ".parley" : name);
}

/** Opens the store to write to it. */
export async function openStore(io: Io, options: StoreOptions, config: UserConfig): Promise<Store> {
  const name = nameStore(io, options, config);
  if (isPostgresAddress(name)) return openSharedStore(io, name);
  const file = locateStoreFile(io, options, config);
  if (existsSync(file) && !isWritable(file))
    throw new ParleyError(
      "store_failed",
      `the store ${file} is read-only; make it and its folder writable, or give another place with --store`,
    );
  return openStoreFile(io, file, config);
}

/** Opens the store to read or go on with what is in it; where there is none, none is made and nothing is in it. */
export async function openExistingStore(io: Io, options: StoreOptions, config: UserConfig): Promise<Store> {
  const name = nameStore(io, options, config);
  if (isPostgresAddress(name)) return openSharedStore(io, name);
  const file = locateStoreFile(io, options, config);
  return existsSync(file) ? openStoreFile(io, file, config) : { ...memoryStore(), location: file };
}

async function openSharedStore(io: Io, address: string): Promise<Store> {
  const { postgresStore } = await import("../../store/postgres.ts");
  return postgresStore(address, waitOptions(io));
}

/** Opens a store file; who waits for another process, or for room on the disk, is told so. */
export function openStoreFile(io: Io, file: string, { durability }: UserConfig = {}): Store {
  return sqliteStore(file, { ...waitOptions(io), durability });
}

/** How long trouble of a store is waited for, and who is told. */
export function waitOptions(io: Io): PatienceOptions {
  const given = io.env.PARLEY_STORE_WAIT;
  return {
    signal: io.signal,
    waitMs: given === undefined ? undefined : parseDuration(given),
    onWait: ({ message }, waitMs) => io.err(`parley: ${message}; waiting up to ${waitMs / 1000} s\n`),
  };
}

function locateStoreFile(io: Io, options: StoreOptions, config: UserConfig): string {
  const folder = locateStore(io, options, config);
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw new ParleyError(
      "store_failed",
      `the store ${folder} could not be opened: it is not a folder; give one with --store`,
    );
  return join(folder, "parley.db");
}

/** What runs need, from options and configuration; `live` when someone watches one run go. */
export function makeRunSetting(io: Io, store: Store, config: UserConfig, live = false): RunSetting {
  const { endpoints, prices } = config;
  const person = io.interactive ? openTerminalPerson() : null;
  const castOf = castOfStrings(store, { env: io.env, endpoints, prices, person, live }, tellKeyUse(io));
  return { store, castOf, signal: io.signal };
}

/** Says where keys go: every command that asks models does, once for each endpoint. */
export function tellKeyUse(io: Io): (line: string) => void {
  const told = new Set<string>();
  return (line) => {
    if (!told.has(line)) io.err(`Asks ${line}\n`);
    told.add(line);
  };
}

/** The request of a run, from options over configuration over defaults. */
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
    lean: options.lean ?? false,
  };
}
