import { type AnswerRecord, type ErrorCorrelation, errorCorrelations } from "../statistics/error-correlation.ts";
import type { RunPositions } from "./flip-ledger.ts";

/** How alike the players err in their first words, before anyone heard another. */
export function correlateOpeningErrors(runs: Iterable<RunPositions>): ErrorCorrelation[] {
  const records = new Map<string, AnswerRecord>();
  for (const { run_id, positions } of runs)
    for (const one of positions.toSorted((a, b) => a.round - b.round)) {
      if (one.correct === null) continue;
      const record = records.get(one.role) ?? { player: one.role, right: new Map() };
      records.set(one.role, record);
      const item = JSON.stringify([run_id, one.item]);
      if (!record.right.has(item)) record.right.set(item, one.correct);
    }
  return errorCorrelations([...records.values()].sort((a, b) => (a.player < b.player ? -1 : 1)));
}
