import { definePack } from "../../engine/define-pack.ts";
import { type SentimentCase, SentimentCaseSchema } from "./case.ts";
import { type SentimentConfig, SentimentConfigSchema } from "./config.ts";
import { datasets } from "./datasets.ts";
import { type FinalOutput, FinalOutputSchema } from "./decision.ts";
import { examples } from "./examples.ts";
import { createExperts } from "./experts/experts.ts";
import { measure } from "./measure.ts";
import { prompts } from "./prompts/read-prompts.ts";
import { createProtocol } from "./protocol.ts";
import { createRoles, listRoles, type SentimentRoles } from "./roles/roles.ts";
import { buildArtifacts } from "./show/artifacts.ts";
import { headline } from "./show/headline.ts";
import { report } from "./show/report.ts";
import { verifyRun } from "./show/verify.ts";
import { tell } from "./show/tell.ts";
import { view } from "./show/view.ts";
import { words } from "./show/words.ts";

const rolesBy = new WeakMap<SentimentConfig, SentimentRoles>();

/** The roles of a config, which names the layers that the experts read with: made once for all runs that share it. */
function rolesOf(config: SentimentConfig): SentimentRoles {
  const roles = rolesBy.get(config) ?? createRoles(createExperts(config.learnt));
  rolesBy.set(config, roles);
  return roles;
}

/** Aspect-based sentiment in Korean and English: Stage 1, a debate, reviews, and rules that decide what of it stands. */
export const sentiment = definePack<SentimentCase, SentimentConfig, FinalOutput>({
  name: "sentiment",
  summary: "Aspect-based sentiment in Korean and English: analysis, debate, review, and rules that decide what stands.",
  input: SentimentCaseSchema,
  config: SentimentConfigSchema,
  decision: FinalOutputSchema,
  roles: (config) => listRoles(rolesOf(config), config),
  protocol: (debate, input, config) => createProtocol(rolesOf(config))(debate, input, config),
  examples,
  prompts,
  fromText: (text) => ({ text }),
  words,
  subject: ({ text }) => text,
  headline,
  report,
  view,
  tell,
  artifacts: ({ result }) => buildArtifacts(result.decision ? [result.decision] : []),
  verify: ({ result }) => verifyRun(result.decision),
  controls: {
    single: { protocol: "single" },
    vote: { protocol: "vote" },
    self_consistency: (samples) => ({ protocol: "self_consistency", samples }),
  },
  measure,
  datasets,
});
