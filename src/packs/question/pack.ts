import { definePack } from "../../engine/pack.ts";
import { type Question, QuestionSchema } from "./case.ts";
import { hasJudge, type QuestionConfig, QuestionConfigSchema } from "./config.ts";
import { type QuestionDecision, QuestionDecisionSchema } from "./decision.ts";
import { examples } from "./examples.ts";
import { measure } from "./measure.ts";
import { protocol } from "./protocol.ts";
import { report, view } from "./report.ts";
import { judgeRole, prompts, speakerRoles } from "./roles.ts";

/** Open questions: personas answer, read each other, and a vote or a judge decides. */
export const question = definePack<Question, QuestionConfig, QuestionDecision>({
  name: "question",
  summary: "Open questions: personas answer, read each other, and a vote or a judge decides.",
  input: QuestionSchema,
  config: QuestionConfigSchema,
  decision: QuestionDecisionSchema,
  roles: (config) => [...speakerRoles(config), ...(hasJudge(config) ? [judgeRole] : [])],
  protocol,
  examples,
  prompts,
  fromText: (text) => ({ question: text }),
  subject: ({ question: asked }) => asked,
  headline: ({ answer }) => ({ answer: answer ?? "none" }),
  report,
  view,
  controls: {
    single: { protocol: "single" },
    vote: { protocol: "vote" },
    self_consistency: (samples) => ({ protocol: "self-consistency", samples }),
  },
  measure,
});
