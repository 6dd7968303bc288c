import type { StanceSpeakerInput } from "../../schemas/role-inputs.ts";
import type { StanceTurnReply } from "../../schemas/debate.ts";
import { type Point, listPoints, type Side, sideOf, listUnjudged } from "./side.ts";
import { nameOf, quote, wordingOf } from "./wording.ts";

/** Plays any stance persona: the strongest reading of its side, in words of the text; later it gives up what is outweighed (sentiment spec §3). */
export function speakStance(input: StanceSpeakerInput): StanceTurnReply {
  const side = sideOf(input.persona.stance);
  return side === "neutral" ? weighBoth(input) : argue(input, side);
}

function argue(input: StanceSpeakerInput, side: Exclude<Side, "neutral">): StanceTurnReply {
  const wording = wordingOf(input.language_code);
  const all = listPoints(input.text, input.language_code, input.context, side);
  const answered = input.history.some((turn) => turn.speaker !== input.key && sideOf(turn.stance) !== side);
  const lost = answered ? all.filter((point) => point.against > point.strength) : [];
  const points = all.filter((point) => !lost.includes(point));
  const word = wording.side[side];
  const lines = points.map((point) => wording.point(nameOf(point, wording), quote(point.quotes), word));
  return {
    speaker: input.persona.name,
    stance: input.persona.stance ?? "",
    planning: wording.plan(word, all.length),
    reflection: reflect(input, lost, answered),
    message: lines.length > 0 ? lines.join(" ") : wording.nothing(word),
    key_points: [...new Set(points.flatMap((point) => point.quotes))],
  };
}

function reflect(input: StanceSpeakerInput, lost: readonly Point[], answered: boolean): string {
  const wording = wordingOf(input.language_code);
  if (!answered) return wording.first;
  return lost.length > 0 ? wording.conceded(lost.map((point) => nameOf(point, wording)).join(", ")) : wording.held;
}

/** The neutral speaker names what is said on both sides, without taking one. */
function weighBoth(input: StanceSpeakerInput): StanceTurnReply {
  const wording = wordingOf(input.language_code);
  const { text, language_code, context } = input;
  const [praised, blamed] = [
    listPoints(text, language_code, context, "positive"),
    listPoints(text, language_code, context, "negative"),
  ];
  const list = (points: readonly Point[]) => (points.length > 0 ? quote(points.flatMap((point) => point.quotes)) : "–");
  const mentioned = listUnjudged(text, language_code, context);
  const named = mentioned.length > 0 ? [wording.unjudged(mentioned.map((term) => `"${term}"`).join(", "))] : [];
  return {
    speaker: input.persona.name,
    stance: input.persona.stance ?? "",
    planning: wording.plan(wording.side.neutral, new Set([...praised, ...blamed].map((point) => point.aspect)).size),
    reflection: input.history.length === 0 ? wording.first : wording.held,
    message: [wording.both(list(praised), list(blamed)), ...named].join(" "),
    key_points: [...new Set([...praised, ...blamed].flatMap((point) => point.quotes)), ...mentioned],
  };
}
