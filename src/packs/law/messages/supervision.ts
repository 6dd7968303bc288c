import * as z from "zod";
import { content, type Fault } from "./agent-output.ts";

/** A national dominant, B adat dominant, C both with an active conflict, D insufficient (law spec §5). */
export const PositionSchema = z.enum(["A", "B", "C", "D"]);
export type LawPosition = z.infer<typeof PositionSchema>;

/** The supervisor's synthesis; claims are named `NLA:C1`, `ALA:C2`. */
export const SupervisionSchema = z.strictObject({
  answer: content,
  position: PositionSchema,
  reasons: z.array(z.string()),
  used_claims: z.array(z.string()),
  rejected_claims: z.array(z.strictObject({ claim: z.string(), why: z.string() })),
  applicable_regimes: z.array(z.string()),
  dissent: z.string().nullable(),
  needs_human_review: z.boolean(),
  disclaimer: z.string(),
});
export type Supervision = z.infer<typeof SupervisionSchema> & { faults?: Fault[] };
