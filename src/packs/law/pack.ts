import { definePack } from "../../engine/pack.ts";
import { artifacts } from "./show/artifacts.ts";
import { type LawConfig, LawConfigSchema, needsEmbedder } from "./config.ts";
import { type LawDecision, LawDecisionSchema } from "./decision.ts";
import { examples } from "./examples.ts";
import { type LawInput, LawInputSchema } from "./input.ts";
import { measure } from "./measure.ts";
import { prompts } from "./prompts.ts";
import { protocol } from "./protocol.ts";
import { headline } from "./show/headline.ts";
import { report } from "./show/report.ts";
import { ala, nla } from "./roles/agent-role.ts";
import { alaCritic, nlaCritic } from "./roles/critic-role.ts";
import { embedder } from "./roles/embedder-role.ts";
import { solo, voters } from "./roles/solo-role.ts";
import { supervisor } from "./roles/supervisor-role.ts";
import { verify } from "./verify.ts";
import { view } from "./show/view.ts";

/** Indonesian law: a National Law Agent and an Adat Law Agent debate a question over cited sources, a supervisor concludes. */
export const law = definePack<LawInput, LawConfig, LawDecision>({
  name: "law",
  summary: "Indonesian law: national and adat agents debate a question over cited sources, a supervisor concludes.",
  input: LawInputSchema,
  config: LawConfigSchema,
  decision: LawDecisionSchema,
  roles: (config) => {
    const { protocol: kind, critique } = config;
    const embedders = needsEmbedder(config) ? [embedder] : [];
    if (kind === "vote") return [...voters, ...embedders];
    if (kind !== "debate") return [solo, ...embedders];
    const critics = critique ? [nlaCritic, alaCritic] : [];
    return [nla, ala, ...critics, supervisor, ...embedders];
  },
  protocol,
  examples,
  prompts,
  fromText: (text) => ({ query: text }),
  subject: ({ query }) => query,
  headline,
  report,
  view,
  artifacts,
  verify,
  controls: {
    single: { protocol: "single" },
    vote: { protocol: "vote" },
    self_consistency: (samples) => ({ protocol: "self_consistency", samples }),
  },
  measure,
});
