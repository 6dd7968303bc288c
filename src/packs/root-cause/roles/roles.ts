import type { Block } from "../../../contract/prompt.ts";
import type { Problem } from "../../../contract/turn.ts";
import { type AnyRole, defineRole, type Role } from "../../../engine/role.ts";
import { prompts } from "../prompts/read-prompts.ts";
import { incidentsShown } from "../rules/evidence.ts";
import { type Before, checkHypotheses, salvageHypotheses } from "../rules/hypotheses.ts";
import type { AnonymousHypothesis } from "../rules/judge-score.ts";
import type { Reviewed, Rival } from "../rules/round.ts";
import {
  type Hypothesis,
  idPrefixes,
  type ReasonerName,
  ReasonerReplySchema,
  reasonerNames,
  type SalvagedReply,
} from "../schemas/hypothesis.ts";
import { criteria, type JudgeReply, JudgeReplySchema, type LabelScore, rubric } from "../schemas/judgement.ts";
import type { Material } from "../schemas/material.ts";
import { buildErrors, buildHistory, buildLog, buildNumbers, describeIncident } from "./blocks.ts";

/** A reasoner's input (root-cause spec §4.2); `own` and `others` are empty in round 1. */
export type ReasonerInput = {
  reasoner: ReasonerName;
  round: number;
  material: Material;
  own: Reviewed[];
  others: Rival[];
};

export type JudgeInput = { round: number; material: Material; hypotheses: AnonymousHypothesis[] };

export type RootCauseExperts = Record<ReasonerName, (input: ReasonerInput) => SalvagedReply | null> & {
  judge: (input: JudgeInput) => JudgeReply;
};

export type RootCauseRoles = Record<ReasonerName, Role<ReasonerInput, SalvagedReply>> & {
  judge: Role<JudgeInput, JudgeReply>;
};

export function createRoles(experts: RootCauseExperts): RootCauseRoles {
  return {
    log_focused: createReasoner("log_focused", experts.log_focused),
    kg_focused: createReasoner("kg_focused", experts.kg_focused),
    hybrid: createReasoner("hybrid", experts.hybrid),
    judge: createJudge(experts.judge),
  };
}

/** The history reasoner is asked only if there is history. */
export function listReasoners(hasHistory: boolean): ReasonerName[] {
  return reasonerNames.filter((name) => name !== "kg_focused" || hasHistory);
}

type RoleChoice = { protocol: string; reasoner: ReasonerName; knowledge: { enabled: boolean } };

export function listRoles(roles: RootCauseRoles, { protocol, reasoner, knowledge }: RoleChoice): AnyRole[] {
  if (protocol === "single" || protocol === "self_consistency") return [roles[reasoner]];
  const speakers = listReasoners(knowledge.enabled).map((name) => roles[name]);
  return protocol === "vote" ? speakers : [...speakers, roles.judge];
}

/** A reasoner proposes hypotheses in round 1 and refines them afterwards (root-cause spec §4.2). */
function createReasoner<N extends ReasonerName>(
  name: N,
  expert: RootCauseExperts[N],
): Role<ReasonerInput, SalvagedReply> {
  return defineRole<ReasonerInput, SalvagedReply>({
    name,
    reply: ReasonerReplySchema,
    prompt: (input) => ({
      instructions: prompts["reasoner.md"],
      blocks: listMaterial(input),
      own: [...listOthers(input), ...listOwn(input), { label: "YOUR TASK", text: writeTask(input) }],
    }),
    check: (reply, input) => checkHypotheses(reply, listBefore(input)),
    salvage: (reply, problems, input) => salvageHypotheses(reply, problems, listBefore(input)),
    expert,
  });
}

function listBefore({ reasoner, round, material, own, others }: ReasonerInput): Before {
  return {
    reasoner,
    round,
    material,
    own: own.map(({ hypothesis }) => hypothesis),
    others: others.map(({ hypothesis }) => hypothesis),
  };
}

