/** Experts for analyst, critic, empath and the judge of a stance debate (sentiment spec §3). */
import { judgeByStructure, type Opinion, stanceWords } from "../../../knowledge/opinions/index.ts";
import { readStance } from "../rules/review-context.ts";
import type { StanceSummary, StanceTurnReply } from "../schemas/debate.ts";
import type { StanceJudgeInput, StanceSpeakerInput } from "../schemas/inputs.ts";
import { viewDebate } from "./patch.ts";

type Input = StanceSpeakerInput | StanceJudgeInput;
const sides = ["positive", "negative"] as const;

/** Aspects with words of the text for a side, strongest first, and the weights for and against. */
function listPoints({ material, stage1 }: Input, side: (typeof sides)[number]) {
  const sign = side === "positive" ? 1 : -1;
  const sum = (list: readonly Opinion[]) => list.reduce((total, opinion) => total + Math.abs(opinion.value), 0);
  const points = viewDebate(material, stage1).map((view) => {
    const nearby = view.scoped.opinions.length === 0 && judgeByStructure(view) !== "neutral" ? view.near.opinions : [];
    const opinions = [...view.scoped.opinions, ...nearby];
    const own = opinions.filter((opinion) => opinion.value * sign > 0);
    const quotes = own.map(({ term }) => term).filter((term) => term.length >= 2);
    return { side, aspect: view.term, quotes, strength: sum(own), against: sum(opinions) - sum(own) };
  });
  return points.filter(({ quotes }) => quotes.length > 0).sort((a, b) => b.strength - a.strength);
}
type Point = ReturnType<typeof listPoints>[number];

function wordsIn({ material }: Input) {
  const words = stanceWords(material.language_code);
  const say = (name: string) => words[name] ?? name;
  const nameOf = ({ aspect }: Point) => (aspect === "" ? say("whole") : `"${aspect}"`);
  const show = (point: Point) => `${nameOf(point)} ${point.quotes.map((one) => `“${one}”`).join(", ")}`;
  return { say, show, nameOf };
}

/** Plays any stance persona: quotes the text for its side. A program plans nothing and reflects on nothing. */
export function speakStance(input: StanceSpeakerInput): StanceTurnReply {
  const { persona } = input;
  const { polarity } = readStance(persona.stance ?? "");
  const { say, show } = wordsIn(input);
  const held = (polarity === "neutral" ? sides : [polarity]).flatMap((side) => listPoints(input, side));
  return {
    speaker: persona.name,
    stance: persona.stance ?? "",
    planning: "",
    reflection: "",
    message: held.map((point) => `${say(point.side)}: ${show(point)}.`).join(" ") || say("nothing"),
    key_points: [...new Set(held.flatMap(({ quotes }) => quotes))],
  };
}

/** The judge: for each aspect, the side whose quotes weigh more. */
export function judgeStance(input: StanceJudgeInput): StanceSummary {
  const { say, show, nameOf } = wordsIn(input);
  const spoken = new Set(input.turns.flatMap((turn) => turn.key_points));
  const points = sides.flatMap((side) => listPoints(input, side));
  const won = points.filter(
    ({ strength, against, quotes }) => strength > against && quotes.some((words) => spoken.has(words)),
  );
  const named = [...Map.groupBy(won, ({ side }) => side)];
  const consensus =
    named.map(([side, own]) => `${say(side)}: ${own.map(nameOf).join(", ")}`).join("; ") || say("neutral");
  const lead = won.reduce((sum, { side, strength }) => sum + (side === "positive" ? strength : -strength), 0);
  const winner = lead === 0 ? null : lead > 0 ? "positive" : "negative";
  return {
    key_agreements: won.map(show),
    key_disagreements: points.filter(({ side, against }) => side === "positive" && against > 0).map(nameOf),
    rationale: consensus,
    winner: input.turns.find((turn) => readStance(turn.stance).polarity === winner)?.agent ?? null,
    consensus,
  };
}
