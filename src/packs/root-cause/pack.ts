import { readFileSync } from "node:fs";
import { definePack } from "../../engine/define-pack.ts";
import type { Pack } from "../../engine/pack.ts";
import { type RootCauseCase, RootCauseCaseSchema } from "./case.ts";
import { type RootCauseConfig, RootCauseConfigSchema } from "./config.ts";
import { type RootCauseDecision, RootCauseDecisionSchema } from "./decision.ts";
import { experts as builtInExperts } from "./experts/experts.ts";
import { measure } from "./measure.ts";
import { prepare } from "./prepare.ts";
import { createProtocol } from "./protocol.ts";
import { createRoles, listRoles, type RootCauseExperts } from "./roles/roles.ts";
import { type Material, MaterialSchema } from "./schemas/material.ts";
import { listArtifacts, showSections } from "./show/sections.ts";
import { describeStory } from "./show/story.ts";

const example = readFileSync(new URL("../../../data/rca/example-incident.log", import.meta.url), "utf8");

/** The pack with these experts: three reasoners over the log and past incidents, and a judge each round. */
export function createRootCausePack(
  experts: RootCauseExperts,
): Pack<RootCauseCase, RootCauseConfig, RootCauseDecision, Material> {
  const roles = createRoles(experts);
  return definePack<RootCauseCase, RootCauseConfig, RootCauseDecision, Material>({
    name: "root-cause",
    summary: "Root causes from logs: three reasoners over the log and past incidents, and a judge each round.",
    input: RootCauseCaseSchema,
    config: RootCauseConfigSchema,
    material: MaterialSchema,
    decision: RootCauseDecisionSchema,
    prepare,
    roles: (config) => listRoles(roles, config),
    protocol: createProtocol(roles),
    examples: [
      {
        name: "orders fail after a release of the stock service",
        input: { lines: example.trimEnd().split("\n"), name: "shop.log" },
      },
    ],
    story: describeStory,
    sections: showSections,
    artifacts: listArtifacts,
    measure,
  });
}

export const rootCause = createRootCausePack(builtInExperts);
