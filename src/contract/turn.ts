import * as z from "zod";
import { UsageSchema } from "./budget.ts";

/** A problem of a reply. `reject` leads to an abstention, `salvage` to a recorded strike, flag or cut. */
export const ProblemSchema = z.strictObject({
  code: z.string(),
  message: z.string(),
  severity: z.enum(["reject", "salvage"]),
  path: z.array(z.union([z.string(), z.number()])).optional(),
});
export type Problem = z.infer<typeof ProblemSchema>;

export function describeProblem({ path, message }: Pick<Problem, "path" | "message">): string {
  return path === undefined || path.length === 0 ? message : `\`${path.join(".")}\`: ${message}`;
}

/** A turn's identity inside a run, independent of its order of arrival. */
export const TurnKeySchema = z.strictObject({ round: z.int().nonnegative(), step: z.string(), role: z.string() });
export type TurnKey = z.infer<typeof TurnKeySchema>;

export const TurnStatusSchema = z.enum(["answered", "repaired", "salvaged", "abstained"]);

export const AttemptSchema = z.strictObject({
  raw: z.string(),
  problems: z.array(ProblemSchema),
  /** Unambiguous mends made before parsing. */
  mends: z.array(z.string()).optional(),
  overruled: z.strictObject({ by: z.string(), why: z.string() }).optional(),
  usage: UsageSchema,
  finish: z.string().nullable(),
  /** The largest reply allowed, in tokens, if known. */
  outputLimit: z.int().positive().optional(),
  startedMs: z.number(),
  durationMs: z.number(),
});
export type Attempt = z.infer<typeof AttemptSchema>;

/** One role played once: request (by hash), replies, problems, and the accepted reply. */
export const TurnSchema = z.strictObject({
  key: TurnKeySchema,
  player: z.string(),
  promptHash: z.string(),
  requestHash: z.string(),
  attempts: z.array(AttemptSchema),
  status: TurnStatusSchema,
  reply: z.unknown(),
  problems: z.array(ProblemSchema),
  usage: UsageSchema,
});
export type Turn = z.infer<typeof TurnSchema>;

export function turnIdOf(key: TurnKey): string {
  return `${key.round}/${key.step}/${key.role}`;
}
