import type { AnyRole } from "../../../engine/role.ts";
import type { SentimentConfig } from "../config/config.ts";
import type { SentimentExperts } from "../schemas/inputs.ts";
import { createDebateRoles } from "./debate.ts";
import { createReviewRoles } from "./reviews.ts";
import { createStage1Roles } from "./stage1.ts";

export function createRoles(experts: SentimentExperts) {
  return { ...createStage1Roles(experts), ...createDebateRoles(experts), ...createReviewRoles(experts) };
}
export type SentimentRoles = ReturnType<typeof createRoles>;

/** Roles played under a config, without those switched off (sentiment spec §1). */
export function listRoles(roles: SentimentRoles, { protocol, enable_debate, debate }: SentimentConfig): AnyRole[] {
  const isPatch = debate.style === "patch";
  const speakers = debate.order.map((key): AnyRole => (isPatch ? roles.patchSpeaker(key) : roles.stanceSpeaker(key)));
  const debaters = enable_debate ? [...speakers, isPatch ? roles.patchJudge : roles.stanceJudge] : [];
  const others = [roles.validator, ...debaters, roles.ateReview, roles.atsaReview, roles.validatorReview];
  return [roles.ate, roles.atsa, ...(protocol === "debate" ? others : [])];
}
