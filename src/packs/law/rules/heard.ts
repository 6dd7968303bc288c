import { type CaseFile, findLimits } from "../../../knowledge/law/index.ts";
import { type Agent, type AgentOutput, opponentOf } from "../schemas/agent-output.ts";
import type { CritiqueMessage } from "../schemas/critique-message.ts";
import { critiqueOf, outputOf, type Round } from "../schemas/round.ts";

/** What a side comes to know beyond what it holds (law spec §2.10): what the other cites, what limits that, and what its critiques bring. */
export function listHeard(file: CaseFile, agent: Agent, rounds: Round[]): string[] {
  const other = opponentOf(agent);
  return rounds.flatMap((round) => [
    ...listCited(outputOf(round, other)),
    ...listLimiting(file, outputOf(round, other)),
    ...listBrought(critiqueOf(round, other)),
  ]);
}

/** What an answer rests on, its responses to critiques included. */
export function listCited({ claims, responses }: AgentOutput): string[] {
  return [...claims, ...responses].flatMap(({ evidence }) => evidence);
}

/** What limits an answer in its own law, for its critic to bring (law spec §2.11). */
export function listLimiting({ read }: CaseFile, output: AgentOutput): string[] {
  return findLimits(read, listCited(output)).flatMap(({ by }) => by);
}

/** What critiques bring along. */
export function listBrought(message: CritiqueMessage | null): string[] {
  return (message?.critiques ?? []).flatMap(({ evidence }) => evidence);
}
