import type { Round } from "../schemas/decision.ts";

/** Why a round table need not go on after a round: nobody has an answer, or enough speakers agree; null when it must (question spec §6.2). */
export function findStop(round: Round | undefined, neededAgreement: number): "silence" | "agreement" | null {
  if (!round || round.speeches.every((speech) => speech.answer === null)) return "silence";
  return round.agreement >= neededAgreement ? "agreement" : null;
}
