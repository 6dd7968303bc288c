import type { Point, Standing, Story, ToldTurn } from "../../../contract/story.ts";
import { type Turn, turnIdOf } from "../../../contract/turn.ts";
import type { Told } from "../../../engine/pack.ts";
import type { Hypothesis, ReasonerName, SalvagedReply } from "../schemas/hypothesis.ts";
import { rubric } from "../schemas/judgement.ts";
import type { Evaluation } from "../schemas/judgement.ts";
import type { DebateRecord, Round } from "../schemas/round.ts";
import type { ShownCase } from "./done.ts";
import { listExhibits, nameExhibit } from "./tell-exhibits.ts";

export const reasonerTitles: Record<ReasonerName, string> = {
  log_focused: "Log-focused",
  kg_focused: "History-focused",
  hybrid: "Hybrid",
};

/** A root-cause debate turn by turn: hypotheses with their scores, what the judge says of each, what was made of that. */
export function tell({ turns, decision, input }: Told<ShownCase, unknown, DebateRecord>): Story {
  const answered = turns.filter(({ status }) => status !== "abstained");
  const told = answered.flatMap((turn) => {
    const one = tellTurn(turn, decision);
    return one ? [{ round: turn.key.round, told: one }] : [];
  });
  const rounds = [...new Set(told.map(({ round }) => round))].sort((a, b) => a - b);
  return {
    stages: rounds.map((round) => ({
      title: round === 0 ? "Before the rounds" : `Round ${round}`,
      turns: told.filter((one) => one.round === round).map((one) => one.told),
    })),
    exhibits: listExhibits(answered.flatMap(listHypotheses), input.sources),
  };
}

function tellTurn(turn: Turn, decision: DebateRecord | null): ToldTurn | null {
  const { round, role } = turn.key;
  const record = decision?.rounds.find(({ round_number }) => round_number === round);
  const id = turnIdOf(turn.key);
  const hypotheses = listHypotheses(turn);
  if (hypotheses.length > 0) {
    const { fewer_reason } = turn.reply as SalvagedReply;
    const does = round > 1 ? "refines" : "proposes";
    const points = hypotheses.map((one) => tellHypothesis(one, round, decision));
    return { turn: id, speaker: reasonerTitles[role as ReasonerName] ?? role, does, says: fewer_reason ?? "", points };
  }
  if (!record?.judge_evaluation || !("scores" in (turn.reply as object))) return null;
  const judged = record.judge_evaluation.evaluated.toSorted((a, b) => a.rank - b.rank);
  const points = judged.map((one) => tellEvaluation(one, record));
  return { turn: id, speaker: "Judge", does: "scores the hypotheses", says: "", points };
}

function listHypotheses({ reply }: Turn): Hypothesis[] {
  const { hypotheses } = (reply ?? {}) as Partial<SalvagedReply>;
  return (hypotheses ?? []) as Hypothesis[];
}

function tellHypothesis(stated: Hypothesis, round: number, decision: DebateRecord | null): Point {
  const record = decision?.rounds.find(({ round_number }) => round_number === round);
  const judged = record?.judge_evaluation?.evaluated.find(({ id }) => id === stated.id);
  const parents = (stated.from ?? []).map((parent) => `${round - 1}/${parent}`);
  const more = [
    { label: "Reasoning", text: stated.reasoning },
    ...(stated.causal_path.length > 1 ? [{ label: "Causal path", text: stated.causal_path.join(" → ") }] : []),
    ...(stated.changes_made ? [{ label: "Changed", text: stated.changes_made }] : []),
    ...(stated.suggested_resolution.length > 0
      ? [{ label: "Resolution", text: stated.suggested_resolution.join("\n") }]
      : []),
  ];
  return {
    id: `${round}/${stated.id}`,
    name: stated.id,
    text: stated.hypothesis,
    tags: [stated.category.replaceAll("_", " "), ...stated.affected_components.slice(0, 2)],
    ...tellStanding(stated, round, decision),
    ...(judged && { score: { label: "points", value: judged.judge_score, most: 100 } }),
    ...(parents.length > 0 && { answers: parents }),
    uses: [...stated.evidence, ...(stated.struck ?? [])].map(nameExhibit),
    more,
  };
}

/** The one that was decided on stands; one that goes on into the next round is contested; the others are left behind. */
function tellStanding(stated: Hypothesis, round: number, decision: DebateRecord | null): Partial<Point> {
  const final = decision?.final_hypothesis;
  if (!final) return {};
  const next = decision.rounds.find(({ round_number }) => round_number === round + 1);
  const told = (standing: Standing, status: string) => ({ standing, status });
  if (stated.hypothesis === final.hypothesis) return told("stands", "decided on");
  if (next && listRound(next).some(({ id, from }) => id === stated.id || from?.includes(stated.id)))
    return told("contested", "refined in the next round");
  return next ? told("dropped", "not taken further") : told("contested", "also considered");
}

function listRound({ hypotheses }: Round): Hypothesis[] {
  return Object.values(hypotheses).flatMap((list) => list ?? []);
}

function tellEvaluation(judged: Evaluation, { round_number, hypotheses }: Round): Point {
  const about = Object.values(hypotheses).flatMap((list) => list ?? []);
  const text = about.find(({ id }) => id === judged.id)?.hypothesis ?? "";
  const points = Object.entries(rubric).map(
    ([criterion, most]) => `${criterion.replaceAll("_", " ")} ${judged[criterion as keyof typeof rubric]}/${most}`,
  );
  return {
    id: `${round_number}/judged-${judged.id}`,
    name: `${judged.rank}. ${judged.id}`,
    text: judged.feedback,
    score: { label: "points", value: judged.judge_score, most: 100 },
    answers: [`${round_number}/${judged.id}`],
    more: [
      { label: "Hypothesis", text },
      { label: "Points", text: points.join(" · ") },
      ...(judged.strengths.length > 0 ? [{ label: "For it", text: judged.strengths.join("\n") }] : []),
      ...(judged.weaknesses.length > 0 ? [{ label: "Against it", text: judged.weaknesses.join("\n") }] : []),
    ],
  };
}
