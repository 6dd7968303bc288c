import type { Exhibit, Stage, Story, ToldTurn } from "../../../contract/story.ts";
import { type Turn, turnIdOf } from "../../../contract/turn.ts";
import type { Told } from "../../../engine/pack.ts";
import { findTerm } from "../rules/tuples/find-term.ts";
import type { FinalOutput } from "../schemas/final-output.ts";
import { tellEdits, tellJudge, tellStance } from "./tell-debate.ts";
import type { Said, Teller } from "./teller.ts";
import { tellAspects, tellReviews, tellSentiments, tellValidation } from "./tell-stages.ts";

type Reply = Record<string, unknown>;
type Way = { has: string; does: string; speaker?: string; tell(reply: Reply, teller: Teller, turn: string): Said };

/** How each kind of reply is told, by a key that only it has. */
const ways: Way[] = [
  { has: "aspects", speaker: "Aspects", does: "finds what the text speaks of", tell: tellAspects },
  { has: "aspect_sentiments", speaker: "Sentiments", does: "judges each aspect", tell: tellSentiments },
  { has: "correction_proposals", speaker: "Validator", does: "looks for risks", tell: tellValidation },
  { has: "proposed_edits", does: "proposes edits", tell: tellEdits },
  { has: "planning", does: "argues", tell: tellStance },
  { has: "final_patch", speaker: "Judge", does: "judges the debate", tell: tellJudge },
  { has: "key_agreements", speaker: "Judge", does: "judges the debate", tell: tellJudge },
  { has: "aspect_review", speaker: "Aspects", does: "reviews the aspects", tell: tellReviews },
  { has: "sentiment_review", speaker: "Sentiments", does: "reviews the sentiments", tell: tellReviews },
  { has: "final_validation", speaker: "Validator", does: "looks again", tell: tellReviews },
];

/** A sentiment debate turn by turn: aspects, polarities, edits with before and after, and the words that they quote. */
export function tell({ turns, decision, input }: Told<unknown, unknown, FinalOutput>): Story {
  const answered = turns.filter(({ status, reply }) => status !== "abstained" && typeof reply === "object" && reply);
  const teller = { decision, stage1: listStage1(answered) };
  const told = answered.flatMap((turn) => {
    const one = tellTurn(turn, teller);
    return one ? [{ round: turn.key.round, told: one }] : [];
  });
  const rounds = [...new Set(told.map(({ round }) => round))].sort((a, b) => a - b);
  const stages = rounds.map((round): Stage => {
    const own = told.filter((one) => one.round === round).map((one) => one.told);
    return { title: nameStage(round, own), turns: own };
  });
  const text = decision?.meta.text ?? readText(input);
  const quotes = stages.flatMap((stage) =>
    stage.turns.flatMap(({ points }) => points.flatMap(({ uses = [] }) => uses)),
  );
  return { stages, exhibits: listExhibits(text, [...new Set(quotes)]) };
}

function nameStage(round: number, turns: ToldTurn[]): string {
  if (round === 0) return "Stage 1";
  if (turns.every(({ does }) => does.startsWith("judges the debate"))) return "Judge";
  return turns.some(({ does }) => /^(?:reviews|looks again)/.test(does)) ? "Review" : `Round ${round}`;
}

function tellTurn(turn: Turn, teller: Teller): ToldTurn | null {
  const reply = turn.reply as Reply;
  const way = ways.find(({ has }) => has in reply);
  if (!way) return null;
  const id = turnIdOf(turn.key);
  const named = typeof reply.agent === "string" ? reply.agent : turn.key.role.toUpperCase();
  return { turn: id, speaker: way.speaker ?? named, does: way.does, ...way.tell(reply, teller, id) };
}

/** What Stage 1 said of each aspect, so that an edit can show what it changes. */
function listStage1(turns: readonly Turn[]): Map<string, string> {
  const said = turns.flatMap(({ reply }) => {
    const { aspect_sentiments } = reply as { aspect_sentiments?: { aspect_ref: string; polarity: string | null }[] };
    return aspect_sentiments ?? [];
  });
  return new Map(said.flatMap(({ aspect_ref, polarity }) => (polarity === null ? [] : [[aspect_ref, polarity]])));
}

function readText(input: unknown): string {
  const { text } = (input ?? {}) as { text?: unknown };
  return typeof text === "string" ? text : "";
}

/** The words that were quoted, in the order of the text; words that it does not have are struck. */
function listExhibits(text: string, quotes: readonly string[]): Exhibit[] {
  return quotes
    .map((quote) => ({ quote, span: findTerm(text, quote) }))
    .toSorted((a, b) => (a.span?.start ?? text.length) - (b.span?.start ?? text.length))
    .map(({ quote, span }) => {
      const exhibit = { id: quote, source: "The text", place: "", quote };
      return span ? exhibit : { ...exhibit, struck: "not in the text" };
    });
}
