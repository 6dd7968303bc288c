import * as z from "zod";
import { type Budget, BudgetSchema } from "../../contract/budget.ts";
import { durationMs } from "../../text/duration.ts";

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