function listMaterial({ reasoner, material }: ReasonerInput): Block[] {
  if (reasoner === "kg_focused") return [buildErrors(material), ...buildHistory(material, incidentsShown.kg_focused)];
  const log = [buildErrors(material), ...buildLog(material)];
  return reasoner === "hybrid"
    ? [...log, ...buildNumbers(material), ...buildHistory(material, incidentsShown.hybrid)]
    : log;
}

function listOthers({ round, others }: ReasonerInput): Block[] {
  if (round === 1 || others.length === 0) return [];
  const best = others.map(({ hypothesis: { id, hypothesis, category, confidence, evidence }, judge_score }) => ({
    id,
    score: judge_score,
    hypothesis,
    category,
    confidence,
    evidence,
  }));
  return [{ label: "THE OTHERS' BEST HYPOTHESES", json: best }];
}

const tasks: Record<ReasonerName, string> = {
  log_focused: "the log reasoner: words and their order, the first failure, what is new or missing",
  kg_focused:
    "the history reasoner: past incidents; would the cause of one explain what is seen now, and where does it differ? If none fits, give the nearest with a low confidence",
  hybrid: "the hybrid reasoner: numbers, calls and flows first, then what log and history say together",
};

function writeTask({ round, reasoner }: ReasonerInput): string {
  const prefix = idPrefixes[reasoner];
  const task = round === 1 ? "Propose." : `This is round ${round}: refine each of your hypotheses, or drop it.`;
  return `You are ${tasks[reasoner]}. Your ids are ${prefix}_1, ${prefix}_2 and so on. ${task}`;
}

function listOwn({ own }: ReasonerInput): Block[] {
  return own.length === 0 ? [] : [{ label: "YOUR HYPOTHESES AND WHAT THE JUDGE SAID", json: own.map(describeOwn) }];
}

function describeOwn({
  hypothesis: { id, hypothesis, category, confidence, evidence, struck, mended },
  evaluation,
}: Reviewed): string {
  const cited = evidence.map(({ ref }) => ref).join(", ");
  const lost = struck?.length ? ` Struck: ${struck.map(({ ref }) => ref).join(", ")}.` : "";
  const judged = evaluation
    ? ` Score ${evaluation.judge_score}/100. Strengths: ${evaluation.strengths.join(" ") || "none"} Weaknesses: ${evaluation.weaknesses.join(" ") || "none"} Feedback: ${evaluation.feedback || "none"}`
    : " The judge did not score it.";
  return `${id} (${category}, confidence ${confidence}, evidence ${cited || "none"}): ${hypothesis}.${judged}${lost}${mended?.length ? ` Mended: ${mended.join("; ")}.` : ""}`;
}

/** The judge: scores all hypotheses of a round at once, anonymously (root-cause spec §4.3). */
function createJudge(expert: RootCauseExperts["judge"]): Role<JudgeInput, JudgeReply> {
  return defineRole<JudgeInput, JudgeReply>({
    name: "judge",
    reply: JudgeReplySchema,
    prompt: ({ round, material, hypotheses }) => ({
      instructions: prompts["judge.md"],
      blocks: [
        buildErrors(material),
        ...buildLog(material),
        ...buildNumbers(material),
        ...listCited(material, hypotheses),
      ],
      own: [
        { label: "HYPOTHESES", json: hypotheses.map((one) => describeHypothesis(one, material)) },
        { label: "YOUR TASK", text: `Round ${round}: score ${hypotheses.map(({ label }) => label).join(", ")}.` },
      ],
    }),
    check: checkJudgement,
    salvage: salvageJudgement,
    aids: { form: () => ({ labels: judgeLabels }), carry: carryJudgement },
    expert,
  });
}

const judgeLabels = {
  strengths: "What speaks for it",
  weaknesses: "What speaks against it",
  feedback: "What should its author change?",
  same_cause: "Labels that name the same cause",
  ...Object.fromEntries(criteria.map((name) => [name, `${name.replaceAll("_", " ")}, 0 to ${rubric[name]}`])),
};

