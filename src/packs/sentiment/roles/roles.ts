import type { AnyRole } from "../../../engine/role.ts";
import type { SentimentConfig } from "../config/config.ts";
import type { SentimentExperts } from "../role-inputs.ts";
import type { Persona } from "../schemas/debate.ts";
import { patchJudge, stanceJudge } from "./judge-roles.ts";
import { reviewRoles } from "./review-roles.ts";
import { patchSpeaker, stanceSpeaker } from "./speaker-roles.ts";
import { stage1Roles } from "./stage1-roles.ts";

/** Every role of the pack, with its expert. */
export type SentimentRoles = ReturnType<typeof sentimentRoles>;

export function sentimentRoles(experts: SentimentExperts) {
  return {
    ...stage1Roles(experts),
    ...reviewRoles(experts),
    patchJudge: patchJudge(experts),
    stanceJudge: stanceJudge(experts),
    patchSpeaker: (key: string, persona: Persona) => patchSpeaker(key, persona, experts),
    stanceSpeaker: (key: string, persona: Persona) => stanceSpeaker(key, persona, experts),
  };
}

/** The roles that are played under a config: what is switched off has no seat. */
export function seats(roles: SentimentRoles, config: SentimentConfig): AnyRole[] {
  const debates = config.protocol === "debate" && config.enable_debate;
  const reviews = config.protocol === "debate" && config.enable_stage2;
  const speaks = debates || (config.protocol === "vote" && config.debate.style === "patch");
  const checks = config.enable_validator && config.protocol !== "single" && config.protocol !== "self_consistency";
  return [
    roles.ate,
    roles.atsa,
    ...(checks ? [roles.validator] : []),
    ...(speaks ? speakers(roles, config) : []),
    ...(debates ? [config.debate.style === "patch" ? roles.patchJudge : roles.stanceJudge] : []),
    ...(reviews ? [roles.ateReview, roles.atsaReview] : []),
    ...(reviews && config.enable_validator ? [roles.validatorReview] : []),
  ];
}

function speakers(roles: SentimentRoles, { debate }: SentimentConfig): AnyRole[] {
  return debate.order.flatMap((key) => {
    const persona = debate.personas[key];
    if (!persona) return [];
    return [debate.style === "patch" ? roles.patchSpeaker(key, persona) : roles.stanceSpeaker(key, persona)];
  });
}
