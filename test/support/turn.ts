import type { WorstCase } from "../../src/contract/budget.ts";
import type { TurnContext } from "../../src/engine/player.ts";
import { buildRequest } from "../../src/engine/prompt.ts";
import type { AnyRole } from "../../src/engine/role.ts";

/** What a turn saw of its player: reservations with what they settled to, and streamed text. */
export type TurnLog = { reserved: { worst: WorstCase; settled: WorstCase | null }[]; text: string };

/** A turn of `role` on `input` outside any debate, that writes down what its player does. */
export function turnOf(
  role: AnyRole,
  input: unknown,
  changes: Partial<TurnContext> = {},
): TurnContext & { log: TurnLog } {
  const { prompt, rendered, requestHash } = buildRequest(role, input);
  const log: TurnLog = { reserved: [], text: "" };
  return {
    key: { round: 1, step: "say", role: role.name },
    prompt,
    rendered,
    requestHash,
    seed: 7,
    signal: new AbortController().signal,
    repair: null,
    async reserve(worst) {
      const entry: TurnLog["reserved"][number] = { worst, settled: null };
      log.reserved.push(entry);
      return { settle: (spent) => void (entry.settled = spent) };
    },
    onText: (text) => void (log.text += text),
    ...changes,
    log,
  };
}
