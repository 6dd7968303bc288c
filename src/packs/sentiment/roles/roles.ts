import type { AnyRole } from "../../../engine/role.ts";
import type { SentimentConfig } from "../config/resolve-config.ts";
import type { Persona } from "../schemas/debate.ts";
import type { SentimentExperts } from "../schemas/role-inputs.ts";
import { createPatchJudge, createPatchSpeaker } from "./debate/patch-roles.ts";
import { createStanceJudge, createStanceSpeaker } from "./debate/stance-roles.ts";
import { createStage1Roles } from "./stage1/stage1-roles.ts";
import { createReviewRoles } from "./stage2/review-roles.ts";

/** Every role of the pack, with its expert. */
export type SentimentRoles = ReturnType<typeof createRoles>;

/** The roles of the pack, each played offline by one of these experts. */
export function createRoles(experts: SentimentExperts) {
  return {
    ...createStage1Roles(experts),
    ...createReviewRoles(experts),
    patchJudge: createPatchJudge(experts),
    stanceJudge: createStanceJudge(experts),
    patchSpeaker: (key: string, persona: Persona) => createPatchSpeaker(key, persona, experts),
    stanceSpeaker: (key: string, persona: Persona) => createStanceSpeaker(key, persona, experts),
  };
}

/** The roles that are played under a config: what is switched off is played by nobody (sentiment spec §1). */
export function listRoles(roles: SentimentRoles, config: SentimentConfig): AnyRole[] {
  const debates = config.protocol === "debate" && config.enable_debate;
  const reviews = config.protocol === "debate" && config.enable_stage2;
  const speaks = debates || (config.protocol === "vote" && config.debate.style === "patch");
  const checks = config.enable_validator && config.protocol !== "single" && config.protocol !== "self_consistency";
  return [
    roles.ate,
    roles.atsa,
    ...(checks ? [roles.validator] : []),
    ...(speaks ? listSpeakers(roles, config) : []),
    ...(debates ? [config.debate.style === "patch" ? roles.patchJudge : roles.stanceJudge] : []),
    ...(reviews ? [roles.ateReview, roles.atsaReview] : []),
    ...(reviews && config.enable_validator ? [roles.validatorReview] : []),
  ];
}

function listSpeakers(roles: SentimentRoles, { debate }: SentimentConfig): AnyRole[] {
  return debate.order.flatMap((key) => {
    const persona = debate.personas[key];
    if (!persona) return [];
    return [debate.style === "patch" ? roles.patchSpeaker(key, persona) : roles.stanceSpeaker(key, persona)];
  });
}
