import type { CaseFile } from "../../../../knowledge/law/index.ts";
import { phrasesOf } from "../wording/phrases.ts";
import type { SoloAnswer } from "../../schemas/solo-answer.ts";
import { type Check, reject, flag, tellingOf } from "./check.ts";
import { createClaimChecks, isSound } from "./claim-checks.ts";
import { getCaseGround, createCitationCheck } from "./text-citations.ts";

type SoloCheck = Check<SoloAnswer, { file: CaseFile }>;

/** As in the debate: D outside the knowledge base, and any other position needs a claim. */
const position: SoloCheck = {
  find: (reply, { file }) => [
    ...(file.route.out_of_scope && reply.position !== "D"
      ? [flag("out_of_scope", tellingOf({ file }).outOfScope(reply.position), ["position"])]
      : []),
    ...(reply.position !== "D" && !file.route.out_of_scope && !reply.claims.some((claim) => isSound(claim, file))
      ? [reject("unsupported_position", tellingOf({ file }).unsupported(reply.position), ["claims"])]
      : []),
  ],
  mend: (reply, { file }) => ({ ...reply, position: file.route.out_of_scope ? "D" : reply.position }),
};

const citations: SoloCheck = createCitationCheck(
  ({ file }) => getCaseGround(file),
  (reply, { file }) => phrasesOf(file.retrieval.language).answer.positionLine(reply.position),
);

export const soloChecks: SoloCheck[] = [...createClaimChecks<SoloAnswer>(), citations, position];
