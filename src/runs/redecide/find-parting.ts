import { type Turn, turnIdOf } from "../../contract/turn.ts";
import { diffJson } from "../../text/json-diff.ts";

/** The first turn at which two debates part: asked, answered or ended otherwise, or held in one of them only; null when none does. */
export function findParting(first: readonly Turn[], second: readonly Turn[]): string | null {
  const others = new Map(second.map((turn) => [turnIdOf(turn.key), turn]));
  const parting = first.find((turn) => isOther(turn, others.get(turnIdOf(turn.key))));
  if (parting) return turnIdOf(parting.key);
  const own = new Set(first.map(({ key }) => turnIdOf(key)));
  const added = second.find(({ key }) => !own.has(turnIdOf(key)));
  return added ? turnIdOf(added.key) : null;
}

function isOther(turn: Turn, other: Turn | undefined): boolean {
  if (!other) return true;
  if (turn.requestHash !== other.requestHash || turn.status !== other.status) return true;
  return diffJson(turn.reply, other.reply).length > 0;
}
