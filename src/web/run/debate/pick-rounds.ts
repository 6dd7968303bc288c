import type { PositionItem } from "../../../contract/story.ts";

/** How many rounds of a long debate are shown until a reader asks for all. */
export const mostRounds = 24;
const first = 2;
const last = 4;

/** The rounds to show of a long debate: its beginning, its end, and as many as there is room for in which a mind changed. */
export function pickRounds(positions: readonly PositionItem[], most = mostRounds): number[] {
  const rounds = [...new Set(positions.map(({ round }) => round))].sort((a, b) => a - b);
  if (rounds.length <= most) return rounds;
  const ends = new Set([...rounds.slice(0, first), ...rounds.slice(-last)]);
  const changed = listChanged(positions).filter((round) => !ends.has(round));
  return [...ends, ...changed.slice(0, most - ends.size)].sort((a, b) => a - b);
}

/** The rounds in which somebody left the position of their last one. */
function listChanged(positions: readonly PositionItem[]): number[] {
  const lanes = Map.groupBy(positions, ({ role, item = "" }) => `${role}\n${item}`);
  const changed = [...lanes.values()].flatMap((lane) =>
    lane
      .toSorted((a, b) => a.round - b.round)
      .filter((one, at, all) => at > 0 && all[at - 1]?.answer !== one.answer)
      .map(({ round }) => round),
  );
  return [...new Set(changed)].sort((a, b) => a - b);
}
