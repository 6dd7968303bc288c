import type { Finished } from "../../../engine/pack.ts";
import type { GatheredCase, GatherOptions } from "../roles/gather-incident.ts";
import type { DebateRecord } from "../schemas/round.ts";

/** A case as it is shown. */
export type ShownCase = GatheredCase;

/** What of the config is shown. */
export type ShownConfig = GatherOptions & { protocol: string; max_rounds: number; plateau_points: number };

/** A finished debate as it is shown. */
export type Done = Finished<ShownCase, ShownConfig, DebateRecord>;
