import { readFileSync } from "node:fs";
import { definePack } from "../../engine/define-pack.ts";
import { type Question, QuestionSchema } from "./schemas/case.ts";
import { comparesAnswers, hasJudge, type QuestionConfig, QuestionConfigSchema, speakersOf } from "./schemas/config.ts";
import { measure } from "./measure.ts";
import { createProtocol } from "./protocol.ts";
import { createRoles } from "./roles/roles.ts";
import { type Material, MaterialSchema, type QuestionDecision, QuestionDecisionSchema } from "./schemas/debate.ts";
import { sections, story } from "./show.ts";

export { protocolNames } from "./schemas/config.ts";

const examples = JSON.parse(readFileSync(new URL("../../../data/question/examples.json", import.meta.url), "utf8")) as {
  name: string;
  input: unknown;
  config?: unknown;
}[];

/** Loaded when needed: models without documents need no experts. */
const loadExperts = async () => (await import("./experts/experts.ts")).experts;

const makeRoles = () =>
  createRoles({
    speak: async (...given) => (await loadExperts()).speak(...given),
    judge: async (...given) => (await loadExperts()).judge(...given),
    compare: async (...given) => (await loadExperts()).compare(...given),
  });

const noDocuments: Material = {
  retrieval: "unavailable",
  by: "no documents",
  is_whole: true,
  files: [],
  passages: [],
  reserve: [],
  conflicts: [],
  changes: [],
  orders: [],
};

/** Open questions: personas answer, read each other, and a vote or a judge decides. */
export const question = definePack<Question, QuestionConfig, QuestionDecision, Material>({
  name: "question",
  summary: "Open questions: personas answer, read each other, and a vote or a judge decides.",
  input: QuestionSchema,
  config: QuestionConfigSchema,
  material: MaterialSchema,
  decision: QuestionDecisionSchema,
  prepare: async (given, config, tools) =>
    given.docs.length === 0 ? noDocuments : (await import("./prepare.ts")).prepare(given, config, tools),
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
