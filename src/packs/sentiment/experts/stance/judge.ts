import type { StanceJudgeInput } from "../../schemas/role-inputs.ts";
import type { StanceSummary, StanceTurn } from "../../schemas/debate.ts";
import { type Point, listPoints, sideOf } from "./side.ts";
import { nameOf, quote, wordingOf } from "./wording.ts";

/** The judge of a stance debate as a program: for each aspect the side whose quoted words weigh more (sentiment spec §3). */
export function judgeStance(input: StanceJudgeInput): StanceSummary {
  const { text, language_code, context, turns } = input;
  const wording = wordingOf(language_code);
  const won = (side: "positive" | "negative") =>
    listPoints(text, language_code, context, side).filter(
      (point) => point.strength > point.against && wasSpoken(point, turns),
    );
  const [positive, negative] = [won("positive"), won("negative")];
  const total = (points: readonly Point[]) => points.reduce((sum, point) => sum + point.strength, 0);
  const lead = total(positive) - total(negative);
  const winning = lead === 0 ? null : lead > 0 ? "positive" : "negative";
  const names = (points: readonly Point[]) => points.map((point) => nameOf(point, wording)).join(", ");
  const parts = [
    ...(positive.length > 0 ? [`${wording.side.positive}: ${names(positive)}`] : []),
    ...(negative.length > 0 ? [`${wording.side.negative}: ${names(negative)}`] : []),
  ];
  const winner = turns.find((turn) => sideOf(turn.stance) === winning)?.agent ?? null;
  const agreed = [...positive, ...negative].map((point) => `${nameOf(point, wording)} ${quote(point.quotes)}`);
  return {
    winner,
    consensus: parts.length > 0 ? parts.join("; ") : wording.side.neutral,
    key_agreements: agreed,
    key_disagreements: listContested(input).map((point) => nameOf(point, wording)),
    rationale:
      parts.length > 0 ? parts.join("; ") : `${wording.side.neutral}: ${wording.nothing(wording.side.neutral)}`,
  };
}

/** Only what a speaker of the debate quoted counts. */
function wasSpoken(point: Point, turns: readonly StanceTurn[]): boolean {
  return point.quotes.some((quote) =>
    turns.some((turn) => turn.key_points.includes(quote) || turn.message.includes(quote)),
  );
}

function listContested({ text, language_code, context }: StanceJudgeInput): Point[] {
  return listPoints(text, language_code, context, "positive").filter((point) => point.against > 0);
}
