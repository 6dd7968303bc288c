/** Experts for analyst, critic, empath and the judge of a stance debate (sentiment spec §3). */
import { judgeByStructure, stanceWords } from "../../../knowledge/opinions/index.ts";
import { readStance } from "../rules/review-context.ts";
import type { StanceSummary, StanceTurnReply } from "../schemas/debate.ts";
import type { StanceJudgeInput, StanceSpeakerInput } from "../schemas/inputs.ts";
import { viewDebate } from "./patch.ts";

const sides = ["positive", "negative"] as const;

/** Aspects with words of the text for a side, strongest first; `lead` is what speaks for it minus what speaks against it. */
function listPoints({ material, stage1 }: StanceSpeakerInput | StanceJudgeInput, side: (typeof sides)[number]) {
  const words = stanceWords(material.language_code);
  const sign = side === "positive" ? 1 : -1;
  const points = viewDebate(material, stage1).map((view) => {
    const isOwn = view.scoped.opinions.length > 0 || judgeByStructure(view) === "neutral";
    const { opinions } = isOwn ? view.scoped : view.near;
    const quotes = opinions.filter(({ value, term }) => value * sign > 0 && term.length >= 2).map(({ term }) => term);
    const name = view.term === "" ? (words.whole ?? "") : `"${view.term}"`;
    const shown = `${name} ${quotes.map((one) => `“${one}”`).join(", ")}`;
    const lead = opinions.reduce((sum, { value }) => sum + value * sign, 0);
    return { side, called: words[side] ?? side, name, quotes, shown, lead };
  });
  return points.filter(({ quotes }) => quotes.length > 0).sort((a, b) => b.lead - a.lead);
}

/** Plays any stance persona: quotes the text for its side. A program plans nothing and reflects on nothing. */
export function speakStance(input: StanceSpeakerInput): StanceTurnReply {
  const { name, stance = "" } = input.persona;
  const { polarity } = readStance(stance);
  const held = (polarity === "neutral" ? sides : [polarity]).flatMap((side) => listPoints(input, side));
  const message = held.map(({ called, shown }) => `${called}: ${shown}.`).join(" ");
  return {
    speaker: name,
    stance,
    planning: "",
    reflection: "",
    message: message || (stanceWords(input.material.language_code).nothing ?? ""),
    key_points: [...new Set(held.flatMap(({ quotes }) => quotes))],
  };
}

/** The judge: for each aspect, the side whose quotes weigh more. */
export function judgeStance(input: StanceJudgeInput): StanceSummary {
  const spoken = new Set(input.turns.flatMap((turn) => turn.key_points));
  const points = sides.flatMap((side) => listPoints(input, side));
  const won = points.filter(({ lead, quotes }) => lead > 0 && quotes.some((words) => spoken.has(words)));
  const named = [...Map.groupBy(won, ({ called }) => called)];
  const concluded = named.map(([called, own]) => `${called}: ${own.map(({ name }) => name).join(", ")}`).join("; ");
  const consensus = concluded || (stanceWords(input.material.language_code).neutral ?? "");
  const lead = won.reduce((sum, one) => sum + (one.side === "positive" ? one.lead : -one.lead), 0);
  const winner = lead === 0 ? null : lead > 0 ? "positive" : "negative";
  const names = points.map(({ name }) => name);
  return {
    key_agreements: won.map(({ shown }) => shown),
    key_disagreements: names.filter((name, at) => names.indexOf(name) < at),
    rationale: consensus,
    winner: input.turns.find((turn) => readStance(turn.stance).polarity === winner)?.agent ?? null,
    consensus,
  };
}
