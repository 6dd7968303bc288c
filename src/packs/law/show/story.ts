import type { Exhibit, Point, Standing, Story, StoryTurn } from "../../../contract/story.ts";
import { type Turn, turnIdOf } from "../../../contract/turn.ts";
import type { Held } from "../../../engine/pack.ts";
import type { LawDecision } from "../schemas/decision.ts";
import type { Language, LawInput, Material } from "../schemas/material.ts";
import {
  type Agent,
  type AgentOutput,
  type Claim,
  type CritiqueMessage,
  opponentOf,
  type SoloAnswer,
  type Supervision,
} from "../schemas/messages.ts";
import { sourceOf } from "../rules/evidence.ts";
import { word } from "../words/word.ts";

type Conclusion = Partial<Supervision & Pick<SoloAnswer, "claims">> &
  Pick<SoloAnswer, "reasons" | "answer" | "position" | "dissent">;
type Spoken = { turn: Turn; round: number } & (
  | { kind: "agent"; reply: AgentOutput }
  | { kind: "critic"; reply: CritiqueMessage }
  | { kind: "end"; reply: Conclusion }
);
type StoryContext = {
  spoken: Spoken[];
  decision: LawDecision | null;
  say: (key: string, values?: Record<string, string | number>) => string;
  language: Language;
};

export function story({ input, material, turns, decision }: Held<LawInput, unknown, LawDecision, Material>): Story {
  const language = decision?.language ?? material?.language ?? "id";
  const say: StoryContext["say"] = (key, values) => word(language, `label.${key}`, values);
  const spoken = turns.filter(({ status }) => status !== "abstained").flatMap(readTurn);
  const context: StoryContext = { spoken, decision, say, language };
  const rounds = [...new Set(spoken.map(({ round }) => round))].toSorted((a, b) => (a || Infinity) - (b || Infinity));
  return {
    subject: input.query,
    stages: rounds.map((round) => ({
      title: round === 0 ? say("decision") : `${say("round")} ${round}`,
      turns: spoken.filter((one) => one.round === round).map((one) => describeTurn(context, one)),
    })),
    exhibits: listExhibits(context, material),
    names: {
      nla: say("NLA"),
      ala: say("ALA"),
      nla_critic: say("NLA"),
      ala_critic: say("ALA"),
      sup: say("sup"),
    },
  };
}

function readTurn(turn: Turn): Spoken[] {
  const { reply, key } = turn;
  const has = (...keys: string[]): boolean =>
    typeof reply === "object" && reply !== null && keys.every((one) => one in reply);
  const round = key.round;
  if (has("agent", "claims", "responses")) return [{ turn, round, kind: "agent", reply: reply as AgentOutput }];
  if (has("agent", "target", "critiques")) return [{ turn, round, kind: "critic", reply: reply as CritiqueMessage }];
  return has("position", "answer", "reasons") ? [{ turn, round, kind: "end", reply: reply as Conclusion }] : [];
}

function describeTurn(context: StoryContext, spoken: Spoken): StoryTurn {
  const { say } = context;
  const turn = turnIdOf(spoken.turn.key);
  if (spoken.kind === "agent") {
    const { agent, answer, responses } = spoken.reply;
    const does = say(responses.length > 0 ? "does.revises" : "does.answers");
    return {
      turn,
      speaker: say(agent),
      does,
      says: answer,
      points: [describeReplies, describeClaims, describeDropped].flatMap((describe) => describe(context, spoken.reply)),
    };
  }
  if (spoken.kind === "critic") {
    const { agent, target, fewer_reason, cleared } = spoken.reply;
    const points = [...describeVerdicts(context, spoken.reply), ...describeCritiques(context, spoken.reply)];
    const found = cleared.length > 0 ? say("found_sound", { claims: cleared.join(", ") }) : "";
    return {
      turn,
      speaker: say(agent),
      does: say("does.criticises", { target: say(target) }),
      says: fewer_reason || found || (points.length === 0 ? say("nothing_raised") : ""),
      points,
    };
  }
  return {
    turn,
    speaker: say("sup"),
    does: say("does.decides"),
    says: spoken.reply.answer,
    points: describeConclusion(context, spoken.reply),
  };
}

const nameClaim = (round: number, agent: string, id: string): string => `${round}/${agent}:${id}`;
const nameCritique = (round: number, agent: Agent, id: string): string => `${round}/${agent}!${id}`;

function findOutput({ spoken }: StoryContext, agent: string, until: number): AgentOutput | undefined {
  return spoken
    .flatMap((one) => (one.kind === "agent" && one.round <= until && one.reply.agent === agent ? [one.reply] : []))
    .at(-1);
}

function listRaised({ spoken }: StoryContext, agent: Agent, id: string, until: number): string[] {
  const raised = spoken.findLast(
    (one) =>
      one.kind === "critic" &&
      one.reply.agent === agent &&
      one.round <= until &&
      one.reply.critiques.some((critique) => critique.id === id),
  );
  return raised ? [nameCritique(raised.round, agent, id)] : [];
}

function describeClaims(context: StoryContext, { agent, round, claims }: AgentOutput): Point[] {
  const before = findOutput(context, agent, round - 1);
  return claims.map((claim) => {
    const old = before?.claims.find(({ id }) => id === claim.id);
    const isSame = old?.statement === claim.statement;
    return {
      id: nameClaim(round, agent, claim.id),
      name: `${agent} ${claim.id}`,
      text: claim.statement,
      score: { label: context.say("confidence"), value: claim.confidence, most: 1 },
      ...(claim.risk && { tags: [word(context.language, `risk.${claim.risk}`)] }),
      ...describeStanding(context, agent, claim, round),
      ...(before && isSame && { repeats: nameClaim(before.round, agent, claim.id) }),
      ...(old && !isSame && { change: { before: old.statement, after: claim.statement } }),
      uses: claim.evidence,
      more: claim.assumptions.map((text) => ({ label: context.say("assuming"), text })),
    };
  });
}

