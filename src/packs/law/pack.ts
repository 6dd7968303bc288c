import { definePack } from "../../engine/define-pack.ts";
import { type LawInput, LawInputSchema } from "./case.ts";
import { findLastRound, type LawConfig, LawConfigSchema, needsEmbedder } from "./config.ts";
import { datasets } from "./datasets.ts";
import { examples } from "./examples.ts";
import { experts } from "./experts/experts.ts";
import { measure } from "./measure.ts";
import { prompts } from "./prompts/read-prompts.ts";
import { createProtocol } from "./protocol.ts";
import { createDecide } from "./decide-recorded.ts";
import { createRoles, selectRoles } from "./roles/create-roles.ts";
import { type LawDecision, LawDecisionSchema } from "./schemas/decision.ts";
import { artifacts } from "./show/artifacts.ts";
import { headline } from "./show/headline.ts";
import { report } from "./show/report.ts";
import { verify } from "./show/verify.ts";
import { tell } from "./show/tell.ts";
import { view } from "./show/view.ts";
import { words } from "./show/words.ts";

const roles = createRoles(experts);

/** Decides a recorded debate by the rules alone, without a call (law spec §6.1). */
export const decide = createDecide(experts.supervise);

/** Indonesian law: a National Law Agent and an Adat Law Agent debate a question over cited sources, a supervisor concludes. */
export const law = definePack<LawInput, LawConfig, LawDecision>({
  name: "law",
  summary: "Indonesian law: national and adat agents debate a question over cited sources, a supervisor concludes.",
  input: LawInputSchema,
  config: LawConfigSchema,
  decision: LawDecisionSchema,
  roles: (config) => selectRoles(roles, { ...config, embedder: needsEmbedder(config) }),
  protocol: createProtocol(roles, experts.supervise),
  mostRounds: (config) => (config.protocol === "debate" ? findLastRound(config) : 0),
  examples,
  prompts,
  fromText: (text) => ({ query: text }),
  words,
  subject: ({ query }) => query,
  headline,
  languageOf: ({ language }) => language,
  report,
  view,
  tell,
  artifacts,
  verify,
  controls: {
    single: { protocol: "single" },
    vote: { protocol: "vote" },
    self_consistency: (samples) => ({ protocol: "self_consistency", samples }),
  },
  measure,
  datasets,
});
