import { definePack } from "../../engine/pack.ts";
import { type RootCauseConfig, RootCauseConfigSchema } from "./config.ts";
import { type RootCauseDecision, RootCauseDecisionSchema } from "./decision.ts";
import { examples } from "./examples.ts";
import { type RootCauseInput, RootCauseInputSchema } from "./input.ts";
import { logFromText } from "./logs/log-from-text.ts";
import { measure } from "./measure.ts";
import { prompts } from "./prompts.ts";
import { rootCauseProtocol } from "./protocol.ts";
import { judge } from "./roles/judge.ts";
import { reasoners } from "./roles/reasoner.ts";
import { artifacts } from "./show/artifacts.ts";
import { headline, subject } from "./show/headline.ts";
import { report } from "./show/report.ts";
import { verify } from "./show/verify.ts";
import { view } from "./show/view.ts";

/** Root causes from logs: three reasoners over the log and past incidents, and a judge each round. */
export const rootCause = definePack<RootCauseInput, RootCauseConfig, RootCauseDecision>({
  name: "root-cause",
  summary: "Root causes from logs: three reasoners over the log and past incidents, and a judge each round.",
  input: RootCauseInputSchema,
  config: RootCauseConfigSchema,
  decision: RootCauseDecisionSchema,
  roles: ({ protocol, reasoner, knowledge }) => {
    if (protocol === "single" || protocol === "self_consistency") return [reasoners[reasoner]];
    const speakers = [reasoners.log_focused, ...(knowledge.enabled ? [reasoners.kg_focused] : []), reasoners.hybrid];
    return protocol === "vote" ? speakers : [...speakers, judge];
  },
  protocol: rootCauseProtocol,
  examples,
  prompts,
  fromText: logFromText,
  subject,
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
