import { turnIdOf } from "../../src/contract/turn.ts";
import { noUsage, type Usage } from "../../src/contract/budget.ts";
import type { Played, Player, TurnContext } from "../../src/engine/player.ts";
import { throwIfInterrupted } from "../../src/players/with-retry.ts";

/** A line of a script: text as a model would send it, a value, an error to throw, or a function of the turn. */
export type ScriptLine =
  | string
  | Error
  | { value: unknown }
  | { text: string; finish?: string; usage?: Partial<Usage> }
  | ((turn: TurnContext) => ScriptLine);

/** Lines for every turn in order, or by turn (`1/critique/critic`) or role; each is used once. */
export type Script = readonly ScriptLine[] | Record<string, readonly ScriptLine[]>;

/** Plays from a script and fails when it runs out: for tests and demonstrations that must not improvise. */
export function scriptedPlayer(script: Script, { id = "scripted" } = {}): Player {
  const left = new Map(
    Object.entries(Array.isArray(script) ? { "": script } : script).map(([name, lines]) => [name, [...lines]]),
  );
  return {
    id,
    async play(_role, _input, turn) {
      throwIfInterrupted(turn.signal);
      const line = takeNextLine(left, turn);
      const spent = { calls: 1, tokens: 0, usd: 0 };
      const reservation = await turn.reserve(spent);
      reservation.settle(spent);
      return playLine(line, turn);
    },
  };
}

function takeNextLine(left: Map<string, ScriptLine[]>, turn: TurnContext): ScriptLine {
  const lines = left.get(turnIdOf(turn.key)) ?? left.get(turn.key.role) ?? left.get("") ?? [];
  const line = lines.shift();
  if (line === undefined) throw new Error(`the script has no line left for ${turnIdOf(turn.key)}`);
  return line;
}

function playLine(line: ScriptLine, turn: TurnContext): Played {
  if (line instanceof Error) throw line;
  if (typeof line === "function") return playLine(line(turn), turn);
  const usage = { ...noUsage, calls: 1 };
  if (typeof line === "string") return { reply: { text: line }, usage, finish: "stop" };
  if ("value" in line) return { reply: line, usage, finish: null };
  return { reply: { text: line.text }, usage: { ...usage, ...line.usage }, finish: line.finish ?? "stop" };
}
