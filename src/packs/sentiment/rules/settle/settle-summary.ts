import type { Settlement } from "../../schemas/outcome.ts";
import type { Polarity, Sentiment } from "../../schemas/stage1.ts";
import { findMostConfident, keepStated, type Stated } from "../tuples/stated.ts";
import { orderByText } from "../tuples/text-order.ts";
import type { AdditionRule } from "./additions.ts";
import type { JudgeWords } from "./read-judge.ts";

export type SettleInput = {
  text: string;
  judge: JudgeWords;
  /** The Stage 1 list after the confirmed renames and merges. */
  sentiments: readonly Sentiment[];
  /** Whether this addition is accepted, and why. */
  addition: AdditionRule;
  /** The gate's word on an aspect: the polarity it applied, or why it skipped it. */
  gate(aspect: string): { applied: Polarity | null; skipped: string };
  /** True when the text bears out what the judge meant of an aspect against its own tuple. */
  textBears(aspect: string): boolean;
  /** True when enough speakers ask for this polarity, for a profile that lets them carry a flip with the judge. */
  speakersAsk(aspect: string, polarity: Polarity): boolean;
  /** The polarity that a Stage 2 review gave the aspect on its own, if it changed it. */
  reviewed(aspect: string): Polarity | null;
  /** The sentiment of an accepted addition. */
  create(aspect: string, polarity: Polarity): Stated;
};

/** What the rules accept of the judge's tuples, each with its reason (sentiment spec §6a). */
export function settleSummary(input: SettleInput): {
  sentiments: Stated[];
  settlements: Settlement[];
  dropped: string[];
} {
  const base = keepStated(input.sentiments);
  const aspects = new Set([...base.map((sentiment) => sentiment.aspect_ref), ...input.judge.aspects]);
  const settled = orderByText(input.text, [...aspects]).map((aspect) =>
    settleAspect(
      aspect,
      base.filter((sentiment) => sentiment.aspect_ref === aspect),
      input,
    ),
  );
  return {
    sentiments: settled.flatMap((one) => one.kept),
    settlements: settled.map((one) => one.settlement),
    dropped: settled.filter((one) => one.settlement.reason === "dropped_by_judge").map((one) => one.settlement.aspect),
  };
}

type Settled = { kept: Stated[]; settlement: Settlement };

function settleAspect(aspect: string, own: Stated[], input: SettleInput): Settled {
  const word = input.judge.word(aspect);
  const stage1 = findMostConfident(own)?.polarity ?? null;
  const end = (kept: Stated[], reason: string): Settled => ({
    kept,
    settlement: { aspect, judge: word, stage1, settled: kept[0]?.polarity ?? null, reason },
  });
  if (input.judge.drops(aspect)) return end([], "dropped_by_judge");
  if (word === null) return end(own, "kept_judge_silent");
  if (word === "inconsistent") return end(own, "kept_judge_inconsistent");
  if (own.length === 0) {
    const reason = input.addition(aspect, word);
    return reason === null ? end([], "addition_refused") : end([input.create(aspect, word)], reason);
  }
  const same = own.filter((sentiment) => sentiment.polarity === word);
  if (same.length > 0) return end(same.slice(0, 1), same.length < own.length ? "conflict_resolved" : "confirmed");
  return settleFlip(aspect, word, own, input, end);
}

/** What the gate says of votes that are few or soft, not of votes that conflict or stand on nothing. */
const weakSignals = ["implicit_soft_only", "low_signal", "neutral_only"];

/** A flip needs the gate, a review, the text or, in an eager profile, enough speakers behind it; otherwise Stage 1 stands, with the gate's reason. */
function settleFlip(
  aspect: string,
  word: Polarity,
  own: Stated[],
  input: SettleInput,
  end: (kept: Stated[], reason: string) => Settled,
): Settled {
  const gate = input.gate(aspect);
  const carriers: [string, boolean][] = [
    ["flipped_by_gate", gate.applied === word],
    ["flipped_by_review", input.reviewed(aspect) === word],
    ["flipped_by_text", input.textBears(aspect)],
    ["flipped_by_speakers", weakSignals.includes(gate.skipped) && input.speakersAsk(aspect, word)],
  ];
  const reason = carriers.find(([, carries]) => carries)?.[0] ?? null;
  if (reason === null) return end(own, `kept_${gate.skipped}`);
  const best = own.reduce((a, b) => (b.confidence > a.confidence ? b : a));
  return end([{ ...best, polarity: word, polarity_distribution: null }], reason);
}
