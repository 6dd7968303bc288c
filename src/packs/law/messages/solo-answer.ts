import * as z from "zod";
import { ClaimSchema, type Claim, content, type Fault } from "./agent-output.ts";
import { PositionSchema } from "./supervision.ts";

/** What one agent says on its own, with no debate: the control arms' message. */
export const SoloAnswerSchema = z.strictObject({
  answer: content,
  claims: z.array(ClaimSchema),
  position: PositionSchema,
  reasons: z.array(z.string()),
  applicable_regimes: z.array(z.string()),
  dissent: z.string().nullable(),
  disclaimer: z.string(),
});
export type SoloAnswer = Omit<z.infer<typeof SoloAnswerSchema>, "claims"> & { claims: Claim[]; faults?: Fault[] };
