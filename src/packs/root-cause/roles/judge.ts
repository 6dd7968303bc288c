import type { Block } from "../../../contract/prompt.ts";
import type { Problem } from "../../../contract/turn.ts";
import { defineRole, type Role } from "../../../engine/role.ts";
import { prompts } from "../prompts/read-prompts.ts";
import { type JudgeReply, JudgeReplySchema } from "../schemas/judgement.ts";
import { buildLogBlocks, tellIncident } from "./incident-blocks.ts";
import { buildHypotheses, buildRoundBlocks } from "./round-blocks.ts";
import type { JudgeInput, RootCauseExperts } from "./role-inputs.ts";

export type JudgeRole = Role<JudgeInput, JudgeReply>;

/** The judge: scores every hypothesis of a round at once, anonymised (root-cause spec §4.3). */
export function createJudge(expert: RootCauseExperts["judge"]): JudgeRole {
  return defineRole<JudgeInput, JudgeReply>({
    name: "judge",
    reply: JudgeReplySchema,
    prompt: ({ round, incident, told, hypotheses }) => ({
      instructions: prompts["common.md"],
      blocks: listBlocks({ round, incident, told, hypotheses }),
      own: [
        {
          label: "PAST INCIDENTS THAT THEY CITE",
          json: listCited(incident, [...told.flatMap((one) => one.hypotheses), ...hypotheses]),
        },
        {
          label: "YOUR TASK",
          text: `You are the judge. Score every hypothesis of ROUND ${round} HYPOTHESES, each by its label.`,
        },
      ],
    }),
    check: checkJudgement,
    salvage: salvageJudgement,
    experiment: { carry: carryJudgement },
    expert,
  });
}

function listBlocks({ round, incident, told, hypotheses }: JudgeInput): Block[] {
  const { errors, log } = buildLogBlocks(incident);
  return [errors, ...log, ...buildRoundBlocks(told, incident), buildHypotheses(round, hypotheses, incident)];
}

/** The past incidents that the hypotheses cite: the judge weighs no history that it was not shown. */
function listCited({ knowledge }: JudgeInput["incident"], hypotheses: JudgeInput["hypotheses"]) {
  const ids = new Set(hypotheses.flatMap(({ evidence }) => evidence.map(({ ref }) => String(ref))));
  return (knowledge?.similar_incidents ?? []).filter(({ incident_id }) => ids.has(incident_id)).map(tellIncident);
}

function checkJudgement({ scores, same_cause }: JudgeReply, { hypotheses }: JudgeInput): Problem[] {
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
    ...checkLabels(scores, labels),
    ...same_cause.flatMap((group, at) =>
      group.flatMap((label, place) => (labels.has(label) ? [] : [reportUnknown(label, ["same_cause", at, place])])),
    ),
  ];
}

/** Every score has a known label, and each label one score. */
function checkLabels(scores: JudgeReply["scores"], labels: ReadonlySet<string>): Problem[] {
  return scores.flatMap(({ label }, at): Problem[] => {
    const path = ["scores", at, "label"];
    if (!labels.has(label)) return [reportUnknown(label, path)];
    const again = scores.findIndex((score) => score.label === label) !== at;
    return again
      ? [{ code: "scored_twice", severity: "salvage", path, message: `${label} is scored twice; the first counts` }]
      : [];
  });
}

function reportUnknown(label: string, path: (string | number)[]): Problem {
  return { code: "unknown_label", severity: "salvage", path, message: `there is no hypothesis ${label}` };
}

/** Leaves out scores and group members that name no hypothesis, and second scores. */
function salvageJudgement({ scores, same_cause }: JudgeReply, problems: Problem[], { hypotheses }: JudgeInput) {
  const cut = new Set(problems.filter(({ path }) => path?.[0] === "scores").map(({ path }) => path?.[1]));
  const labels = new Set(hypotheses.map(({ label }) => label));
  return {
    scores: scores.filter((_, at) => !cut.has(at)),
    same_cause: same_cause.map((group) => group.filter((label) => labels.has(label))),
  };
}

/** The scores of what stands before the judge under another label now; what was said of others is left out. */
function carryJudgement({ scores, same_cause }: JudgeReply, from: JudgeInput, to: JudgeInput): JudgeReply {
  const left = [...to.hypotheses];
  const labels = new Map<string, string>();
  for (const { label, hypothesis } of from.hypotheses) {
    const at = left.findIndex((one) => one.hypothesis === hypothesis);
    const [same] = at < 0 ? [] : left.splice(at, 1);
    if (same) labels.set(label, same.label);
  }
  return {
    scores: scores.flatMap((score) => {
      const label = labels.get(score.label);
      return label === undefined ? [] : [{ ...score, label }];
    }),
    same_cause: same_cause.map((group) => group.flatMap((label) => labels.get(label) ?? [])),
  };
}
