/** Experts for analyst, critic, empath and the judge of a stance debate (sentiment spec §3). */
import { judgeByStructure, type Opinion, stanceWords } from "../../../knowledge/opinions/index.ts";
import { readStance } from "../rules/review-context.ts";
import type { StanceSummary, StanceTurnReply } from "../schemas/debate.ts";
import type { StanceJudgeInput, StanceSpeakerInput } from "../schemas/inputs.ts";
import { viewDebate } from "./patch.ts";

type Input = StanceSpeakerInput | StanceJudgeInput;
type Side = "positive" | "negative";

/** Aspects with evidence for a side, and the weights for and against. */
function listPoints({ material, stage1 }: Input, side: Side) {
  const sign = side === "positive" ? 1 : -1;
  const sum = (list: readonly Opinion[]) => list.reduce((total, opinion) => total + Math.abs(opinion.value), 0);
  const points = viewDebate(material, stage1).map((view) => {
    const nearby = view.scoped.opinions.length === 0 && judgeByStructure(view) !== "neutral" ? view.near.opinions : [];
    const opinions = [...view.scoped.opinions, ...nearby];
    const own = opinions.filter((opinion) => opinion.value * sign > 0);
    const quotes = own.map(({ term }) => term).filter((term) => term.length >= 2);
    return { aspect: view.term, quotes, strength: sum(own), against: sum(opinions) - sum(own) };
  });
  return points.filter(({ quotes }) => quotes.length > 0).sort((a, b) => b.strength - a.strength);
}
type Point = ReturnType<typeof listPoints>[number];

function wordsIn({ material }: Input) {
  const words = stanceWords(material.language_code);
  const say = (name: string, values: Record<string, string> = {}) =>
    (words[name] ?? name).replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? "");
  const nameOf = ({ aspect }: Point) => (aspect === "" ? say("whole") : `"${aspect}"`);
  const show = (point: Point) => `${nameOf(point)} ${point.quotes.map((one) => `“${one}”`).join(", ")}`;
  return { say, show, nameOf };
}

/** Plays any stance persona: quotes the text for its side; in a reply it gives up what the text outweighs. */
export function speakStance(input: StanceSpeakerInput): StanceTurnReply {
  const { persona, history, key } = input;
  const { polarity } = readStance(persona.stance ?? "");
  const { say, show } = wordsIn(input);
  const sides: Side[] = polarity === "neutral" ? ["positive", "negative"] : [polarity];
  const isReply = polarity !== "neutral" && history.some((turn) => turn.speaker === key);
  const held = sides.flatMap((side) =>
    listPoints(input, side)
      .filter(({ against, strength }) => !isReply || against <= strength)
      .map((point) => ({ side, ...point })),
  );
  return {
    speaker: persona.name,
    stance: persona.stance ?? "",
    planning: say("plan", { side: say(polarity) }),
    reflection: say(isReply ? "held" : "first"),
    message:
      held.map((point) => `${say(point.side)}: ${show(point)}.`).join(" ") || say("nothing", { side: say(polarity) }),
    key_points: [...new Set(held.flatMap(({ quotes }) => quotes))],
  };
}

/** The judge: for each aspect, the side whose quotes weigh more. */
export function judgeStance(input: StanceJudgeInput): StanceSummary {
  const { say, show, nameOf } = wordsIn(input);
  const spoken = new Set(input.turns.flatMap((turn) => turn.key_points));
  const won = (["positive", "negative"] as const).map((side) => {
    const points = listPoints(input, side).filter(
      (point) => point.strength > point.against && point.quotes.some((words) => spoken.has(words)),
    );
    return { side, points, weight: points.reduce((sum, point) => sum + point.strength, 0) };
  });
  const named = won.filter(({ points }) => points.length > 0);
  const consensus =
    named.map(({ side, points }) => `${say(side)}: ${points.map(nameOf).join(", ")}`).join("; ") || say("neutral");
  const [best, second] = won.toSorted((a, b) => b.weight - a.weight);
  const winner = best && best.weight > (second?.weight ?? 0) ? best.side : null;
  return {
    key_agreements: named.flatMap(({ points }) => points.map(show)),
    key_disagreements: listPoints(input, "positive")
      .filter((point) => point.against > 0)
      .map(nameOf),
    rationale: consensus,
    winner: input.turns.find((turn) => readStance(turn.stance).polarity === winner)?.agent ?? null,
    consensus,
  };
}
