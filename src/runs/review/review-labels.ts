import { ParleyError } from "../../contract/error.ts";
import type { DebateResult } from "../../contract/result.ts";
import type { Turn } from "../../contract/turn.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { loadPack } from "../../packs/registry.ts";
import { isRecord } from "../../text/is-record.ts";
import type { Store } from "../../store/store.ts";
import { readRun } from "../record/read-run.ts";
import { checkValue } from "../settings/read-settings.ts";
import type { Ruling } from "./review-run.ts";

/** A row of a dataset, as studies take it. */
export type LabelledCase = {
  id: string;
  input: unknown;
  gold: unknown;
  /** What each speaker said at first, where gold is one answer: a jury can learn from it. */
  votes?: Record<string, string | null>;
  labelled_by: "person";
};

/** What a reviewer says of an escalated decision: it stands, or this is right instead. */
export type Judgement = { verdict: "uphold" | "correct"; why: string; reviewer: string; gold?: unknown };

/**
 * The ruling of a judgement, with the gold that makes its run a labelled case. A blind reviewer has not seen the verdict:
 * what they hold right is compared with it, and that says whether it stands.
 */
export function makeRuling(pack: AnyPack, result: DebateResult, judgement: Judgement, blind: boolean): Ruling {
  const { verdict, why, reviewer, gold } = judgement;
  const common = { ruling: why, reviewer };
  if (blind) {
    if (verdict === "uphold" || gold === undefined)
      throw new ParleyError(
        "bad_input",
        "the verdict is kept back, so it cannot be upheld; say what is right, as gold",
      );
    const agreed = isRight(pack, result, gold);
    return { ...common, verdict: agreed ? "upheld" : "replaced", gold, agreed };
  }
  if (gold !== undefined) requireGold(pack, gold);
  if (verdict === "correct") return { ...common, verdict: "replaced", gold };
  const stands = gold ?? (result.decision === null ? undefined : pack.measure?.goldOf?.(result.decision));
  return { ...common, verdict: "upheld", gold: stands };
}

/** True when the decision is right by this gold. */
function isRight(pack: AnyPack, { decision }: DebateResult, gold: unknown): boolean {
  const parsed = requireGold(pack, gold);
  const { measure } = pack;
  return decision !== null && measure !== undefined && measure.score(decision, parsed)[measure.primary] === 1;
}

function requireGold(pack: AnyPack, gold: unknown): unknown {
  if (!pack.measure) throw new ParleyError("bad_input", `decisions of the ${pack.name} pack are not measured: no gold`);
  return checkValue(pack.measure.gold, gold, `gold of the ${pack.name} pack`, "bad_input");
}

/** Every case of a pack that a reviewer has labelled, as a dataset; the last ruling on a run counts. */
export async function* listLabelledCases(store: Store, packName: string): AsyncGenerator<LabelledCase> {
  const pack = await loadPack(packName);
  for (const id of await store.reviewed()) {
    if ((await store.get(id))?.manifest.pack !== packName) continue;
    const { run, entries, result, turns } = await readRun(store, id);
    const review = entries.map((entry) => entry.body).findLast((body) => body.kind === "review");
    if (review?.gold === undefined) continue;
    const votes = result ? listVotes(pack, result, turns, review.gold) : null;
    const row = { id: run.caseId ?? run.id, input: run.manifest.input, gold: review.gold };
    yield { ...row, ...(votes ? { votes } : {}), labelled_by: "person" };
  }
}

/** What every speaker said in the first round; an answer that is right is written as gold writes it. */
function listVotes(pack: AnyPack, { decision }: DebateResult, turns: Turn[], gold: unknown) {
  const { measure } = pack;
  if (decision === null || !isRecord(gold) || typeof gold.answer !== "string" || !measure?.isCorrect) return null;
  const { answer: right } = gold;
  const said = measure.positions?.(decision, turns) ?? [];
  const first = said.filter(({ round }) => round === Math.min(...said.map((one) => one.round)));
  const word = (answer: string): string | null =>
    measure.isCorrect?.(answer, measure.gold.parse(gold)) ? right : answer === "" ? null : answer;
  return first.length === 0 ? null : Object.fromEntries(first.map(({ role, answer }) => [role, word(answer)]));
}

/** How often reviewers who had not seen the verdict came to the same. */
export async function countAgreement(store: Store): Promise<{ blind: number; agreed: number }> {
  const counts = { blind: 0, agreed: 0 };
  for (const id of await store.reviewed()) {
    const { entries } = await store.journal(id);
    const review = entries.map((entry) => entry.body).findLast((body) => body.kind === "review");
    if (review?.agreed === undefined) continue;
    counts.blind += 1;
    if (review.agreed) counts.agreed += 1;
  }
  return counts;
}
