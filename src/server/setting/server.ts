import type { JsonRouteName, RouteGiven, RouteReply } from "../../contract/api/index.ts";
import type { Fleet } from "../../fleet/fleet.ts";
import type { PersonPort } from "../../players/person.ts";
import type { UserConfig } from "../../runs/settings.ts";
import type { CastOf } from "../../runs/start.ts";
import type { Store } from "../../store/store.ts";
import type { Caller } from "../guard/access.ts";
import type { Runs } from "../live/live-runs.ts";
import type { RunTails } from "../live/run-tails.ts";

/** The owner's settings; no request can change them. */
export type ServerRules = {
  casts: readonly string[];
  maxRuns: number;
  maxQueued: number;
  maxFollowers: number;
  maxBodyBytes: number;
  maxUsdPerDay: number | null;
  mcpAllRuns: boolean;
  blind: boolean;
};

export type Server = {
  rules: ServerRules;
  store: Store;
  config: UserConfig;
  studiesFolder: string;
  env: Record<string, string | undefined>;
  castOf: CastOf;
  castWith(person: PersonPort | null): CastOf;
  live: Runs;
  tails: RunTails;
  /** Runs that clients of MCP started; null lets them see every run. */
  mcpRuns: Set<string> | null;
  fleet: Fleet | null;
  now(): Date;
};

type Handler<N extends JsonRouteName> = (given: RouteGiven<N>, caller: Caller) => Promise<RouteReply<N>>;
export type Handlers = { [N in JsonRouteName]: Handler<N> };
