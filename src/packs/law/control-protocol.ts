import { Abstained } from "../../engine/debate.ts";
import type { Verdict } from "../../engine/pack.ts";
import { type CaseFile, resolveIds } from "../../knowledge/law/index.ts";
import type { LawConfig } from "./config.ts";
import type { LawDebate } from "./debate-turns.ts";
import { composePlain, nameClaims } from "./decision.ts";
import type { LawDecision } from "./schemas/decision.ts";
import type { SoloAnswer } from "./schemas/solo-answer.ts";

type Vote = { voter: string; answer: SoloAnswer };

/** The control arms: one agent alone; independent agents and a vote; or one agent asked several times and a vote (law spec §8.2). */
export async function holdControl(held: LawDebate): Promise<Verdict<LawDecision>> {
  const { debate, roles, file, config } = held;
  const votes = await debate.round(1, () => castVotes(held));
  const [first] = votes;
  if (!first) throw new Abstained(roles.solo.name, "nobody answered");
  const position = findWinner(votes);
  const chosen = votes.find(({ answer }) => answer.position === position) ?? first;
  return { outcome: "decided", reasons: [], decision: composeVoted(file, chosen.answer, votes, config) };
}

async function castVotes({ debate, roles, file, config }: LawDebate): Promise<Vote[]> {
  const { protocol, samples } = config;
  if (protocol === "vote") {
    const answers = await debate.askAll("vote", roles.voters, () => ({ file }));
    return answers.map(({ role, reply }) => ({ voter: role, answer: reply }));
  }
  const steps =
    protocol === "single" ? ["answer"] : Array.from({ length: samples }, (_, index) => `sample-${index + 1}`);
  const taken = await Promise.all(steps.map((step) => debate.tryAsk(roles.solo, { file }, step)));
  return taken.flatMap((answer, index) => (answer ? [{ voter: steps[index] ?? "", answer }] : []));
}

/** The position with most votes; a tie goes to the last voter, who looks from neither side. */
function findWinner(votes: Vote[]): SoloAnswer["position"] | undefined {
  const count = (position: string): number => votes.filter(({ answer }) => answer.position === position).length;
  return votes.toReversed().toSorted((a, b) => count(b.answer.position) - count(a.answer.position))[0]?.answer.position;
}

function composeVoted(file: CaseFile, answer: SoloAnswer, votes: Vote[], { protocol }: LawConfig): LawDecision {
  const { claims, faults, ...said } = answer;
  const stable = claims.map((claim) => ({ ...claim, evidence: resolveIds(file, claim.evidence) }));
  const all = nameClaims("SOLO", stable);
  const usable = all.filter(({ evidence }) => evidence.length > 0);
  const used = answer.position === "D" ? [] : usable.map(({ claim }) => claim);
  return {
    ...composePlain(file, all, { ...said, used_claims: used, rejected_claims: [], needs_human_review: false }),
    decided_by: protocol === "single" ? "single" : "vote",
    votes: votes.map(({ voter, answer: { position } }) => ({ voter, position })),
    ...(faults ? { faults } : {}),
  };
}
