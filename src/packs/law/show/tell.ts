import type { Exhibit, PositionItem, Stage, Story, ToldTurn } from "../../../contract/story.ts";
import { type Turn, turnIdOf } from "../../../contract/turn.ts";
import type { Told } from "../../../engine/pack.ts";
import { opponentOf } from "../schemas/agent-output.ts";
import type { LawDecision } from "../schemas/decision.ts";
import { labelsOf } from "./labels.ts";
import { speakerName } from "./story.ts";
import { tellClaims, tellCritiques, tellReplies, tellSupervision, tellVerdicts } from "./tell-points.ts";
import { isAgentTurn, isConclusion, isCriticTurn, type Teller } from "./teller.ts";

/** A law debate turn by turn: claims, what is held against them, what is said to that, and what the supervisor made of it. */
export function tell({ turns, decision, input }: Told<unknown, unknown, LawDecision>): Story {
  const { language } = (decision ?? input) as { language?: "id" | "en" };
  const answered = turns.filter(({ status }) => status !== "abstained");
  const teller = { turns: answered, decision, labels: labelsOf({ language: language ?? "id" }) };
  return { stages: tellStages(teller), exhibits: listExhibits(teller), positions: listStands(teller) };
}

function tellStages(teller: Teller): Stage[] {
  const { turns, labels } = teller;
  const spoken = turns.flatMap((turn) => {
    const told = tellTurn(teller, turn);
    return told ? [{ round: turn.key.round, told }] : [];
  });
  const rounds = [...new Set(spoken.map(({ round }) => round))].filter((round) => round > 0).sort((a, b) => a - b);
  const stageOf = (title: string, round: number): Stage[] => {
    const own = spoken.filter((one) => one.round === round).map(({ told }) => told);
    return own.length === 0 ? [] : [{ title, turns: own }];
  };
  return [...rounds.flatMap((round) => stageOf(`${labels.round} ${round}`, round)), ...stageOf(labels.decision, 0)];
}

function tellTurn(teller: Teller, turn: Turn): ToldTurn | null {
  const { labels } = teller;
  const id = turnIdOf(turn.key);
  if (isAgentTurn(turn)) {
    const { agent, answer } = turn.reply;
    const replies = tellReplies(teller, turn.reply);
    const does = replies.length > 0 ? labels.does.revises : labels.does.answers;
    const points = [...replies, ...tellClaims(teller, turn.reply)];
    return { turn: id, speaker: labels.speakers[agent], does, says: answer, points };
  }
  if (isCriticTurn(turn)) {
    const { agent, target, fewer_reason } = turn.reply;
    const points = [...tellVerdicts(teller, turn.reply), ...tellCritiques(teller, turn.reply)];
    const does = `${labels.does.criticises} ${labels.speakers[target]}`;
    return { turn: id, speaker: labels.speakers[agent], does, says: fewer_reason ?? "", points };
  }
  if (!isConclusion(turn)) return null;
  const points = tellSupervision(teller, turn.reply);
  return { turn: id, speaker: labels.speakers.sup, does: labels.does.decides, says: turn.reply.answer, points };
}

/** What was cited, sources first in the order of the decision; what is no source here is struck. */
function listExhibits({ decision, turns, labels }: Teller): Exhibit[] {
  const sources = decision?.sources ?? [];
  const known = new Set(sources.map(({ id }) => id));
  const cited = turns.filter(isAgentTurn).flatMap(({ reply }) => reply.claims.flatMap(({ evidence }) => evidence));
  const unknown = decision ? [...new Set(cited)].filter((id) => !known.has(id)) : [];
  return [
    ...sources.map(({ id, title, statement, source }) => ({
      id,
      source: labels.sources,
      place: title,
      quote: statement,
      after: ` — ${source}`,
    })),
    ...unknown.map((id) => ({ id, source: labels.sources, place: id, quote: id, struck: labels.notInSources })),
  ];
}

/** Where each side stood: what it claims, what it gave in to, and where the supervisor came out. */
function listStands(teller: Teller): PositionItem[] {
  const { turns, decision, labels } = teller;
  const sides = turns.filter(isAgentTurn).map(({ key, reply }): PositionItem => {
    const accepted = reply.responses.filter(({ response }) => response === "accepted");
    const names = accepted.map(({ critique_id }) => `${opponentOf(reply.agent)} ${critique_id}`);
    const gaveIn = names.length === 0 ? "" : `, ${labels.standing.conceded} ${names.join(", ")}`;
    const answer = `${reply.claims.length} ${reply.claims.length === 1 ? labels.standing.one : labels.standing.several}${gaveIn}`;
    return { round: key.round, role: labels.speakers[reply.agent], answer, turn: turnIdOf(key) };
  });
  const last = Math.max(0, ...sides.map(({ round }) => round));
  if (!decision) return sides;
  const votes = decision.votes.map(({ voter, position }) => ({ role: speakerName(decision, voter), position }));
  const ends = votes.length > 0 ? votes : [{ role: labels.speakers.sup, position: decision.position }];
  const sup = turns.find(isConclusion);
  return [
    ...sides,
    ...ends.map(({ role, position }) => ({
      round: Math.max(1, last),
      role,
      answer: `${position}: ${labels.positions[position as LawDecision["position"]] ?? ""}`,
      ...(sup && { turn: turnIdOf(sup.key) }),
    })),
  ];
}
