import type { Problem } from "../../../contract/turn.ts";
import { defineRole, type Role } from "../../../engine/role.ts";
import { judgeByFacts } from "../experts/judge.ts";
import type { Hypothesis } from "../hypothesis.ts";
import { type JudgeReply, JudgeReplySchema } from "../judgement.ts";
import { prompts } from "../prompts.ts";
import { incidentBlocks } from "./incident-blocks.ts";
import type { IncidentData } from "./reasoner-input.ts";

/** A hypothesis as the judge sees it: its words and its evidence, but neither its id nor who wrote it. */
export type Anonymous = { label: string } & Omit<Hypothesis, "id" | "from" | "changes_made">;

/** What the judge is given: the incident and all hypotheses of the round, in an order shuffled by seed. */
export type JudgeInput = { round: number; incident: IncidentData; hypotheses: Anonymous[] };

/** The judge: scores every hypothesis of a round at once, anonymised (root-cause §4). */
export const judge: Role<JudgeInput, JudgeReply> = defineRole<JudgeInput, JudgeReply>({
  name: "judge",
  reply: JudgeReplySchema,
  prompt: ({ incident, hypotheses }) => ({
    instructions: prompts["common.md"],
    blocks: incidentBlocks(incident, "judge"),
    own: [
      { label: "HYPOTHESES", json: hypotheses },
      { label: "YOUR TASK", text: prompts["judge.md"] },
    ],
  }),
  check: ({ scores, same_cause }, { hypotheses }) => {
    const labels = new Set(hypotheses.map(({ label }) => label));
    const missing = [...labels].filter((label) => !scores.some((score) => score.label === label));
    return [
      ...missing.map(
        (label): Problem => ({
          code: "unscored",
          severity: "reject",
          path: ["scores"],
          message: `${label} is not scored; score every hypothesis`,
        }),
      ),
      ...scores.flatMap(({ label }, at): Problem[] => {
        const path = ["scores", at, "label"];
        if (!labels.has(label))
          return [{ code: "unknown_label", severity: "salvage", path, message: `there is no hypothesis ${label}` }];
        const again = scores.findIndex((score) => score.label === label) !== at;
        return again
          ? [{ code: "scored_twice", severity: "salvage", path, message: `${label} is scored twice; the first counts` }]
          : [];
      }),
      ...same_cause.flatMap((group, at) =>
        group.flatMap((label, place): Problem[] =>
          labels.has(label)
            ? []
            : [
                {
                  code: "unknown_label",
                  severity: "salvage",
                  path: ["same_cause", at, place],
                  message: `there is no hypothesis ${label}`,
                },
              ],
        ),
      ),
    ];
  },
  salvage: ({ scores, same_cause }, problems, { hypotheses }) => {
    const cut = new Set(problems.filter(({ path }) => path?.[0] === "scores").map(({ path }) => path?.[1]));
    const labels = new Set(hypotheses.map(({ label }) => label));
    return {
      scores: scores.filter((_, at) => !cut.has(at)),
      same_cause: same_cause.map((group) => group.filter((label) => labels.has(label))),
    };
  },
  expert: judgeByFacts,
});
