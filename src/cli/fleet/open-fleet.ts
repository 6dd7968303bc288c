import { ParleyError } from "../../contract/error.ts";
import type { Fleet } from "../../fleet/open-fleet.ts";
import type { Elsewhere } from "../../runs/start/start-run.ts";
import type { UserConfig } from "../../runs/settings/user-config.ts";
import { isPostgresAddress } from "../../store/postgres-address.ts";
import { loadUserConfig, nameStore, waitOptions } from "../setting/setting.ts";
import type { Io } from "../terminal/io.ts";

export type FleetPlace = { store?: string; config?: string };
type Given = { supervise?: boolean; connections?: number };

/** Opens the fleet of the store that options and configuration name; nothing of it is loaded otherwise. */
export async function openCliFleet(io: Io, place: FleetPlace, config: UserConfig, given: Given = {}): Promise<Fleet> {
  const name = nameStore(io, place, config);
  if (!isPostgresAddress(name))
    throw new ParleyError(
      "bad_input",
      "a fleet shares its runs in PostgreSQL: give --store postgres://USER@HOST/DATABASE, or set PARLEY_STORE",
    );
  const { openFleet } = await import("../../fleet/open-fleet.ts");
  return openFleet(name, { ...waitOptions(io), ...given });
}

/** Does some work with the fleet and closes it, however the work ends. */
export async function withFleet(
  io: Io,
  place: FleetPlace,
  work: (fleet: Fleet, config: UserConfig) => Promise<void>,
  given?: Given,
): Promise<void> {
  const config = loadUserConfig(io, place);
  const fleet = await openCliFleet(io, place, config, given);
  try {
    await work(fleet, config);
  } finally {
    await fleet.close();
  }
}

/** Who plays the runs when `--fleet` is given, else null. */
export async function openWorkers(
  io: Io,
  options: FleetPlace & { fleet?: boolean; priority?: number },
  config: UserConfig,
): Promise<{ elsewhere: Elsewhere; close(): Promise<void> } | null> {
  if (!options.fleet) return null;
  const { elsewhere, close } = await openCliFleet(io, options, config);
  return { elsewhere: elsewhere({ signal: io.signal, priority: options.priority }), close };
}
