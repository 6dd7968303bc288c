import { noCost } from "../../contract/budget.ts";
import { ParleyError } from "../../contract/error.ts";
import { type Problem, type TurnKey, turnIdOf } from "../../contract/turn.ts";
import { noUsage } from "../../contract/usage.ts";
import type { Player } from "../../engine/player.ts";
import { buildJsonSchema, type RenderedPrompt } from "../../engine/prompt.ts";
import { throwIfInterrupted } from "../calls/interruption.ts";

/** What a person is shown: the role's prompt, the form of the reply, and what was wrong with an earlier one. */
export type PersonForm = {
  key: TurnKey;
  prompt: RenderedPrompt;
  schema: Record<string, unknown>;
  earlier: { raw: string; problems: Problem[] } | null;
  signal: AbortSignal;
};

/** Where people answer: a terminal, an inbox. A null answer is an abstention; `parked` says that nobody is there yet. */
export type PersonPort = {
  answer(form: PersonForm): Promise<unknown>;
  /** Who lets the answer stand although it breaks a rule, and why. */
  overrule?: { by: string; why: string };
};

/** A person plays the role through `port`; without one the turn waits and the run parks. */
export function personPlayer(port: PersonPort | null): Player {
  return {
    id: "person",
    async play(role, _input, turn) {
      throwIfInterrupted(turn.signal);
      if (port === null) throw parked(turn.key);
      await turn.reserve(noCost);
      const { key, signal, repair: earlier } = turn;
      const form: PersonForm = {
        key,
        prompt: turn.rendered,
        schema: buildJsonSchema(role.reply),
        earlier,
        signal,
      };
      const value = await port.answer(form);
      return {
        reply: { value: value ?? null },
        usage: { ...noUsage, calls: 1 },
        finish: null,
        final: value == null,
        ...(port.overrule && { overrule: port.overrule }),
      };
    },
  };
}

/** The error of a turn that waits for a person. */
export function parked(key: TurnKey): ParleyError {
  return new ParleyError("parked", `${turnIdOf(key)} waits for a person`, {
    details: { turn: turnIdOf(key) },
  });
}