function describeHypothesis({ evidence, struck, mended, ...one }: AnonymousHypothesis, { lines }: Material) {
  const shown = new Set(lines.map(({ ref }) => String(ref)));
  const items = evidence.map(({ kind, ref, quote }) =>
    kind === "log" && shown.has(String(ref)) ? `line ${ref}` : `${kind} ${ref}: ${quote}`,
  );
  return {
    ...one,
    evidence: items,
    ...(struck?.length && { struck: struck.length }),
    ...(mended?.length && { mended }),
  };
}

function listCited({ history }: Material, hypotheses: readonly Pick<Hypothesis, "evidence">[]): Block[] {
  const ids = new Set(hypotheses.flatMap(({ evidence }) => evidence.map(({ ref }) => String(ref))));
  const cited = (history?.similar_incidents ?? []).filter(({ incident_id }) => ids.has(incident_id));
  return cited.length > 0 ? [{ label: "PAST INCIDENTS THAT THEY CITE", json: cited.map(describeIncident) }] : [];
}

function keyLabel(label: string): string {
  return label.trim().toUpperCase();
}

function checkJudgement({ scores, same_cause }: JudgeReply, { hypotheses }: JudgeInput): Problem[] {
  const labels = hypotheses.map(({ label }) => label);
  const said = new Set(scores.map(({ label }) => keyLabel(label)));
  const missing = labels.filter((label) => !said.has(label));
  const problem = (code: string, message: string, path: (string | number)[]): Problem => ({
    code,
    message,
    severity: "salvage",
    path,
  });
  return [
    ...(missing.length > 0
      ? [problem("unscored", `${missing.join(", ")} not scored; score every hypothesis`, ["scores"])]
      : []),
    ...scores.flatMap(({ label, ...score }, at): Problem[] => {
      const key = keyLabel(label);
      if (!labels.includes(key)) return [problem("unknown_label", `there is no hypothesis ${label}`, ["scores", at])];
      if (scores.findIndex((one) => keyLabel(one.label) === key) !== at)
        return [problem("scored_twice", `${label} is scored twice; the first counts`, ["scores", at])];
      const wrong = criteria.filter((criterion) => score[criterion] < 0 || score[criterion] > rubric[criterion]);
      return wrong.map((criterion) =>
        problem("out_of_range", `${label}: ${criterion} is ${score[criterion]}; give 0 to ${rubric[criterion]}`, [
          "scores",
          at,
        ]),
      );
    }),
    ...same_cause.flatMap((group, at) =>
      group.flatMap((label, place) =>
        labels.includes(keyLabel(label))
          ? []
          : [problem("unknown_label", `there is no hypothesis ${label}`, ["same_cause", at, place])],
      ),
    ),
  ];
}

function salvageJudgement(
  { scores, same_cause }: JudgeReply,
  problems: Problem[],
  { hypotheses }: JudgeInput,
): JudgeReply {
  const cut = new Set(problems.filter(({ path }) => path?.[0] === "scores").map(({ path }) => path?.[1]));
  const labels = new Set(hypotheses.map(({ label }) => label));
  return {
    scores: scores
      .filter((_, at) => !cut.has(at))
      .map((score): LabelScore => ({ ...score, label: keyLabel(score.label) })),
    same_cause: same_cause.map((group) => group.map(keyLabel).filter((label) => labels.has(label))),
  };
}

function carryJudgement({ scores, same_cause }: JudgeReply, from: JudgeInput, to: JudgeInput): JudgeReply {
  const labels = new Map(
    from.hypotheses.flatMap(({ label, hypothesis }) =>
      to.hypotheses.filter((one) => one.hypothesis === hypothesis).map((one) => [label, one.label] as const),
    ),
  );
  return {
    scores: scores.flatMap((score) => {
      const label = labels.get(score.label);
      return label === undefined ? [] : [{ ...score, label }];
    }),
    same_cause: same_cause.map((group) => group.flatMap((label) => labels.get(label) ?? [])),
  };
}
