import * as z from "zod";
import { ClaimSchema, type Claim, content, type Fault, limitList, text } from "./agent-output.ts";
import { PositionSchema } from "./supervision.ts";

/** What one agent says on its own, with no debate: the control arms' message. */
export const SoloAnswerSchema = z.strictObject({
  claims: limitList(ClaimSchema),
  applicable_regimes: limitList(text),
  reasons: limitList(text),
  dissent: text.nullable(),
  position: PositionSchema,
  answer: content,
  disclaimer: text,
});
export type SoloAnswer = Omit<z.infer<typeof SoloAnswerSchema>, "claims"> & { claims: Claim[]; faults?: Fault[] };
