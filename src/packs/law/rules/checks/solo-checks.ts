import type { CaseFile } from "../../../../knowledge/law/index.ts";
import { phrasesOf } from "../wording/phrases.ts";
import type { SoloAnswer } from "../../schemas/solo-answer.ts";
import { type Check, reject, flag, tellingOf } from "./check.ts";
import { createClaimChecks, isSound } from "./claim-checks.ts";
import { isDisclaimer } from "./supervisor-checks.ts";
import { getCaseGround, createCitationCheck } from "./text-citations.ts";

type SoloCheck = Check<SoloAnswer, { file: CaseFile }>;

/** As in the debate: D outside the knowledge base, any other position needs a claim, and no answer is legal advice. */
const position: SoloCheck = {
  find: (reply, { file }) => [
    ...(file.route.out_of_scope && reply.position !== "D"
      ? [flag("out_of_scope", tellingOf({ file }).outOfScope(reply.position), ["position"])]
      : []),
    ...(reply.position !== "D" && !file.route.out_of_scope && !reply.claims.some((claim) => isSound(claim, file))
      ? [reject("unsupported_position", tellingOf({ file }).unsupported(reply.position), ["claims"])]
      : []),
    ...(isDisclaimer(reply.disclaimer)
      ? []
      : [flag("no_disclaimer", tellingOf({ file }).noDisclaimer(), ["disclaimer"])]),
  ],
  mend: (reply, { file }) => ({
    ...reply,
    position: file.route.out_of_scope ? "D" : reply.position,
    disclaimer: isDisclaimer(reply.disclaimer) ? reply.disclaimer : phrasesOf(file.retrieval.language).disclaimer(),
  }),
};

const citations: SoloCheck = createCitationCheck(
  ({ file }) => getCaseGround(file),
  (reply, { file }) => phrasesOf(file.retrieval.language).answer.positionLine(reply.position),
);

export const soloChecks: SoloCheck[] = [...createClaimChecks<SoloAnswer>(), citations, position];
