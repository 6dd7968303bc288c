import * as z from "zod";

/** Limits of a run; missing ones do not limit. */
export const BudgetSchema = z.strictObject({
  calls: z.int().nonnegative().optional(),
  tokens: z.int().nonnegative().optional(),
  usd: z.number().nonnegative().optional(),
  wallMs: z.number().nonnegative().optional(),
});
export type Budget = z.infer<typeof BudgetSchema>;

/** The highest possible cost of a call; `usd` is null when the price is unknown. */
export const WorstCaseSchema = z.strictObject({ calls: z.int(), tokens: z.int(), usd: z.number().nullable() });
export type WorstCase = z.infer<typeof WorstCaseSchema>;

/** More than any call counts or costs, and so little that sums of many calls stay exact. */
export const mostOfACall = 1e12;

function isFigure(figure: unknown): boolean {
  return typeof figure === "number" && figure >= 0 && figure <= mostOfACall;
}

/** Whether a call may cost this: a negative or endless figure would lift limits and make the run unreadable. */
export function isCost({ calls, tokens, usd }: WorstCase): boolean {
  return (
    [calls, tokens].every((count) => Number.isInteger(count) && isFigure(count)) && (usd === null || isFigure(usd))
  );
}

export const noCost: WorstCase = { calls: 0, tokens: 0, usd: 0 };

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

/** Usage of calls. `costUsd` is null, not zero, when a price is unknown. */
export const UsageSchema = z.strictObject({
  calls: z.int().nonnegative(),
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  cachedTokens: z.int().nonnegative(),
  reasoningTokens: z.int().nonnegative(),
  costUsd: z.number().nonnegative().nullable(),
});
export type Usage = z.infer<typeof UsageSchema>;

export const CallUsageSchema = UsageSchema.refine(
  (usage) => Object.values(usage).every((figure) => figure === null || isFigure(figure)),
  `figures must be from 0 to ${mostOfACall}`,
);

export const noUsage: Usage = {
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  reasoningTokens: 0,
  costUsd: 0,
};
