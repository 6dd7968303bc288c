import type { Finished } from "../../../engine/pack.ts";
import type { Incident } from "../../../knowledge/incidents/index.ts";
import type { ParsedLog } from "../../../knowledge/logs/index.ts";
import type { GatherOptions } from "../roles/gather-incident.ts";
import type { DebateRecord } from "../schemas/round.ts";

/** A case as it is shown: the log, and the project's own incidents. */
export type ShownCase = ParsedLog & { incidents: Incident[] };

/** What of the config is shown. */
export type ShownConfig = GatherOptions & { protocol: string; max_rounds: number };

/** A finished debate as it is shown. */
export type Done = Finished<ShownCase, ShownConfig, DebateRecord>;