function describeDropped(context: StoryContext, { agent, round, claims }: AgentOutput): Point[] {
  const before = findOutput(context, agent, round - 1);
  const gone = (before?.claims ?? []).filter(({ id }) => !claims.some((claim) => claim.id === id));
  return gone.map(({ id, statement }) => ({
    id: `${nameClaim(round, agent, id)}-dropped`,
    name: `${agent} ${id}`,
    text: statement,
    standing: "dropped",
    status: context.say("dropped"),
    why: context.decision?.summary?.dropped_claims.find(({ claim }) => claim === `${agent}:${id}`)?.why,
    answers: [nameClaim(before?.round ?? round - 1, agent, id)],
  }));
}

function describeStanding({ decision, say }: StoryContext, agent: Agent, { id }: Claim, round: number): Partial<Point> {
  if (!decision) return {};
  const name = `${agent}:${id}`;
  const isConceded = decision.summary?.critiques.some(
    ({ critique, status }) =>
      critique.target === agent && critique.target_claim_id === id && critique.round >= round && status === "accepted",
  );
  if (isConceded) return { standing: "conceded", status: say("gave_up") };
  const rejected = decision.rejected_claims.find((one) => one.claim === name);
  if (rejected) return { standing: "dropped", status: say("rejected"), why: rejected.why };
  const disputed = decision.summary?.disputed_claims.find((one) => one.claim === name);
  if (disputed) return { standing: "contested", status: say("disputed"), why: disputed.why };
  return decision.used_claims.includes(name) ? { standing: "stands", status: say("used") } : {};
}

const standings: Record<string, Standing> = {
  open: "contested",
  contested: "contested",
  unanswered: "contested",
  accepted: "stands",
  finding: "stands",
  withdrawn: "dropped",
  ungrounded: "dropped",
};

function describeCritiques(context: StoryContext, { agent, target, round, critiques }: CritiqueMessage): Point[] {
  return critiques.map((critique) => {
    const course = context.decision?.summary?.critiques.find(
      (one) => one.critique.agent === agent && one.critique.id === critique.id && one.critique.round === round,
    );
    const said = findOutput(context, target, round);
    const hit = said?.claims.find(({ id }) => id === critique.target_claim_id);
    return {
      id: nameCritique(round, agent, critique.id),
      name: `${agent} ${critique.id}`,
      text: critique.description,
      tags: [critique.severity, word(context.language, `issue.${critique.issue_type}`)],
      ...(course && {
        standing: standings[course.status],
        status: word(context.language, `status.${course.status}`),
        why: course.why,
      }),
      ...(said && hit && { answers: [nameClaim(said.round, target, hit.id)] }),
      uses: critique.evidence,
      more: critique.suggested_fix === "" ? [] : [{ label: context.say("fix"), text: critique.suggested_fix }],
    };
  });
}

function describeReplies(context: StoryContext, { agent, round, responses }: AgentOutput): Point[] {
  const critic = opponentOf(agent);
  return responses.map(({ critique_id, reason, evidence, response }) => {
    const said = context.say(response === "accepted" ? "accepted" : "rejected_it");
    return {
      id: `${round}/${agent}>${critique_id}`,
      name: `${agent} ${said} ${critic} ${critique_id}`,
      text: reason,
      ...(response === "accepted" && { standing: "conceded" as const, status: said }),
      answers: listRaised(context, critic, critique_id, round - 1),
      uses: evidence,
    };
  });
}

function describeVerdicts(context: StoryContext, { agent, round, verdicts }: CritiqueMessage): Point[] {
  return verdicts.map(({ critique_id, reason, verdict }) => ({
    id: `${round}/${agent}=${critique_id}`,
    name: `${agent} ${context.say(verdict)} ${critique_id}`,
    text: reason,
    ...(verdict === "withdrawn" && { standing: "conceded" as const, status: context.say("withdrawn") }),
    answers: [...listRaised(context, agent, critique_id, round - 1), `${round}/${opponentOf(agent)}>${critique_id}`],
  }));
}

function describeConclusion(context: StoryContext, { reasons, used_claims = [], dissent }: Conclusion): Point[] {
  const { say } = context;
  const idOf = (name: string): string => {
    const [agent = "", id = ""] = name.split(":");
    return nameClaim(findOutput(context, agent, Infinity)?.round ?? 1, agent, id);
  };
  return [
    ...reasons.map((text, at) => ({
      id: `0/reason-${at + 1}`,
      name: say("reasons"),
      text,
      ...(at === 0 && { answers: used_claims.map(idOf) }),
    })),
    ...(dissent === null ? [] : [{ id: "0/dissent", name: say("dissent"), text: dissent }]),
  ];
}

function listExhibits({ spoken, say, language }: StoryContext, material: Material | null): Exhibit[] {
  const cited = spoken.flatMap((one) =>
    (one.kind === "critic" ? one.reply.critiques : (one.reply.claims ?? [])).flatMap(({ evidence }) => evidence),
  );
  return [...new Set(cited)].map((id) => {
    const item = material?.evidence.find((one) => one.id === id || one.aliases.includes(id));
    const unheld = material ? { struck: say("not_in_sources") } : {};
    if (!item) return { id, source: say("sources"), place: id, quote: id, ...unheld };
    const [place, quote] = language === "en" ? [item.title_en, item.statement_en] : [item.title, item.statement];
    return { id, source: say("sources"), place, quote, after: ` — ${sourceOf(item, language)}` };
  });
}
