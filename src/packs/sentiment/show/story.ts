/** The debate turn by turn: aspects, polarities, edits with before and after, and quotes. */
import type { Point, Story, StoryTurn } from "../../../contract/story.ts";
import { type Turn, turnIdOf } from "../../../contract/turn.ts";
import type { Held } from "../../../engine/pack.ts";
import { roleNames } from "../prompts/read-prompts.ts";
import { findTerm } from "../rules/text.ts";
import { readVote } from "../rules/tuples.ts";
import type { SentimentCase } from "../schemas/case.ts";
import type { Edit, PatchJudgeReply, PatchTurnReply, StanceSummary, StanceTurnReply } from "../schemas/debate.ts";
import type { Material } from "../schemas/material.ts";
import type { FinalOutput } from "../schemas/output.ts";
import type { AteReply, AtsaReply, ValidatorReply } from "../schemas/stage1.ts";
import type { AteReviewReply, AtsaReviewReply, ValidatorReviewReply } from "../schemas/stage2.ts";

type StoryContext = { decision: FinalOutput | null; stage1: Map<string, string> };
type Said = { says?: string; points?: Omit<Point, "id">[] };
type Way = [
  has: string,
  stage: string,
  speaker: string | null,
  does: string,
  describe: (reply: never, by: StoryContext) => Said,
];

/** Renderers by a key that only one kind of reply has. */
const ways: Way[] = [
  ["aspects", "Stage 1", "Aspects", "finds what the text speaks of", describeAspects],
  ["aspect_sentiments", "Stage 1", "Sentiments", "judges each aspect", describeSentiments],
  ["correction_proposals", "Stage 1", "Validator", "looks for risks", describeValidation],
  ["proposed_edits", "Round", null, "proposes edits", describeEdits],
  ["planning", "Round", null, "argues", describeStance],
  ["final_patch", "Judge", "Judge", "judges the debate", describeJudge],
  ["key_agreements", "Judge", "Judge", "judges the debate", describeConsensus],
  ["aspect_review", "Review", "Aspects", "reviews the aspects", describeAspectReviews],
  ["sentiment_review", "Review", "Sentiments", "reviews the sentiments", describeReviews],
  ["final_validation", "Review", "Validator", "looks again", describeValidationAgain],
];

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
  const said = reply as Record<string, unknown>;
  const way = ways.find(([has]) => has in said);
  if (!way) return null;
  const [, stage, own, does, describe] = way;
  const turn = turnIdOf(key);
  const { says = "", points = [] } = describe(said as never, context);
  const strikes = context.decision?.strikes ?? [];
  const struck = strikes
    .filter(({ speaker, round }) => speaker === key.role && round === key.round)
    .map(({ code, what }) => ({ name: "struck", text: what, standing: "dropped" as const, status: spell(code) }));
  const named = [said.agent, said.speaker].find((name): name is string => typeof name === "string" && name !== "");
  return {
    stage: stage === "Round" ? `Round ${key.round}` : stage,
    turn: {
      turn,
      speaker: own ?? named ?? key.role.toUpperCase(),
      does,
      says,
      points: [...points, ...struck].map((point, at) => ({ id: `${turn}/${at}`, ...point })),
    },
  };
}

export function nameAspect(aspect: string): string {
  return aspect === "" ? "(implicit)" : aspect;
}

export function spell(name: string): string {
  return name.toLowerCase().replaceAll("_", " ");
}

const sure = (value: number | null) => (value === null ? {} : { score: { label: "confidence", value, most: 1 } });

function describeAspects({ aspects }: AteReply): Said {
  return {
    points: aspects.map(({ term, rationale, confidence }) => {
      return { name: term, text: rationale, ...sure(confidence), uses: [term] };
    }),
  };
}

function describeSentiments({ aspect_sentiments }: AtsaReply, { decision }: StoryContext): Said {
  const final = decision?.final_result.final_aspects;
  return {
    points: aspect_sentiments.map((one) => {
      const kept = final?.find(({ aspect_ref }) => aspect_ref === one.aspect_ref);
      const standing = !kept ? "dropped" : kept.polarity === one.polarity ? "stands" : "conceded";
      const status = { stands: "kept", dropped: "dropped", conceded: `now ${kept?.polarity}` }[standing];
      return {
        id: `stage1/${one.aspect_ref}`,
        name: nameAspect(one.aspect_ref),
        text: one.polarity ?? "no polarity",
        ...sure(one.confidence),
        ...(final && { standing, status }),
        uses: [one.opinion_term?.term ?? one.evidence].filter(Boolean),
      };
    }),
  };
}

