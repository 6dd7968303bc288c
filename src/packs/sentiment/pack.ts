import { definePack } from "../../engine/define-pack.ts";
import { type SentimentCase, SentimentCaseSchema } from "./schemas/case.ts";
import { type SentimentConfig, SentimentConfigSchema } from "./config/config.ts";
import { type FinalOutput, FinalOutputSchema } from "./decision.ts";
import { createExperts } from "./experts/experts.ts";
import { measure } from "./measure.ts";
import { prepare } from "./prepare.ts";
import { createProtocol } from "./protocol.ts";
import { createRoles, listRoles, type SentimentRoles } from "./roles/roles.ts";
import { type Material, MaterialSchema } from "./schemas/material.ts";
import { buildArtifacts } from "./show/artifacts.ts";
import { sections } from "./show/sections.ts";
import { story } from "./show/story.ts";

const examples = [
  {
    name: "a negation in English",
    input: {
      id: "en-1",
      text: "The battery life is not bad at all, but the screen scratches far too easily.",
      language_code: "en",
    },
  },
  {
    name: "a parcel that is mentioned, not praised (Korean)",
    input: { id: "ko-1", text: "택배는 월요일에 왔어요. 포장은 꼼꼼한데 향이 너무 약해요.", language_code: "ko" },
  },
  {
    name: "the stance style",
    input: { id: "en-2", text: "Friendly staff and great coffee, though the chairs are uncomfortable." },
    config: { debate: { style: "stance" } },
  },
];

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
  roles: (config) => listRoles(rolesOf(config), config),
  protocol: (debate, given, config) => createProtocol(rolesOf(config))(debate, given, config),
  examples,
  story,
  sections,
  measure,
  artifacts: ({ result }) => (result.decision ? buildArtifacts(result.decision) : []),
});
