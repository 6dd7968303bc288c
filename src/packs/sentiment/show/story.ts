/** What was said, turn by turn: aspects, polarities, edits with before and after, and the words that they quote. */
import type { Exhibit, Point, Story, ToldTurn } from "../../../contract/story.ts";
import { type Turn, turnIdOf } from "../../../contract/turn.ts";
import type { Held } from "../../../engine/pack.ts";
import type { SentimentCase } from "../schemas/case.ts";
import { findTerm } from "../rules/text.ts";
import { readVote } from "../rules/tuples.ts";
import type {
  Edit,
  Patch,
  PatchJudgeReply,
  PatchTurnReply,
  StanceSummary,
  StanceTurnReply,
} from "../schemas/debate.ts";
import type { Material } from "../schemas/material.ts";
import type { FinalOutput } from "../schemas/output.ts";
import type { AteReply, AtsaReply, ValidatorReply } from "../schemas/stage1.ts";
import type { AspectReview, SentimentReview, ValidatorReviewReply } from "../schemas/stage2.ts";

/** What a turn is told from: the decision where there is one, what Stage 1 said of each aspect, and what was struck of the turn. */
type Teller = { decision: FinalOutput | null; stage1: Map<string, string>; turn: string };
type Said = Pick<ToldTurn, "says" | "points">;
type Way = { has: string; does: string; speaker?: string; tell(reply: never, teller: Teller): Said };

/** How each kind of reply is told, by a key that only it has. */
const ways: Way[] = [
  { has: "aspects", speaker: "Aspects", does: "finds what the text speaks of", tell: tellAspects },
  { has: "aspect_sentiments", speaker: "Sentiments", does: "judges each aspect", tell: tellSentiments },
  { has: "correction_proposals", speaker: "Validator", does: "looks for risks", tell: tellValidation },
  { has: "proposed_edits", does: "proposes edits", tell: tellEdits },
  { has: "planning", does: "argues", tell: tellStance },
  { has: "final_patch", speaker: "Judge", does: "judges the debate", tell: tellJudge },
  { has: "key_agreements", speaker: "Judge", does: "judges the debate", tell: tellConsensus },
  { has: "aspect_review", speaker: "Aspects", does: "reviews the aspects", tell: tellReviews },
  { has: "sentiment_review", speaker: "Sentiments", does: "reviews the sentiments", tell: tellReviews },
  { has: "final_validation", speaker: "Validator", does: "looks again", tell: tellReviews },
];

export function story({
  turns,
  decision,
  input,
  material,
}: Held<SentimentCase, unknown, FinalOutput, Material>): Story {
  const answered = turns.filter(({ status, reply }) => status !== "abstained" && typeof reply === "object" && reply);
  const stage1 = listStage1(answered);
  const told = answered.flatMap((turn) => {
    const one = tellTurn(turn, { decision, stage1, turn: turnIdOf(turn.key) });
    return one ? [{ round: turn.key.round, told: one }] : [];
  });
  const rounds = [...new Set(told.map(({ round }) => round))].sort((a, b) => a - b);
  const stages = rounds.map((round) => {
    const own = told.filter((one) => one.round === round).map((one) => one.told);
    return { title: nameStage(round, own), turns: own };
  });
  const text = material?.text ?? input.text;
  const quotes = told.flatMap((one) => one.told.points.flatMap(({ uses = [] }) => uses));
  return {
    subject: text,
    ...(material && { language: material.language_code }),
    stages,
    exhibits: listExhibits(text, [...new Set(quotes)]),
  };
}

function nameStage(round: number, turns: ToldTurn[]): string {
  if (round === 0) return "Stage 1";
  if (turns.every(({ does }) => does.startsWith("judges the debate"))) return "Judge";
  return turns.some(({ does }) => /^(?:reviews|looks again)/.test(does)) ? "Review" : `Round ${round}`;
}

function tellTurn(turn: Turn, teller: Teller): ToldTurn | null {
  const reply = turn.reply as Record<string, unknown>;
  const way = ways.find(({ has }) => has in reply);
  if (!way) return null;
  const named = typeof reply.agent === "string" ? reply.agent : turn.key.role.toUpperCase();
  const said = way.tell(reply as never, teller);
  const strikes = (teller.decision?.strikes ?? []).filter(
    ({ speaker, round }) => speaker === turn.key.role && round === turn.key.round,
  );
  const struck = strikes.map(
    ({ code, what }, at): Point => ({
      id: `${teller.turn}/struck-${at}`,
      name: "struck",
      text: what,
      standing: "dropped",
      status: code.replaceAll("_", " "),
    }),
  );
  return {
    turn: teller.turn,
    speaker: way.speaker ?? named,
    does: way.does,
    says: said.says,
    points: [...said.points, ...struck],
  };
}

