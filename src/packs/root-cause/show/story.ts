import type { Exhibit, Point, Standing, Story, StoryTurn } from "../../../contract/story.ts";
import { type Turn, turnIdOf } from "../../../contract/turn.ts";
import type { Held } from "../../../engine/pack.ts";
import { findLine } from "../rules/evidence.ts";
import { listHypotheses as listRound } from "../rules/round.ts";
import type { Evidence, Hypothesis, ReasonerName, SalvagedReply } from "../schemas/hypothesis.ts";
import { type Evaluation, type JudgeReply, rubric } from "../schemas/judgement.ts";
import type { Material } from "../schemas/material.ts";
import type { DebateRecord, Round } from "../schemas/round.ts";

export const reasonerTitles: Record<ReasonerName, string> = {
  log_focused: "Log-Focused",
  kg_focused: "KG-Focused",
  hybrid: "Hybrid",
};

export type ShownCase = { sources: readonly { name: string }[]; name?: string };

/** The debate turn by turn: hypotheses with scores, the judge's comments, and the revisions. */
export function describeStory({
  turns,
  decision,
  input,
  material,
}: Held<ShownCase, unknown, DebateRecord, Material>): Story {
  const answered = turns.filter(({ status }) => status !== "abstained");
  const spoken = answered.flatMap((turn) => {
    const one = describeTurn(turn, decision);
    return one ? [{ round: turn.key.round, storyTurn: one }] : [];
  });
  const rounds = [...new Set(spoken.map(({ round }) => round))].sort((a, b) => a - b);
  return {
    subject: describeSubject(input),
    language: "en",
    stages: rounds.map((round) => ({
      title: round === 0 ? "Before the rounds" : `Round ${round}`,
      turns: spoken.filter((one) => one.round === round).map((one) => one.storyTurn),
    })),
    exhibits: listExhibits(answered.flatMap(listStated), material),
    names: { ...reasonerTitles, judge: "Judge" },
  };
}

export function describeSubject({ sources, name }: ShownCase): string {
  const names = [...sources.map((source) => source.name), ...(name === undefined ? [] : [name])].map(
    (one) => one.split(/[\\/]/).at(-1) ?? one,
  );
  const shown = names.slice(0, 3).join(", ");
  return `Root cause in ${names.length > 3 ? `${shown} and ${names.length - 3} more logs` : shown || "a log"}`;
}

function listStated(turn: Turn): Hypothesis[] {
  const { hypotheses } = (turn.reply ?? {}) as Partial<SalvagedReply>;
  return (hypotheses ?? []).map(({ changes_made, from, ...rest }) => ({
    ...rest,
    ...(changes_made && { changes_made }),
    ...(from && { from }),
  }));
}

function describeTurn(turn: Turn, decision: DebateRecord | null): StoryTurn | null {
  const { round, role } = turn.key;
  const record = decision?.rounds.find(({ round_number }) => round_number === round);
  const id = turnIdOf(turn.key);
  const stated = listStated(turn);
  if (stated.length > 0) {
    const { fewer_reason } = turn.reply as SalvagedReply;
    const points = stated.map((one) => describeHypothesis(one, round, decision));
    return {
      turn: id,
      speaker: reasonerTitles[role as ReasonerName] ?? role,
      does: round > 1 ? "refines" : "proposes",
      says: fewer_reason ?? "",
      points,
    };
  }
  if (!record?.judge_evaluation || (turn.reply as Partial<JudgeReply> | null)?.scores === undefined) return null;
  const judged = record.judge_evaluation.evaluated.filter(
    ({ label }, index, all) => all.findIndex((one) => one.label === label) === index,
  );
  return {
    turn: id,
    speaker: "Judge",
    does: "judges",
    says: "",
    points: judged.map((one) => describeEvaluation(one, record)),
  };
}

function describeHypothesis(stated: Hypothesis, round: number, decision: DebateRecord | null): Point {
  const record = decision?.rounds.find(({ round_number }) => round_number === round);
  const judged = record?.judge_evaluation?.evaluated.find(({ id }) => id === stated.id);
  const isKept =
    decision?.rounds.some(
      (one) => one.round_number === round - 1 && listRound(one).some(({ id }) => id === stated.id),
    ) === true;
  const parents = [
    ...(isKept ? [`${round - 1}/${stated.id}`] : []),
    ...(stated.from ?? []).map((parent) => `${round - 1}/${parent}`),
  ];
  const more = [
    { label: "Reasoning", text: stated.reasoning },
    ...(stated.causal_path.length > 1 ? [{ label: "Causal path", text: stated.causal_path.join(" → ") }] : []),
    ...(stated.changes_made ? [{ label: "Changed", text: stated.changes_made }] : []),
    ...(stated.mended?.length ? [{ label: "Corrected by the checks", text: stated.mended.join("\n") }] : []),
    ...(stated.suggested_resolution.length > 0
      ? [{ label: "Resolution", text: stated.suggested_resolution.join("\n") }]
      : []),
  ];
  return {
    id: `${round}/${stated.id}`,
    name: stated.id,
    text: stated.hypothesis,
    tags: [stated.category, ...stated.affected_components.slice(0, 2)],
    ...describeStanding(stated, round, decision),
    ...(judged && { score: { label: "points", value: judged.judge_score, most: 100 } }),
    ...(parents.length > 0 && { answers: parents }),
    uses: [...stated.evidence, ...(stated.struck ?? [])].map(nameExhibit),
    more,
  };
}

