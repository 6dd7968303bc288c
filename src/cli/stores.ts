import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ParleyError } from "../contract/error.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { openTerminalPerson } from "../players/person.ts";
import { castOfStrings } from "../runs/cast.ts";
import type { RunSetting } from "../runs/start.ts";
import { findStoreConcern } from "../runs/trust.ts";
import type { UserConfig } from "../runs/settings.ts";
import type { PatienceOptions } from "../store/database.ts";
import { isPostgresAddress } from "../store/store.ts";
import { isWritable } from "../store/replace-file.ts";
import { memoryStore, sqliteStore } from "../store/sqlite.ts";
import type { Upkeep } from "../store/sql-upkeep.ts";
import type { Store } from "../store/store.ts";
import type { Io } from "./io.ts";
import { parseDuration } from "./options.ts";
import { createProgress, type Progress } from "./progress.ts";
import { loadUserConfig, pickCastOptions, reportKeyUse } from "./settings.ts";

export type StoreOptions = { store?: string; config?: string };

/** `--store`, else PARLEY_STORE, else the configuration, else `.parley`. */
export function nameStore(io: Io, options: StoreOptions, config: UserConfig): string {
  if (options.store?.trim() === "")
    throw new ParleyError("bad_input", "--store is empty; give a folder, or leave it out for .parley");
  return options.store ?? (io.env.PARLEY_STORE || undefined) ?? config.store ?? ".parley";
}

/** The folder of the store and its companion files; with a database, `.parley`. */
export function locateStore(
  io: Io,
  options: StoreOptions,
  config: UserConfig = options.store === undefined ? loadUserConfig(io, options) : {},
): string {
  const name = nameStore(io, options, config);
  const isNamed = (options.store ?? (io.env.PARLEY_STORE || config.store)) !== undefined;
  if (isNamed && !isPostgresAddress(name)) return resolve(io.cwd, name);
  // A `.parley` that is a link, or contains links, is used only if the user names it.
  const [concern] = io.env.PARLEY_TRUST === "1" ? [] : findStoreConcern(".parley", io.cwd);
  if (concern !== undefined)
    throw new ParleyError("not_trusted", `.parley ${concern}; remove the link, or name the place with --store`);
  return resolve(io.cwd, ".parley");
}

/** Opens the store; where there is none, reading gets an empty one and nothing is made. */
export async function openStore(io: Io, options: StoreOptions, config: UserConfig, isRead: boolean): Promise<Store> {
  const name = nameStore(io, options, config);
  if (isPostgresAddress(name)) return (await import("../store/postgres.ts")).postgresStore(name, waitOptions(io));
  const file = locateStoreFile(io, options, config);
  if (isRead && !existsSync(file)) return { ...memoryStore(), location: file };
  if (!isRead && existsSync(file) && !isWritable(file))
    throw new ParleyError(
      "store_failed",
      `the store ${file} is read-only; make it and its folder writable, or give another place with --store`,
    );
  return openStoreFile(io, file, config);
}

export function openStoreFile(io: Io, file: string, { durability }: UserConfig = {}): Store {
  return sqliteStore(file, { ...waitOptions(io), durability });
}

function waitOptions(io: Io): PatienceOptions {
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

type Work<S, T> = (opened: S, config: UserConfig) => Promise<T>;

/** Works on a store and always closes it; one that is only read is not created. */
export async function withStore<T>(
  io: Io,
  options: StoreOptions,
  work: Work<Store, T>,
  { isRead = true } = {},
): Promise<T> {
  const config = loadUserConfig(io, options);
  return closeAfter(await openStore(io, options, config, isRead), config, work);
}

async function closeAfter<S extends { close(): Promise<void> }, T>(
  opened: S,
  config: UserConfig,
  work: Work<S, T>,
): Promise<T> {
  try {
    return await work(opened, config);
  } finally {
    await opened.close();
  }
}

type RunsOptions = StoreOptions & { fleet?: boolean | undefined; quiet?: boolean | undefined };

/** A store to run debates in: how they are played, and the line that shows their progress. */
export type Runs = { store: Store; fleet: Fleet | null; config: UserConfig; setting: RunSetting; progress: Progress };

/** Like `withStore`, to run debates; with `isOne`, a single debate that the person at the terminal can follow. */
export async function withRuns<T>(
  io: Io,
  options: RunsOptions,
  work: (runs: Runs) => Promise<T>,
  { isOne = false, isRead = false } = {},
): Promise<T> {
  const config = loadUserConfig(io, options);
  const fleet = options.fleet ? await openCliFleet(io, options, config) : null;
  const store = fleet?.store ?? (await openStore(io, options, config, isRead));
  const progress = createProgress(io, options.quiet);
  const people = { person: io.interactive ? openTerminalPerson() : null, live: isOne && io.live && !options.quiet };
  const setting: RunSetting = {
    store,
    castOf: castOfStrings(store, { ...pickCastOptions(io, config), ...people }, reportKeyUse(io)),
    signal: io.signal,
    workers: fleet?.workers({ signal: io.signal }),
    ...(isOne && { onEvent: progress.onEvent }),
  };
  try {
    return await work({ store, fleet, config, setting, progress });
  } finally {
    progress.clear();
    await (fleet ?? store).close();
  }
}

export async function chooseRun(store: Store, given: string | undefined, last = false): Promise<string> {
  if (given !== undefined) return given;
  if (!last) throw new ParleyError("bad_input", "name a run, or give --last; `parley runs` lists them");
  const [run] = await store.list({ limit: 1 });
  if (!run) throw new ParleyError("unknown_run", `there are no runs in ${store.location}`);
  return run.id;
}

export function findStoreFile(folder: string): string | undefined {
  return [folder, join(folder, ".parley")].map((one) => join(one, "parley.db")).find((file) => existsSync(file));
}

type FleetSetting = { supervise?: boolean; connections?: number };

async function openCliFleet(io: Io, place: StoreOptions, config: UserConfig, given: FleetSetting = {}): Promise<Fleet> {
  const name = nameStore(io, place, config);
  if (!isPostgresAddress(name))
    throw new ParleyError(
      "bad_input",
      "a fleet shares its runs in PostgreSQL: give --store postgres://USER@HOST/DATABASE, or set PARLEY_STORE",
    );
  const { openFleet } = await import("../fleet/fleet.ts");
  return openFleet(name, { ...waitOptions(io), ...given });
}

export async function withFleet<T>(
  io: Io,
  place: StoreOptions,
  work: Work<Fleet, T>,
  given?: FleetSetting,
): Promise<T> {
  const config = loadUserConfig(io, place);
  return closeAfter(await openCliFleet(io, place, config, given), config, work);
}

/** Works on the upkeep of a store, in a folder or a database. */
export async function withUpkeep<T>(io: Io, options: StoreOptions, work: Work<Upkeep, T>): Promise<T> {
  const config = loadUserConfig(io, {});
  const name = nameStore(io, options, config);
  if (!isPostgresAddress(name)) {
    const { fileUpkeep } = await import("../store/sqlite.ts");
    return closeAfter(fileUpkeep(join(locateStore(io, options, config), "parley.db")), config, work);
  }
  const { openPostgres } = await import("../store/postgres.ts");
  const { createUpkeep } = await import("../store/sql-upkeep.ts");
  return closeAfter(openPostgres(name, waitOptions(io)), config, async (database) => {
    await database.persist(() => database.requireLayout());
    return work(createUpkeep(database), config);
  });
}
