import type { AnyFinished, AnyPack } from "../../engine/pack.ts";
import type { Change } from "./change.ts";
import { type DecideWith, listFlips } from "./decide-with.ts";
import type { Weighed } from "./explain-run.ts";

const steps = 7;

/** The value nearest to what was said, on the way to the end of a score's range, that flips the decision; null when not even the end does. */
export async function findNearestScore(
  end: Change,
  pack: AnyPack,
  held: AnyFinished,
  decide: DecideWith,
): Promise<Weighed | null> {
  if (end.kind !== "score") return null;
  const flipsAt = async (to: number) => {
    const after = await decide([{ ...end, to }]);
    return after === null ? [] : listFlips(pack, held, after);
  };
  let flips = await flipsAt(end.to);
  if (flips.length === 0) return null;
  let [near, far] = [end.from, end.to];
  for (let step = 0; step < steps; step += 1) {
    const middle = takeMiddle(near, far);
    if (middle === null) break;
    const inside = await flipsAt(middle);
    if (inside.length > 0) [far, flips] = [middle, inside];
    else near = middle;
  }
  return { change: { ...end, to: far }, flips };
}

/** Halfway: a whole number between whole numbers that lie apart, else two digits. */
function takeMiddle(near: number, far: number): number | null {
  const whole = Number.isInteger(near) && Number.isInteger(far) && Math.abs(far - near) > 1;
  const middle = whole ? Math.round((near + far) / 2) : Number(((near + far) / 2).toFixed(2));
  return middle === near || middle === far ? null : middle;
}
