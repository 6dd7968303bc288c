import { definePack } from "../../engine/define-pack.ts";
import type { Pack } from "../../engine/pack.ts";
import { parseText } from "../../knowledge/logs/index.ts";
import { type RootCauseCase, RootCauseCaseSchema } from "./case.ts";
import { type RootCauseConfig, RootCauseConfigSchema } from "./config.ts";
import { type RootCauseDecision, RootCauseDecisionSchema } from "./decision.ts";
import { datasets } from "./datasets.ts";
import { examples } from "./examples.ts";
import { experts as builtInExperts } from "./experts/experts.ts";
import { measure } from "./measure.ts";
import { prompts } from "./prompts/read-prompts.ts";
import { createProtocol } from "./protocol.ts";
import type { RootCauseExperts } from "./roles/role-inputs.ts";
import { createRoles, listRoles } from "./roles/roles.ts";
import { listArtifacts } from "./show/artifacts.ts";
import { describeSubject, writeHeadline } from "./show/headline.ts";
import { report } from "./show/report.ts";
import { verify } from "./show/verify.ts";
import { tell } from "./show/tell.ts";
import { view } from "./show/view.ts";
import { words } from "./show/words.ts";

/** The pack with these experts: three reasoners over the log and past incidents, and a judge each round. */
export function createRootCausePack(
  experts: RootCauseExperts,
): Pack<RootCauseCase, RootCauseConfig, RootCauseDecision> {
  const roles = createRoles(experts);
  return definePack<RootCauseCase, RootCauseConfig, RootCauseDecision>({
    name: "root-cause",
    summary: "Root causes from logs: three reasoners over the log and past incidents, and a judge each round.",
    input: RootCauseCaseSchema,
    config: RootCauseConfigSchema,
    decision: RootCauseDecisionSchema,
    roles: (config) => listRoles(roles, config),
    protocol: createProtocol(roles),
    mostRounds: ({ protocol, max_rounds }) => (protocol === "debate" ? max_rounds : 0),
    examples,
    prompts,
    fromText: parseText,
    words,
    subject: describeSubject,
    headline: writeHeadline,
    report,
    view,
    tell,
    artifacts: listArtifacts,
    verify,
    controls: {
      single: { protocol: "single" },
      vote: { protocol: "vote" },
      self_consistency: (samples) => ({ protocol: "self_consistency", samples }),
    },
    measure,
    datasets,
  });
}

/** Root causes from logs, with the built-in experts. */
export const rootCause = createRootCausePack(builtInExperts);
