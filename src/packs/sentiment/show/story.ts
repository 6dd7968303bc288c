/** The debate turn by turn: every list of a reply is read item by item, with polarities before and after, and quotes. */
import type { Point, Story, StoryTurn } from "../../../contract/story.ts";
import { type Turn, turnIdOf } from "../../../contract/turn.ts";
import type { Held } from "../../../engine/pack.ts";
import { deeds, reasonWords, roleNames } from "../prompts/read-prompts.ts";
import { findTerm } from "../rules/text.ts";
import { canonicalisePolarity } from "../rules/tuples.ts";
import type { SentimentCase } from "../schemas/case.ts";
import type { Edit, PatchJudgeReply, StanceSummary, StanceTurnReply } from "../schemas/debate.ts";
import type { Material } from "../schemas/material.ts";
import type { FinalOutput } from "../schemas/output.ts";
import type {
  Aspect,
  AtsaReply,
  CorrectionProposal,
  SentimentReply,
  StructuralRisk,
  ValidatorReply,
} from "../schemas/stage1.ts";
import type { AspectReview, SentimentReview, ValidatorReviewReply } from "../schemas/stage2.ts";

type StoryContext = { decision: FinalOutput | null; stage1: Map<string, string> };

/** The stage and the deed of a reply, by a key that only one kind of reply has. */
const ways = [
  ["aspects", "Stage 1", "finds what the text speaks of"],
  ["aspect_sentiments", "Stage 1", "judges each aspect"],
  ["correction_proposals", "Stage 1", "looks for risks"],
  ["proposed_edits", "Round", "proposes edits"],
  ["planning", "Round", "argues"],
  ["final_patch", "Judge", "judges the debate"],
  ["key_agreements", "Judge", "judges the debate"],
  ["aspect_review", "Review", "reviews the aspects"],
  ["sentiment_review", "Review", "reviews the sentiments"],
  ["final_validation", "Review", "looks again"],
] as const;

/** The lists whose items are points, in this order, with the name of an item that is only words. */
const lists: Record<string, string> = {
  aspects: "aspect",
  aspect_sentiments: "sentiment",
  structural_risks: "risk",
  correction_proposals: "proposal",
  proposed_edits: "edit",
  key_points: "point",
  final_tuples: "tuple",
  unresolved_conflicts: "open",
  key_agreements: "agreed",
  key_disagreements: "disputed",
  aspect_review: "review",
  sentiment_review: "review",
};

type Reply = Partial<PatchJudgeReply & StanceTurnReply & StanceSummary & ValidatorReply & ValidatorReviewReply>;
type Item = Partial<
  Aspect & SentimentReply & StructuralRisk & CorrectionProposal & Edit & AspectReview & SentimentReview
>;

export function story({
  turns,
  decision,
  input,
  material,
}: Held<SentimentCase, unknown, FinalOutput, Material>): Story {
  const answered = turns.filter(({ status, reply }) => status !== "abstained" && typeof reply === "object" && reply);
  const said = answered.flatMap(({ reply }) => (reply as Partial<AtsaReply>).aspect_sentiments ?? []);
  const stage1 = new Map(said.map(({ aspect_ref, polarity }) => [aspect_ref, polarity ?? "none"]));
  const spoken = answered.flatMap((turn) => describeTurn(turn, { decision, stage1 }) ?? []);
  const text = material?.text ?? input.text;
  const quotes = new Set(spoken.flatMap(({ turn }) => turn.points.flatMap(({ uses = [] }) => uses)));
  const exhibits = [...quotes].map((quote) => {
    const isThere = findTerm(text, quote) !== null;
    return { id: quote, source: "The text", place: "", quote, ...(!isThere && { struck: "not in the text" }) };
  });
  return {
    subject: text,
    ...(material && { language: material.language_code }),
    stages: [...Map.groupBy(spoken, ({ stage }) => stage)].map(([title, own]) => ({
      title,
      turns: own.map(({ turn }) => turn),
    })),
    exhibits: exhibits.toSorted((a, b) => text.indexOf(a.quote) - text.indexOf(b.quote)),
    names: roleNames,
  };
}