function describeValidation(reply: ValidatorReply, { decision }: StoryContext): Said {
  const risks = reply.structural_risks.map(({ type, description, severity }) => {
    return { name: spell(type), text: description, tags: [severity] };
  });
  const log = decision?.correction_applied_log.filter((one) => one.asked_by === "validator") ?? [];
  const proposals = reply.correction_proposals.map((one) => {
    const became = log.findLast((other) => other.target_aspect === one.target_aspect);
    return {
      name: `${spell(one.proposal_type)}: ${nameAspect(one.target_aspect)}`,
      text: one.rationale,
      ...(became && { standing: became.applied ? ("stands" as const) : ("dropped" as const) }),
      ...(became && { status: spell(became.reason) }),
      answers: [`stage1/${one.target_aspect}`],
    };
  });
  const says = risks.length === 0 ? `No risk was found; consistency ${reply.consistency_score.toFixed(2)}.` : "";
  return { says, points: [...risks, ...proposals] };
}

/** An edit in words: `set 포장 to negative`. */
function describeEdit({ op, target, value }: Edit): string {
  const aspect = target.aspect_ref || "(no aspect)";
  const words = {
    set_polarity: `set ${aspect} to ${value ?? target.polarity ?? "?"}`,
    confirm_tuple: `confirm ${aspect} ${target.polarity ?? value ?? "?"}`,
    drop_tuple: `drop ${aspect}${target.polarity ? ` ${target.polarity}` : ""}`,
    set_aspect_ref: `rename ${aspect} to ${value ?? "?"}`,
    merge_tuples: `merge ${aspect} into ${value ?? "?"}`,
  }[op];
  return words ?? op;
}

function describeWord(aspect: string, after: string | null, { decision, stage1 }: StoryContext) {
  const before = stage1.get(aspect) ?? "none";
  const settled = decision?.settlements.find((one) => one.aspect === aspect);
  const stands = settled && (settled.settled ?? "none") === after;
  return {
    name: nameAspect(aspect),
    ...(after !== null && after !== before && { change: { before, after } }),
    ...(settled && { standing: stands ? ("stands" as const) : ("dropped" as const), status: spell(settled.reason) }),
    answers: [`stage1/${aspect}`],
  };
}

function describeEdits({ proposed_edits }: PatchTurnReply, context: StoryContext): Said {
  const points = proposed_edits.map((edit) => {
    const { polarity, removal } = readVote(edit);
    const text = describeEdit(edit);
    const word = describeWord(edit.target.aspect_ref, removal ? "none" : polarity, context);
    return { ...word, text, ...sure(edit.confidence), uses: edit.evidence ? [edit.evidence] : [] };
  });
  return { says: points.length === 0 ? "No edits." : "", points };
}

const list = (name: string, items: readonly string[]) => items.map((text) => ({ name, text }));

function describeStance({ message, key_points }: StanceTurnReply): Said {
  return { says: message, points: list("point", key_points) };
}

function describeJudge(reply: PatchJudgeReply, context: StoryContext): Said {
  const tuples = reply.final_tuples.map(({ aspect_ref, polarity }) => {
    const evidence = reply.aspect_evidence ?? [];
    const uses = evidence.filter(({ aspect }) => aspect === aspect_ref).map(({ span }) => span);
    return { ...describeWord(aspect_ref, polarity ?? "none", context), text: polarity ?? "none", uses };
  });
  const open = list("open", reply.unresolved_conflicts).map((point) => {
    return { ...point, standing: "contested" as const, status: "not settled" };
  });
  return { says: reply.rationale ?? "", points: [...tuples, ...open] };
}

function describeConsensus({ consensus, key_agreements, key_disagreements, rationale }: StanceSummary): Said {
  const concluded = consensus === null ? [] : [consensus];
  const points = [
    ...list("consensus", concluded),
    ...list("agreed", key_agreements),
    ...list("disputed", key_disagreements),
  ];
  return { says: rationale, points };
}

function describeAspectReviews({ aspect_review }: AteReviewReply): Said {
  return {
    points: aspect_review.map(({ term, action, reason }) => {
      return { name: `${nameAspect(term)}: ${spell(action)}`, text: reason, answers: [`stage1/${term}`] };
    }),
  };
}

function describeReviews({ sentiment_review }: AtsaReviewReply, { stage1 }: StoryContext): Said {
  const points = sentiment_review.map(({ aspect_ref, action, reason, revised_polarity, evidence }) => {
    const before = stage1.get(aspect_ref) ?? "none";
    const after = revised_polarity ?? (action === "drop" ? "dropped" : before);
    return {
      name: `${nameAspect(aspect_ref)}: ${spell(action)}`,
      text: reason,
      answers: [`stage1/${aspect_ref}`],
      ...(after !== before && { change: { before, after } }),
      uses: evidence ? [evidence] : [],
    };
  });
  return { points };
}

function describeValidationAgain({ final_validation: checked }: ValidatorReviewReply): Said {
  const remaining = checked.remaining_risks.join("; ");
  const risks = remaining === "" ? "No risk remains" : `Remaining: ${remaining}`;
  return { says: `${risks}; consistency ${checked.final_consistency_score.toFixed(2)}.` };
}
