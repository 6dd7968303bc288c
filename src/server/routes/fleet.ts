import type { FleetState } from "../../contract/api/index.ts";
import type { Fleet } from "../../fleet/fleet.ts";
import type { Handlers } from "../setting/server.ts";

/** A reading is good for this long: many may look at once. */
const freshMs = 1_000;

/** Reads the fleet at most once a second; null where there is none. */
export function createFleetReader(fleet: Fleet | undefined): () => Promise<FleetState | null> {
  let last: { atMs: number; state: Promise<FleetState> } | null = null;
  return async () => {
    if (!fleet) return null;
    if (!last || performance.now() - last.atMs > freshMs) {
      const state = import("../../fleet/read-fleet.ts").then(({ readFleet }) => readFleet(fleet));
      last = { atMs: performance.now(), state };
    }
    return last.state;
  };
}

/** The route that shows the fleet. */
export function createFleetRoutes(read: () => Promise<FleetState | null>): Pick<Handlers, "readFleet"> {
  return { readFleet: async () => ({ fleet: await read() }) };
}