function describeStanding(stated: Hypothesis, round: number, decision: DebateRecord | null): Partial<Point> {
  const final = decision?.final_hypothesis;
  if (!final) return {};
  const next = decision.rounds.find(({ round_number }) => round_number === round + 1);
  const mark = (standing: Standing, status: string) => ({ standing, status });
  if (stated.hypothesis === final.hypothesis) return mark("stands", `decided on: ${final.certainty}`);
  if (next && listRound(next).some(({ id, from }) => id === stated.id || from?.includes(stated.id)))
    return mark("contested", "refined in the next round");
  return next ? mark("dropped", "not taken further") : mark("contested", "also considered");
}

function describeEvaluation(judged: Evaluation, round: Round): Point {
  const same = round.judge_evaluation?.evaluated.filter(({ label }) => label === judged.label).map(({ id }) => id) ?? [
    judged.id,
  ];
  const text = listRound(round).find(({ id }) => id === judged.id)?.hypothesis ?? "";
  const points = Object.entries(rubric).map(
    ([criterion, most]) => `${criterion.replaceAll("_", " ")} ${judged[criterion as keyof typeof rubric]}/${most}`,
  );
  return {
    id: `${round.round_number}/judged-${judged.id}`,
    name: `${judged.rank}. ${same.join(", ")}`,
    text: judged.feedback || judged.weaknesses.join(" "),
    score: { label: "points", value: judged.judge_score, most: 100 },
    answers: same.map((id) => `${round.round_number}/${id}`),
    more: [
      { label: "Hypothesis", text },
      { label: "Points", text: points.join(" · ") },
      ...(judged.strengths.length > 0 ? [{ label: "For it", text: judged.strengths.join("\n") }] : []),
      ...(judged.weaknesses.length > 0 ? [{ label: "Against it", text: judged.weaknesses.join("\n") }] : []),
    ],
  };
}

function nameExhibit({ kind, ref, quote }: Evidence): string {
  return `${kind}:${ref}:${quote}`;
}

const past = "Past incidents";
const findings = "Numbers and patterns";

function listExhibits(hypotheses: readonly Hypothesis[], material: Material | null): Exhibit[] {
  const found = new Map<string, Exhibit>();
  for (const { evidence, struck = [] } of hypotheses) {
    for (const item of evidence) found.set(nameExhibit(item), makeExhibit(item, material));
    for (const item of struck)
      if (!found.has(nameExhibit(item)))
        found.set(nameExhibit(item), { ...makeExhibit(item, material), struck: "not found where it was cited" });
  }
  const order = (one: Exhibit) =>
    one.source === past ? 2e9 : one.source === findings ? 1e9 : Number(/\d+$/.exec(one.place)?.[0] ?? 0);
  return [...found.values()].toSorted((a, b) => order(a) - order(b) || a.place.localeCompare(b.place));
}

function makeExhibit(item: Evidence, material: Material | null): Exhibit {
  const { kind, ref, quote } = item;
  const id = nameExhibit(item);
  if (kind === "kg") return { id, source: past, place: String(ref), quote };
  if (kind === "pattern") return { id, source: findings, place: String(ref), quote };
  const [, file, line] = /^(?:(.*):)?(\d+)$/s.exec(String(ref)) ?? [null, undefined, String(ref)];
  const only = material?.sources.length === 1 ? material.sources[0]?.name.split(/[\\/]/).at(-1) : undefined;
  const source = file ?? (only === undefined || only === "-" ? "Log" : only);
  const text = material ? (findLine(material, ref)?.text ?? "") : "";
  const at = text.indexOf(quote);
  const around =
    at < 0
      ? {}
      : {
          ...(at > 0 && { before: text.slice(0, at) }),
          ...(at + quote.length < text.length && { after: text.slice(at + quote.length) }),
        };
  return { id, source, place: `line ${line}`, quote, ...around };
}
