import { definePack } from "../../engine/define-pack.ts";
import { type SentimentCase, SentimentCaseSchema } from "./schemas/case.ts";
import { type SentimentConfig, SentimentConfigSchema } from "./config/config.ts";
import { type FinalOutput, FinalOutputSchema } from "./decision.ts";
import { examples } from "./examples.ts";
import { createExperts } from "./experts/experts.ts";
import { measure } from "./measure.ts";
import { prepare } from "./prepare.ts";
import { createProtocol } from "./protocol.ts";
import { createRoles, listRoles, type SentimentRoles } from "./roles/roles.ts";
import { type Material, MaterialSchema } from "./schemas/material.ts";
import { buildArtifacts } from "./show/artifacts.ts";
import { sections } from "./show/sections.ts";
import { story } from "./show/story.ts";

const rolesBy = new WeakMap<SentimentConfig, SentimentRoles>();

function rolesOf(config: SentimentConfig): SentimentRoles {
  const roles = rolesBy.get(config) ?? createRoles(createExperts(config.learnt));
  rolesBy.set(config, roles);
  return roles;
}

export const sentiment = definePack<SentimentCase, SentimentConfig, FinalOutput, Material>({
  name: "sentiment",
  summary: "Aspect-based sentiment in Korean and English: analysis, debate, review, and rules that decide the result.",
  input: SentimentCaseSchema,
  config: SentimentConfigSchema,
  material: MaterialSchema,
  decision: FinalOutputSchema,
  prepare,
  filesOf: ({ learnt }) => Object.values(learnt).filter((layer) => layer !== "default" && layer !== "off"),
  roles: (config) => listRoles(rolesOf(config), config),
  protocol: (debate, given, config) => createProtocol(rolesOf(config))(debate, given, config),
  examples,
  story,
  sections,
  measure,
  artifacts: ({ result }) => (result.decision ? buildArtifacts(result.decision) : []),
});
