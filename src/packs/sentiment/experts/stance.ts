/** Analyst, critic, empath and the judge of a stance debate as programs (sentiment spec §3). */
import { type AspectView, judgeByStructure, type Opinion, stanceWords } from "../../../knowledge/opinions/index.ts";
import { readStance } from "../rules/review-context.ts";
import type { StanceSummary, StanceTurn, StanceTurnReply } from "../schemas/debate.ts";
import type { StanceJudgeInput, StanceSpeakerInput } from "../schemas/inputs.ts";
import type { Polarity } from "../schemas/stage1.ts";
import { viewDebate } from "./patch.ts";

type Input = StanceSpeakerInput | StanceJudgeInput;
type Side = Exclude<Polarity, "neutral">;

type Point = { aspect: string; quotes: string[]; strength: number; against: number };

function listPoints({ material, stage1 }: Input, side: Side): Point[] {
  const sign = side === "positive" ? 1 : -1;
  const sum = (list: readonly Opinion[]) => list.reduce((total, opinion) => total + Math.abs(opinion.value), 0);
  const points = viewDebate(material, stage1).map((view: AspectView): Point => {
    const nearby = view.scoped.opinions.length === 0 && judgeByStructure(view) !== "neutral" ? view.near.opinions : [];
    const opinions = [...view.scoped.opinions, ...nearby];
    const own = opinions.filter((opinion) => opinion.value * sign > 0);
    const quotes = own
      .map(({ span }) => material.text.slice(span.start, span.end))
      .filter((quote) => quote.length >= 2);
    return {
      aspect: view.term,
      quotes,
      strength: sum(own),
      against: sum(opinions.filter((one) => one.value * sign < 0)),
    };
  });
  return points.filter((point) => point.quotes.length > 0).sort((a, b) => b.strength - a.strength);
}

function wordIn({ material }: Input) {
  const words = stanceWords(material.language_code);
  const say = (name: string, values: Record<string, string | number> = {}) =>
    (words[name] ?? name).replace(/\{(\w+)\}/g, (_, key: string) => String(values[key] ?? ""));
  const nameOf = ({ aspect }: Pick<Point, "aspect">) => (aspect === "" ? say("whole") : `"${aspect}"`);
  const quote = (quotes: readonly string[]) => quotes.map((one) => `“${one}”`).join(", ");
  return { say, quote, nameOf, names: (points: readonly Point[]) => points.map(nameOf).join(", ") };
}

export function speakStance(input: StanceSpeakerInput): StanceTurnReply {
  const { polarity: side } = readStance(input.persona.stance ?? "");
  return side === "neutral" ? weighBoth(input) : argue(input, side);
}

function argue(input: StanceSpeakerInput, side: Side): StanceTurnReply {
  const { say, quote, nameOf, names } = wordIn(input);
  const all = listPoints(input, side);
  const answered = input.history.some(
    (turn) => turn.speaker !== input.key && readStance(turn.stance).polarity !== side,
  );
  const lost = answered ? all.filter((point) => point.against > point.strength) : [];
  const points = all.filter((point) => !lost.includes(point));
  const word = say(side);
  const lines = points.map((point) => say("point", { aspect: nameOf(point), quotes: quote(point.quotes), side: word }));
  return {
    speaker: input.persona.name,
    stance: input.persona.stance ?? "",
    planning: say("plan", { side: word, count: all.length }),
    reflection: !answered ? say("first") : lost.length > 0 ? say("conceded", { aspects: names(lost) }) : say("held"),
    message: lines.length > 0 ? lines.join(" ") : say("nothing", { side: word }),
    key_points: [...new Set(points.flatMap((point) => point.quotes))],
  };
}

function weighBoth(input: StanceSpeakerInput): StanceTurnReply {
  const { say, quote } = wordIn(input);
  const [praised, blamed] = [listPoints(input, "positive"), listPoints(input, "negative")];
  const list = (points: readonly Point[]) => quote(points.flatMap((point) => point.quotes)) || "–";
  const unjudged = viewDebate(input.material, input.stage1)
    .filter((view) => view.term !== "" && judgeByStructure(view) === "neutral")
    .map((view) => view.term);
  const named =
    unjudged.length > 0 ? [say("unjudged", { aspects: unjudged.map((term) => `"${term}"`).join(", ") })] : [];
  const count = new Set([...praised, ...blamed].map((point) => point.aspect)).size;
  return {
    speaker: input.persona.name,
    stance: input.persona.stance ?? "",
    planning: say("plan", { side: say("neutral"), count }),
    reflection: say(input.history.length === 0 ? "first" : "held"),
    message: [say("both", { positive: list(praised), negative: list(blamed) }), ...named].join(" "),
    key_points: [...new Set([...praised, ...blamed].flatMap((point) => point.quotes)), ...unjudged],
  };
}

export function judgeStance(input: StanceJudgeInput): StanceSummary {
  const { say, quote, nameOf, names } = wordIn(input);
  const won = (side: Side) =>
    listPoints(input, side).filter((point) => point.strength > point.against && wasSpoken(point, input.turns));
  const [positive, negative] = [won("positive"), won("negative")];
  const total = (points: readonly Point[]) => points.reduce((sum, point) => sum + point.strength, 0);
  const lead = total(positive) - total(negative);
  const winning = lead === 0 ? null : lead > 0 ? "positive" : "negative";
  const parts = [
    ...(positive.length > 0 ? [`${say("positive")}: ${names(positive)}`] : []),
    ...(negative.length > 0 ? [`${say("negative")}: ${names(negative)}`] : []),
  ];
  const neutral = say("neutral");
  return {
    key_agreements: [...positive, ...negative].map((point) => `${nameOf(point)} ${quote(point.quotes)}`),
    key_disagreements: listPoints(input, "positive")
      .filter((point) => point.against > 0)
      .map(nameOf),
    rationale: parts.join("; ") || `${neutral}: ${say("nothing", { side: neutral })}`,
    winner: input.turns.find((turn) => readStance(turn.stance).polarity === winning)?.agent ?? null,
    consensus: parts.join("; ") || neutral,
  };
}

function wasSpoken(point: Point, turns: readonly StanceTurn[]): boolean {
  return point.quotes.some((quote) =>
    turns.some((turn) => turn.key_points.includes(quote) || turn.message.includes(quote)),
  );
}
