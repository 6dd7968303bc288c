import * as z from "zod";
import { addresses } from "./addresses.ts";
import { type Route } from "./route.ts";

/** Usage and its limit; null means unlimited. */
const ShareSchema = z.strictObject({ used: z.number(), most: z.number().nullable() });

/** How a fleet stands. */
export const FleetStateSchema = z.strictObject({
  /** The workers that have shown a sign of life within the last seconds. */
  workers: z.array(
    z.strictObject({
      host: z.string(),
      pid: z.int(),
      packs: z.array(z.string()),
      concurrency: z.int(),
      playing: z.int(),
      silentMs: z.int(),
    }),
  ),
  /** By pack: runs that wait for a worker, that are to be tried again later, and that are with a worker. */
  queues: z.array(
    z.strictObject({
      pack: z.string(),
      ready: z.int(),
      later: z.int(),
      playing: z.int(),
      oldestSeconds: z.number().nullable(),
    }),
  ),
  /** How many runs of the store stand how: by outcome when they have ended, else by status. */
  runs: z.array(z.strictObject({ state: z.string(), count: z.int() })),
  /** By endpoint: calls and tokens of the last minute. */
  limits: z.array(
    z.strictObject({ name: z.string(), requests: ShareSchema, tokens: ShareSchema, pausedMs: z.number() }),
  ),
  /** Budgets that several runs share: those of batches, and that of the day. */
  purses: z.array(z.strictObject({ name: z.string(), calls: ShareSchema, tokens: ShareSchema, usd: ShareSchema })),
  /** Runs that are no longer handed out, the newest first, and why. */
  dead: z.array(z.strictObject({ run: z.string(), pack: z.string(), reason: z.string(), at: z.string() })),
  deadCount: z.int(),
  /** Packs of which nothing is handed out; "*" stands for all. */
});
export type FleetState = z.infer<typeof FleetStateSchema>;

/** What `/api/fleet` answers; null where a server plays its runs itself. */
export const FleetReplySchema = z.strictObject({ fleet: FleetStateSchema.nullable() });

/** The routes of the fleet. */
export const fleetRoutes = {
  readFleet: {
    ...addresses.readFleet,
    summary:
      "The workers of a shared store, what waits, what was spent and what was given up; null where there are none.",
    access: "reader",
    reply: { json: FleetReplySchema },
  },
} as const satisfies Record<string, Route>;