function describeTurn({ key, reply }: Turn, context: StoryContext): { stage: string; turn: StoryTurn } | null {
  const said = reply as Reply & Record<string, unknown>;
  const way = ways.find(([has]) => has in said);
  if (!way) return null;
  const [, stage, does] = way;
  const turn = turnIdOf(key);
  const points = Object.entries(lists).flatMap(([list, name]) => {
    const items = Array.isArray(said[list]) ? (said[list] as (Item | string)[]) : [];
    return items.map((item) =>
      typeof item === "string"
        ? { name, text: item, ...(name === "open" && { standing: "contested" as const, status: "not settled" }) }
        : describeItem(item, { ...context, list, role: key.role, reply: said }),
    );
  });
  const strikes = context.decision?.strikes ?? [];
  const struck = strikes
    .filter(({ speaker, round }) => speaker === key.role && round === key.round)
    .map(({ code, what }) => ({ name: "struck", text: what, standing: "dropped" as const, status: spell(code) }));
  const named = [said.agent, said.speaker].find((name): name is string => typeof name === "string" && name !== "");
  return {
    stage: stage === "Round" ? `Round ${key.round}` : stage,
    turn: {
      turn,
      speaker: named ?? roleNames[key.role] ?? key.role.toUpperCase(),
      does,
      says: describeWords(said) || (points.length === 0 ? "Nothing." : ""),
      points: [...points, ...struck].map((point, at) => ({ id: `${turn}/${at}`, ...point })),
    },
  };
}

function describeWords({ message, rationale, consensus, consistency_score, final_validation }: Reply): string {
  const consistency = consistency_score ?? final_validation?.final_consistency_score;
  const checked = consistency === undefined ? "" : `Consistency ${consistency.toFixed(2)}.`;
  return [...new Set([message, consensus, rationale, checked].filter(Boolean))].join(" ");
}

export function nameAspect(aspect: string): string {
  return aspect === "" ? "(implicit)" : aspect;
}

/** A name of the rules in plain words; "kept_" says that a rating stands, and why. */
export function spell(name: string): string {
  const [, reason = ""] = /^kept_(.+)$/.exec(name) ?? [];
  if (reason in reasonWords) return `kept: ${reasonWords[reason]}`;
  return reasonWords[name] ?? name.toLowerCase().replaceAll("_", " ");
}

type About = StoryContext & { list: string; role: string; reply: Reply };

/** What an item says of an aspect, what it would change, the words it quotes, and what became of it. */
function describeItem(item: Item, about: About): Omit<Point, "id"> & { id?: string } {
  const { stage1, list, reply } = about;
  const { aspect, word } = readItem(item);
  const does = item.op ?? item.action ?? item.proposal_type;
  const reason = item.rationale ?? item.reason ?? item.description;
  const isDrop = /drop/i.test(does ?? "");
  const said = [does && deeds[does.toLowerCase()], isDrop ? null : word].filter(Boolean).join(" ");
  const after = isDrop ? "none" : canonicalisePolarity(word);
  const before = stage1.get(aspect ?? "") ?? "none";
  const shown = reply.aspect_evidence?.find((one) => one.aspect === aspect)?.span;
  const quoted = list === "aspects" ? item.term : (item.opinion_term?.term ?? item.evidence ?? shown);
  const isFirst = list === "aspect_sentiments";
  return {
    ...(isFirst && { id: `stage1/${aspect}` }),
    name: aspect === null ? spell(item.type ?? "") : nameAspect(aspect),
    text: [said, reason].filter(Boolean).join(": ") || "no polarity",
    ...(item.severity && { tags: [item.severity] }),
    ...(item.confidence != null && { score: { label: "confidence", value: item.confidence, most: 1 } }),
    ...(after !== null && after !== before && { change: { before, after } }),
    ...(aspect !== null && list !== "aspects" && findFate(aspect, after, about)),
    ...(aspect !== null && list !== "aspects" && !isFirst && { answers: [`stage1/${aspect}`] }),
    uses: quoted ? [quoted] : [],
  };
}

/** The aspect an item speaks of, and the polarity or other word it gives. */
export function readItem(item: Item) {
  return {
    aspect: item.term ?? item.aspect_ref ?? item.target_aspect ?? item.target?.aspect_ref ?? null,
    word: item.value ?? item.revised_polarity ?? item.target?.polarity ?? item.polarity ?? null,
  };
}

/** A request in the log was made or refused; anything else stands if the result says the same. */
function findFate(aspect: string, after: string | null, { decision, role }: About): Pick<Point, "standing" | "status"> {
  if (decision === null) return {};
  const asked = decision.correction_applied_log.findLast(
    (one) => one.asked_by === role && one.target_aspect === aspect,
  );
  if (asked) return { standing: asked.applied ? "stands" : "dropped", status: spell(asked.reason) };
  const settled = decision.settlements.find((one) => one.aspect === aspect);
  const final = decision.final_result.final_aspects.find(({ aspect_ref }) => aspect_ref === aspect)?.polarity ?? null;
  if (after === null || !settled) return {};
  const status = settled.settled === final ? spell(settled.reason) : "not adopted";
  return { standing: (final ?? "none") === after ? "stands" : "dropped", status };
}
