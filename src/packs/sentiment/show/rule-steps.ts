import type { Tone } from "../../../contract/view.ts";
import type { FinalOutput } from "../schemas/final-output.ts";
import { isBelow } from "../rules/tuples/is-below.ts";
import type { GateRecord } from "../schemas/outcome.ts";

/** A rule's decision with its numbers. */
export type Step = {
  label: string;
  outcome: string;
  detail: string;
  numbers?: Record<string, number>;
  limits?: Limit[];
  tone?: Tone;
};
type Limit = { name: string; value: number; threshold: number; isMet: boolean };

const nameOf = (aspect: string) => aspect || "(implicit)";

/** The gate, aspect by aspect. */
export function listGateSteps({ override_gate }: FinalOutput): Step[] {
  return override_gate.map((record) => ({
    label: nameOf(record.aspect),
    outcome: record.skip_reason ?? record.override_action ?? record.decision,
    detail: explainGate(record),
    numbers: { pos: record.pos_score, neg: record.neg_score, total: record.total, margin: record.margin },
    limits: [
      weigh("total", record.total, record.thresholds.min_total),
      weigh("margin", record.margin, record.thresholds.min_margin),
    ],
    tone: record.decision === "APPLY" ? "good" : "neutral",
  }));
}

function weigh(name: string, value: number, threshold: number): Limit {
  return { name, value, threshold, isMet: !isBelow(value, threshold) };
}

function explainGate(record: GateRecord): string {
  const { thresholds, target_pol, current_pol, current_conf } = record;
  const compare = (value: number, limit: number) =>
    `${showNumber(value)} ${!isBelow(value, limit) ? "≥" : "<"} ${showNumber(limit)}`;
  const now = current_pol === null ? "no sentiment" : `${current_pol} ${showNumber(current_conf ?? 0)}`;
  return [
    `for ${target_pol ?? "neither side"}`,
    `pos ${showNumber(record.pos_score)} neg ${showNumber(record.neg_score)}`,
    `total ${compare(record.total, thresholds.min_total)}`,
    `margin ${compare(record.margin, thresholds.min_margin)}`,
    `now ${now}`,
    ...(record.l3_flag ? [`risk ${record.l3_types.join(" ")}`] : []),
    ...(record.invalid_hint_count > 0 ? [`${record.invalid_hint_count} invalid votes`] : []),
  ].join(" · ");
}

/** Where the settled tuples differ from what the judge or Stage 1 said. */
export function listSettleSteps({ settlements }: FinalOutput): Step[] {
  return settlements
    .filter((one) => one.judge !== one.settled || one.stage1 !== one.settled)
    .map((one) => ({
      label: nameOf(one.aspect),
      outcome: one.settled ?? "no tuple",
      detail: `${one.reason.replaceAll("_", " ")} (Stage 1 ${one.stage1 ?? "none"}, judge ${one.judge ?? "silent"})`,
    }));
}

/** Whether what the debate and the reviews made of it replaces Stage 1. */
export function explainAdoption({ meta }: FinalOutput): Step {
  const components = Object.entries(meta.ev_components).filter((entry): entry is [string, number] => entry[1] !== null);
  const weighed = components.map(([name, value]) => `${name} ${showNumber(value)}`).join(", ");
  const sign = !isBelow(meta.ev_score, meta.ev_threshold) ? "≥" : "<";
  const adopted = meta.adopt_decision === "adopted";
  return {
    label: adopted ? "adopted" : "Stage 1 stands",
    outcome: meta.adopt_reason,
    detail: meta.override_candidate
      ? `EV ${showNumber(meta.ev_score)} ${sign} ${showNumber(meta.ev_threshold)} (${weighed})`
      : "neither the debate nor a review asks for a change",
    ...(meta.override_candidate && { limits: [weigh("EV score", meta.ev_score, meta.ev_threshold)] }),
    numbers: { ev_score: meta.ev_score, ev_threshold: meta.ev_threshold, ...Object.fromEntries(components) },
    tone: adopted ? "good" : "neutral",
  };
}

/** The moderator's rules in the order they fired. */
export function listModeratorSteps({ moderator }: FinalOutput): Step[] {
  if (moderator === null) return [];
  const reasons = moderator.rationale.split(/(?<=\.) (?=Rule[A-Z]:)/);
  return moderator.applied_rules.map((rule, at) => ({
    label: rule,
    outcome: (reasons[at] ?? "").replace(/^Rule[A-Z]: /, ""),
    detail: "",
  }));
}

function showNumber(value: number): string {
  return value.toFixed(2);
}
