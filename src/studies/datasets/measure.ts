import * as z from "zod";
import { hashValue } from "../../engine/hash.ts";
import type { AnyPack, Measure } from "../../engine/pack.ts";
import { isRecord } from "../../text/json.ts";

export function measureOf(pack: AnyPack): Measure<unknown, unknown> {
  return pack.measure ?? plainMeasure;
}

const plainMeasure: Measure<unknown, unknown> = {
  gold: z.unknown(),
  primary: "same as gold",
  score: (decision, gold) => ({ "same as gold": hasAll(decision, gold) ? 1 : 0 }),
};

/** True when a value says all that gold says: objects may say more, everything else is equal. */
function hasAll(value: unknown, gold: unknown): boolean {
  if (!isRecord(gold)) return hashValue(value ?? null) === hashValue(gold ?? null);
  return isRecord(value) && Object.entries(gold).every(([key, wanted]) => hasAll(value[key], wanted));
}
