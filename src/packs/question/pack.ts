import { definePack } from "../../engine/define-pack.ts";
import { QuestionSchema } from "./case.ts";
import { QuestionConfigSchema } from "./config.ts";
import { datasets } from "./datasets.ts";
import { examples } from "./examples.ts";
import { experts } from "./experts/experts.ts";
import { measure } from "./measure.ts";
import { prompts } from "./prompts/read-prompts.ts";
import { createProtocol } from "./protocol.ts";
import { comparesAnswers, hasJudge, speakersOf } from "./rules/speakers.ts";
import { createRoles } from "./roles/create-roles.ts";
import type { QuestionConfig } from "./schemas/config.ts";
import { type QuestionDecision, QuestionDecisionSchema } from "./schemas/decision.ts";
import type { Question } from "./schemas/question.ts";
import { headline } from "./show/headline.ts";
import { report } from "./show/report.ts";
import { tell } from "./show/tell.ts";
import { view } from "./show/view.ts";
import { words } from "./show/words.ts";

const makeRoles = () => createRoles(experts);

/** Open questions: personas answer, read each other, and a vote or a judge decides. */
export const question = definePack<Question, QuestionConfig, QuestionDecision>({
  name: "question",
  summary: "Open questions: personas answer, read each other, and a vote or a judge decides.",
  input: QuestionSchema,
  config: QuestionConfigSchema,
  decision: QuestionDecisionSchema,
  roles: (config) => {
    const roles = makeRoles();
    return [
      ...roles.speakers(speakersOf(config)),
      ...(comparesAnswers(config) ? [roles.sameAnswer] : []),
      ...(hasJudge(config) ? [roles.judge] : []),
    ];
  },
  protocol: createProtocol(makeRoles),
  mostRounds(config) {
    if (config.protocol === "on-disagreement") return 2;
    return config.protocol === "round-table" ? config.max_rounds + (hasJudge(config) ? 1 : 0) : 0;
  },
  examples,
  prompts,
  fromText: (text) => ({ question: text }),
  words,
  subject: ({ question: asked }) => asked,
  headline,
  report,
  view,
  tell,
  controls: {
    single: { protocol: "single" },
    vote: { protocol: "vote" },
    self_consistency: (samples) => ({ protocol: "self_consistency", samples }),
    adaptive_vote: (samples) => ({ protocol: "adaptive-vote", samples }),
    on_disagreement: { protocol: "on-disagreement" },
    self_moa: (samples) => ({ protocol: "self-moa", samples: Math.max(1, samples - 1) }),
    mixed: { protocol: "round-table", max_rounds: 1, judge: true },
  },
  measure,
  datasets,
});