/** What Stage 1 said of each aspect, so that an edit can show what it changes. */
function listStage1(turns: readonly Turn[]): Map<string, string> {
  const said = turns.flatMap(({ reply }) => (reply as Partial<AtsaReply>).aspect_sentiments ?? []);
  return new Map(said.flatMap(({ aspect_ref, polarity }) => (polarity === null ? [] : [[aspect_ref, polarity]])));
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

/** How an aspect is shown that the text does not name. */
export function nameAspect(aspect: string): string {
  return aspect === "" ? "(implicit)" : aspect;
}

const nameSentiment = (aspect: string) => `stage1/${aspect}`;
const sure = (value: number) => ({ score: { label: "sure", value, most: 1 } });

function tellAspects({ aspects }: AteReply, { turn }: Teller): Said {
  const points = aspects.map(
    (aspect, at): Point => ({
      id: `${turn}/${at}`,
      name: nameAspect(aspect.term),
      text: aspect.rationale,
      ...(aspect.normalized && aspect.normalized !== aspect.term && { tags: [aspect.normalized] }),
      ...sure(aspect.confidence),
      uses: aspect.term === "" ? [] : [aspect.term],
    }),
  );
  return { says: points.length === 0 ? "No aspect was found." : "", points };
}

function tellSentiments({ aspect_sentiments }: AtsaReply, { decision }: Teller): Said {
  const final = decision?.final_result.final_aspects;
  const points = aspect_sentiments.map((one): Point => {
    const kept = final?.find(({ aspect_ref }) => aspect_ref === one.aspect_ref);
    const standing = !final ? undefined : !kept ? "dropped" : kept.polarity === one.polarity ? "stands" : "conceded";
    const status = { stands: "kept", dropped: "dropped", conceded: `now ${kept?.polarity}` };
    return {
      id: nameSentiment(one.aspect_ref),
      name: nameAspect(one.aspect_ref),
      text: one.polarity ?? "no polarity",
      ...sure(one.confidence),
      ...(standing && { standing, status: status[standing] }),
      uses: [one.opinion_term?.term ?? one.evidence].filter(Boolean),
    };
  });
  return { says: points.length === 0 ? "No sentiment was found." : "", points };
}

function tellValidation(reply: ValidatorReply, { turn, decision }: Teller): Said {
  const risks = reply.structural_risks.map(
    (risk, at): Point => ({
      id: `${turn}/risk-${at}`,
      name: risk.type.toLowerCase().replaceAll("_", " "),
      text: risk.description,
      tags: [risk.severity],
    }),
  );
  const log = decision?.correction_applied_log.filter((one) => one.asked_by === "validator") ?? [];
  const proposals = reply.correction_proposals.map((one, at): Point => {
    const became = log.filter((other) => other.target_aspect === one.target_aspect).at(-1);
    return {
      id: `${turn}/proposal-${at}`,
      name: `${one.proposal_type.toLowerCase().replaceAll("_", " ")}: ${nameAspect(one.target_aspect)}`,
      text: one.rationale,
      ...(became && { standing: became.applied ? "stands" : "dropped", status: became.reason.replaceAll("_", " ") }),
      answers: [nameSentiment(one.target_aspect)],
    };
  });
  const says = risks.length === 0 ? `No risk was found; consistency ${reply.consistency_score.toFixed(2)}.` : "";
  return { says, points: [...risks, ...proposals] };
}

/** An edit in words: `set 포장 to negative “엉망”`. */
export function describeEdit(edit: Edit | Patch): string {
  const { op, target, value } = edit;
  const aspect = target.aspect_ref || "(no aspect)";
  const words = {
    set_polarity: `set ${aspect} to ${value ?? target.polarity ?? "?"}`,
    confirm_tuple: `confirm ${aspect} ${target.polarity ?? value ?? "?"}`,
    drop_tuple: `drop ${aspect}${target.polarity ? ` ${target.polarity}` : ""}`,
    set_aspect_ref: `rename ${aspect} to ${value ?? "?"}`,
    merge_tuples: `merge ${aspect} into ${value ?? "?"}`,
  }[op];
  const evidence = "evidence" in edit && edit.evidence ? ` “${edit.evidence}”` : "";
  return `${words ?? op}${evidence}`;
}

/** What became of a word on an aspect, once it is settled. */
function settle(decision: FinalOutput | null, aspect: string, after: string | null): Partial<Point> {
  const settled = decision?.settlements.find((one) => one.aspect === aspect);
  if (!settled) return {};
  const standing = (settled.settled ?? "none") === after ? "stands" : "dropped";
  return { standing, status: settled.reason.replaceAll("_", " ") };
}

function tellEdits({ proposed_edits }: PatchTurnReply, { stage1, decision, turn }: Teller): Said {
  const points = proposed_edits.map((edit, at): Point => {
    const aspect = edit.target.aspect_ref;
    const { polarity, removal } = readVote(edit);
    const before = stage1.get(aspect) ?? "none";
    const after = removal ? "none" : polarity;
    return {
      id: `${turn}/${at}`,
      name: nameAspect(aspect),
      text: edit.op === "confirm_tuple" ? `confirms ${after ?? before}` : describeEdit({ ...edit, evidence: null }),
      ...(after !== null && after !== before && { change: { before, after } }),
      ...settle(decision, aspect, after),
      ...(edit.confidence !== null && sure(edit.confidence)),
      answers: [nameSentiment(aspect)],
      uses: edit.evidence ? [edit.evidence] : [],
    };
  });
  return { says: points.length === 0 ? "No edits." : "", points };
}

const list = (turn: string, name: string, items: readonly string[]) =>
  items.map((text, at): Point => ({ id: `${turn}/${name}-${at}`, name, text }));

function tellStance({ message, key_points }: StanceTurnReply, { turn }: Teller): Said {
  return { says: message, points: list(turn, "point", key_points) };
}

function tellJudge(reply: PatchJudgeReply, { stage1, decision, turn }: Teller): Said {
  const tuples = reply.final_tuples.map(({ aspect_ref, polarity }, at): Point => {
    const before = stage1.get(aspect_ref) ?? "none";
    const after = polarity ?? "none";
    return {
      id: `${turn}/${at}`,
      name: nameAspect(aspect_ref),
      text: after,
      ...(before !== after && { change: { before, after } }),
      ...settle(decision, aspect_ref, after),
      answers: [nameSentiment(aspect_ref)],
      uses: (reply.aspect_evidence ?? []).filter(({ aspect }) => aspect === aspect_ref).map(({ span }) => span),
    };
  });
  const open = list(turn, "open", reply.unresolved_conflicts).map(
    (point): Point => ({ ...point, standing: "contested", status: "not settled" }),
  );
  return { says: reply.rationale ?? "", points: [...tuples, ...open] };
}

function tellConsensus(summary: StanceSummary, { turn }: Teller): Said {
  const points = [
    ...list(turn, "consensus", summary.consensus === null ? [] : [summary.consensus]),
    ...list(turn, "agreed", summary.key_agreements),
    ...list(turn, "disputed", summary.key_disagreements),
  ];
  return { says: summary.rationale, points };
}

type Reviews = { aspect_review?: AspectReview[]; sentiment_review?: SentimentReview[] } & Partial<ValidatorReviewReply>;

/** Reviews after the debate: of the aspects, the sentiments, or the risks that remain. */
function tellReviews(said: Reviews, { stage1, turn }: Teller): Said {
  const toPoint = (aspect: string, action: string, reason: string, at: number): Point => ({
    id: `${turn}/${at}`,
    name: `${nameAspect(aspect)}: ${action.replaceAll("_", " ")}`,
    text: reason,
    answers: [nameSentiment(aspect)],
  });
  const aspects = (said.aspect_review ?? []).map((one, at) => toPoint(one.term, one.action, one.reason, at));
  const sentiments = (said.sentiment_review ?? []).map((one, at): Point => {
    const before = stage1.get(one.aspect_ref) ?? "none";
    const after = one.revised_polarity ?? (one.action === "drop" ? "dropped" : before);
    const point = toPoint(one.aspect_ref, one.action, one.reason, at);
    return {
      ...point,
      ...(after !== before && { change: { before, after } }),
      uses: one.evidence ? [one.evidence] : [],
    };
  });
  const checked = said.final_validation;
  const remaining = checked?.remaining_risks ?? [];
  const risks = remaining.length === 0 ? "No risk remains" : `Remaining: ${remaining.join("; ")}`;
  const says = checked ? `${risks}; consistency ${checked.final_consistency_score.toFixed(2)}.` : "";
  return { says, points: [...aspects, ...sentiments] };
}
