import type { Critique } from "../schemas/critique-message.ts";
import type { CriticInput } from "./role-inputs.ts";

/** How many critiques a critic is expected to have in round 1. */
export const minCritiques = 3;

/** Whether a critic found so little that the two sides may only echo each other; an answer without claims offers nothing to criticise. */
export function isEchoChamber(critiques: Critique[], { round, target }: CriticInput): boolean {
  return round === 1 && target.claims.length > 0 && critiques.length < minCritiques;
}
