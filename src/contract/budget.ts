import * as z from "zod";
import { durationMs } from "./duration.ts";

/** The limits of a run; a missing one does not limit. */
export const BudgetSchema = z.strictObject({
  calls: z.int().nonnegative().optional(),
  tokens: z.int().nonnegative().optional(),
  usd: z.number().nonnegative().optional(),
  wallMs: z.number().nonnegative().optional(),
});
export type Budget = z.infer<typeof BudgetSchema>;

/** A budget as a file says it: time as on the command line (`90s`, `5m`, `2h`), or in milliseconds. */
export const BudgetSettingSchema = z
  .strictObject({
    ...BudgetSchema.shape,
    time: z
      .string()
      .refine((text) => durationMs(text) !== null, "not a time; write e.g. 90s, 5m or 2h")
      .optional(),
  })
  .refine(({ time, wallMs }) => time === undefined || wallMs === undefined, {
    path: ["time"],
    message: "time and wallMs are one limit; give one of them",
  })
  .transform(({ time, ...budget }): Budget => {
    const wallMs = time === undefined ? null : durationMs(time);
    return wallMs === null ? budget : { ...budget, wallMs };
  });

/** The most that one call can cost; `usd` is null when the price is unknown. */
export type WorstCase = { calls: number; tokens: number; usd: number | null };

/** What a budget let through and what it refused. */
export const SpendSchema = z.strictObject({
  calls: z.int(),
  tokens: z.int(),
  usd: z.number().nullable(),
  /** `needed` is null when the price of the call is unknown. */
  refused: z.array(
    z.strictObject({ turn: z.string(), limit: z.string(), needed: z.number().nullable(), left: z.number() }),
  ),
});
export type Spend = z.infer<typeof SpendSchema>;
