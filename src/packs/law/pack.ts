import { readFileSync } from "node:fs";
import { definePack } from "../../engine/define-pack.ts";
import { type LawConfig, LawConfigSchema } from "./config.ts";
import { answer, answerAlone, criticise, supervise } from "./experts/programs.ts";
import { measure } from "./measure.ts";
import { prepare } from "./prepare.ts";
import { createProtocol } from "./protocol.ts";
import { createRoles, selectRoles } from "./roles/create-roles.ts";
import { type LawDecision, LawDecisionSchema } from "./schemas/decision.ts";
import { type LawInput, LawInputSchema, type Material, MaterialSchema } from "./schemas/material.ts";
import { artifacts, sections } from "./show/sections.ts";
import { story } from "./show/story.ts";

const roles = createRoles({ answer, criticise, supervise, answerAlone });

export const law = definePack<LawInput, LawConfig, LawDecision, Material>({
  name: "law",
  summary: "Indonesian law: national and adat agents debate a question from cited sources, and a supervisor concludes.",
  input: LawInputSchema,
  config: LawConfigSchema,
  material: MaterialSchema,
  decision: LawDecisionSchema,
  prepare,
  roles: (config) => selectRoles(roles, config),
  protocol: createProtocol(roles),
  examples: JSON.parse(readFileSync(new URL("../../../data/law/examples.json", import.meta.url), "utf8")),
  story,
  sections,
  artifacts,
  measure,
});
