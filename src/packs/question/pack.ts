import { readFileSync } from "node:fs";
import { definePack } from "../../engine/define-pack.ts";
import { type Question, QuestionSchema } from "./schemas/case.ts";
import { comparesAnswers, hasJudge, type QuestionConfig, QuestionConfigSchema, speakersOf } from "./schemas/config.ts";
import { experts } from "./experts/experts.ts";
import { measure } from "./measure.ts";
import { prepare } from "./prepare.ts";
import { createProtocol } from "./protocol.ts";
import { createRoles } from "./roles/roles.ts";
import { type Material, MaterialSchema, type QuestionDecision, QuestionDecisionSchema } from "./schemas/debate.ts";
import { sections, story } from "./show.ts";

/** Documents written for the purpose, and questions on them. */
const examples = JSON.parse(readFileSync(new URL("../../../data/question/examples.json", import.meta.url), "utf8")) as {
  name: string;
  input: unknown;
  config?: unknown;
}[];

const makeRoles = () => createRoles(experts);

/** Open questions: personas answer, read each other, and a vote or a judge decides. */
export const question = definePack<Question, QuestionConfig, QuestionDecision, Material>({
  name: "question",
  summary: "Open questions: personas answer, read each other, and a vote or a judge decides.",
  input: QuestionSchema,
  config: QuestionConfigSchema,
  material: MaterialSchema,
  decision: QuestionDecisionSchema,
  prepare,
  roles: (config) => {
    const roles = makeRoles();
    return [
      ...roles.speakers(speakersOf(config)),
      ...(comparesAnswers(config) ? [roles.sameAnswer] : []),
      ...(hasJudge(config) ? [roles.judge] : []),
    ];
  },
  protocol: createProtocol(makeRoles),
  examples,
  story,
  sections,
  measure,
});
