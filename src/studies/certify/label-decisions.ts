import { ParleyError } from "../../contract/error.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { type BatchOptions, runBatch } from "../../runs/batch/batch.ts";
import type { CaseRow } from "../../runs/batch/case-rows.ts";
import type { RunSetting } from "../../runs/start/start-run.ts";
import type { StudyCase } from "../datasets/study-case.ts";
import type { Scorecard } from "../results/scorecard.ts";
import type { Labelled } from "./choose-threshold.ts";

/** The labelled decisions of one arm of a study, the first seed of each case: several seeds of a case are not several cases. */
export function labelStudy(scorecards: readonly Scorecard[], arm: string): Labelled[] {
  const cards = scorecards.filter((card) => card.arm === arm && card.right !== null);
  const first = [...Map.groupBy(cards, ({ case_id }) => case_id).values()].map((cardsOfCase) =>
    cardsOfCase.reduce((least, card) => (card.seed < least.seed ? card : least)),
  );
  return first.map(({ outcome, confidence, right }) => ({
    confidence: outcome === "decided" ? confidence : null,
    right: right === true,
  }));
}

/** Decides labelled cases and says of each how sure the decision is and whether it is right. */
export async function labelCases(
  setting: RunSetting,
  pack: AnyPack,
  cases: readonly StudyCase[],
  options: Pick<BatchOptions, "request" | "concurrency" | "onDone">,
): Promise<Labelled[]> {
  const { measure } = pack;
  if (!measure?.confidence)
    throw new ParleyError("bad_input", `the ${pack.name} pack states no confidence, so nothing can be certified`);
  const golden = cases.filter(({ gold }) => gold !== null);
  if (golden.length === 0) throw new ParleyError("bad_input", "no case has gold: certificates need labelled cases");
  const labelled: Labelled[] = [];
  for await (const { outcome, decision } of runBatch(setting, { pack, rows: listRows(golden), ...options })) {
    const one = golden[labelled.length];
    if (outcome === "error" || decision === null || !one) labelled.push({ confidence: null, right: false });
    else
      labelled.push({
        confidence: outcome === "decided" ? (measure.confidence(decision) ?? null) : null,
        right: (measure.score(decision, one.gold)[measure.primary] ?? 0) >= 1 - 1e-9,
      });
  }
  return labelled;
}

async function* listRows(cases: readonly StudyCase[]): AsyncGenerator<CaseRow> {
  for (const [index, { id, input }] of cases.entries()) yield { id, input, problem: null, line: index + 1 };
}
