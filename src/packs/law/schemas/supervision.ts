import * as z from "zod";
import { content, type Fault, limitList, text } from "./agent-output.ts";

/** A national dominant, B adat dominant, C both with an active conflict, D insufficient, E both with the same result (law spec §5.1). */
export const PositionSchema = z.enum(["A", "B", "C", "D", "E"]);
export type LawPosition = z.infer<typeof PositionSchema>;

/** The supervisor's synthesis; claims are named `NLA:C1`, `ALA:C2`. */
export const SupervisionSchema = z.strictObject({
  used_claims: limitList(text),
  rejected_claims: limitList(z.strictObject({ claim: text, why: text })),
  applicable_regimes: limitList(text),
  reasons: limitList(text),
  dissent: text.nullable(),
  position: PositionSchema,
  answer: content,
  needs_human_review: z.boolean(),
  disclaimer: text,
});
export type Supervision = z.infer<typeof SupervisionSchema> & { faults?: Fault[] };
