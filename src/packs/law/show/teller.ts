import type { Turn } from "../../../contract/turn.ts";
import type { AgentOutput } from "../schemas/agent-output.ts";
import type { CritiqueMessage } from "../schemas/critique-message.ts";
import type { LawDecision } from "../schemas/decision.ts";
import type { SoloAnswer } from "../schemas/solo-answer.ts";
import type { labelsOf } from "./labels.ts";

type Labels = ReturnType<typeof labelsOf>;

/** What the points of a turn are told from: every turn that was answered, the decision where there is one, its words. */
export type Teller = { turns: Turn[]; decision: LawDecision | null; labels: Labels };

type AgentTurn = Turn & { reply: AgentOutput };
type CriticTurn = Turn & { reply: CritiqueMessage };
type Conclusion = Turn & {
  reply: SoloAnswer & { used_claims?: string[]; rejected_claims?: LawDecision["rejected_claims"] };
};

export function isAgentTurn(turn: Turn): turn is AgentTurn {
  return hasKeys(turn.reply, "agent", "claims", "responses");
}

export function isCriticTurn(turn: Turn): turn is CriticTurn {
  return hasKeys(turn.reply, "agent", "target", "critiques");
}

export function isConclusion(turn: Turn): turn is Conclusion {
  return hasKeys(turn.reply, "position", "answer", "reasons");
}

function hasKeys(value: unknown, ...keys: string[]): boolean {
  return typeof value === "object" && value !== null && keys.every((key) => key in value);
}
