/** The report: the label, the text with its evidence, each aspect before and after, who asked for what, and every rule. */
import type { Cell, Section, Tone } from "../../../contract/view.ts";
import type { Point } from "../../../contract/story.ts";
import type { Turn } from "../../../contract/turn.ts";
import type { Finished } from "../../../engine/pack.ts";
import { describeSpend } from "../../../engine/budget.ts";
import { isRecord } from "../../../text/json.ts";
import type { SentimentCase } from "../schemas/case.ts";
import type { SentimentConfig } from "../config/config.ts";
import { findTerm } from "../rules/text.ts";
import { isBelow } from "../rules/tuples.ts";
import type { Material } from "../schemas/material.ts";
import type { FinalAspect, FinalOutput } from "../schemas/output.ts";
import type { Polarity } from "../schemas/stage1.ts";
import { verifyOutput } from "./checks.ts";
import { nameAspect, readItem, spell, story } from "./story.ts";

type Done = Finished<SentimentCase, SentimentConfig, FinalOutput, Material>;
type Step = Extract<Section, { kind: "steps" }>["steps"][number];

export function sections(done: Done): Section[] {
  const { result, turns } = done;
  const { decision } = result;
  const reasons = result.reasons.join("; ");
  if (!decision)
    return [{ kind: "verdict", title: "", answer: `No decision (${result.outcome})`, tone: "warn", points: [reasons] }];
  const steps = (title: string, list: Step[], detail?: true): Section[] =>
    list.length === 0 ? [] : [{ kind: "steps", title, steps: list, ...(detail && { detail }) }];
  const { doubts } = decision;
  return [
    showVerdict(decision, result),
    { kind: "highlight", title: "Text", lead: true, text: decision.meta.text, marks: findMarks(decision) },
    tabulateAspects(decision),
    ...(doubts.length === 0 ? [] : [{ kind: "list" as const, title: "Open doubts", items: doubts }]),
    ...showDebate(done, decision),
    ...showChanges(decision),
    ...showStrikes(decision, turns),
    ...steps("Override gate", listGateSteps(decision), true),
    ...steps("Result", [explainAdoption(decision)]),
    ...steps("Moderator", listModeratorSteps(decision)),
    { kind: "text", title: "Cost", text: writeCost(result) },
    { kind: "checks", title: "Integrity", detail: true, findings: verifyOutput(decision) },
  ];
}

const tones: Record<Polarity | "mixed", Tone> = {
  positive: "good",
  negative: "bad",
  neutral: "neutral",
  mixed: "warn",
};

function listAspects({ final_result: { final_aspects } }: FinalOutput): string {
  return final_aspects.map((one) => `${nameAspect(one.aspect_ref)} ${one.polarity}`).join(", ") || "none";
}

function showVerdict(decision: FinalOutput, result: Done["result"]): Section {
  const { final_result, meta, debate } = decision;
  const { label, confidence, final_aspects } = final_result;
  const isDecided = result.outcome === "decided";
  const byPolarity = Map.groupBy(final_aspects, ({ polarity }) => polarity);
  const said = [...byPolarity].map(
    ([polarity, own]) => `${polarity}: ${own.map(({ aspect_ref }) => nameAspect(aspect_ref)).join(", ")}`,
  );
  const reason = spell(meta.adopt_reason);
  const moved =
    meta.adopt_decision === "adopted"
      ? `The debate changed the result (${reason}).`
      : `The debate changed nothing (${reason}).`;
  const mixed = [decision.stage2_ate, decision.stage1_ate].find((one) => one?.label === "mixed");
  const explained = label === "mixed" && mixed ? [mixed.rationale] : [];
  return {
    kind: "verdict",
    title: "",
    answer: isDecided ? label : `${label} (${result.outcome})`,
    tone: tones[label],
    confidence,
    points: [
      ...(isDecided ? [] : result.reasons),
      ...(said.length > 0 ? [said.join("; ")] : []),
      ...explained,
      ...(debate === null ? [] : [moved]),
    ],
    headline: { sentence: label, aspects: listAspects(decision) },
  };
}

type Mark = Extract<Section, { kind: "highlight" }>["marks"][number];
type Range = { start: number; end: number };

function findMarks({ meta, final_result }: FinalOutput): Mark[] {
  const marks = final_result.final_aspects.flatMap((aspect) => markAspect(meta.text, aspect));
  const kept: Mark[] = [];
  for (const mark of marks.sort((a, b) => a.start - b.start || b.end - a.end))
    if (!kept.some((other) => mark.start < other.end && other.start < mark.end)) kept.push(mark);
  return kept;
}

function markAspect(text: string, aspect: FinalAspect): Mark[] {
  const name = nameAspect(aspect.aspect_ref);
  const tone = tones[aspect.polarity];
  const evidence = aspect.evidence.trim();
  const quoted = evidence === "" || evidence === text.trim() ? null : findTerm(text, evidence, aspect.span?.start ?? 0);
  const words = aspect.opinion_term?.span ?? quoted;
  const parts = words ? cutOut(words, aspect.span) : [];
  return [
    ...(aspect.span ? [{ ...aspect.span, label: name, tone, kind: "subject" as const }] : []),
    ...parts.map((part) => ({ ...part, label: `${name}: ${aspect.polarity}`, tone, kind: "evidence" as const })),
  ];
}

function cutOut(range: Range, hole: Range | null): Range[] {
  if (hole === null || hole.end <= range.start || hole.start >= range.end) return [range];
  const parts = [
    { start: range.start, end: hole.start },
    { start: hole.end, end: range.end },
  ];
  return parts.filter((part) => part.end > part.start);
}

function tabulateAspects({ final_result, settlements, override_gate }: FinalOutput): Section {
  const { stage1_tuples, final_aspects, mentions } = final_result;
  const note = mentions.length === 0 ? {} : { note: `mentioned without an opinion: ${mentions.join(", ")}` };
  const aspects = [...new Set([...stage1_tuples, ...final_aspects].map(({ aspect_ref }) => aspect_ref))];
  if (aspects.length === 0) return { kind: "text", title: "", text: "no opinion on any aspect", ...note };
  const explain = (aspect: string) => {
    const gated = override_gate.find((one) => one.aspect === aspect);
    const settled = settlements.find((one) => one.aspect === aspect)?.reason;
    return spell(settled ?? gated?.skip_reason ?? gated?.override_action ?? "");
  };
  const show = (polarity: Polarity | undefined): Cell =>
    polarity ? { text: polarity, tone: tones[polarity] } : { text: "none", tone: "neutral" };
  return {
    kind: "table",
    title: "Before and after the debate",
    lead: true,
    columns: ["aspect", "Stage 1", "final", { name: "confidence", numeric: true }, "evidence", "why"],
    rows: aspects.map((aspect) => {
      const before = stage1_tuples.find(({ aspect_ref }) => aspect_ref === aspect);
      const after = final_aspects.find(({ aspect_ref }) => aspect_ref === aspect);
      const words = after?.opinion_term?.term ?? after?.evidence.trim() ?? "";
      return [
        nameAspect(aspect),
        show(before?.polarity),
        show(after?.polarity),
        after?.confidence.toFixed(2) ?? "",
        words === "" ? "" : `“${words}”`,
        explain(aspect),
      ];
    }),
    ...note,
  };
}

/** What was said in the debate; an edit that asks for a change ends with what became of it. */
function showDebate(done: Done, { debate }: FinalOutput): Section[] {
  if (debate === null) return [];
  const { stages } = story({ ...done, decision: done.result.decision });
  const rows = stages.flatMap(({ title, turns }) => {
    const round = debate.rounds.length > 1 ? (/^Round( \d+)$/.exec(title)?.[1] ?? "") : "";
    const isHeld = /^(Round|Judge)/.test(title);
    return (isHeld ? turns : []).map(({ speaker, says, points }) => {
      const said = points.filter(({ name }) => name !== "struck").map(showPoint);
      return { label: `${speaker}${round}`, value: [says, ...said].filter(Boolean).join(" · ") };
    });
  });
  const { injected, injected_before } = debate.memory;
  const note = `memory of ${injected.length} episodes shown before ${injected_before.join(", ")}`;
  return [{ kind: "facts", title: `Debate (${debate.style})`, ...(injected_before.length > 0 && { note }), rows }];
}

function showPoint({ name, text, uses = [], change, status }: Point): string {
  const said = text.includes(name) ? text : `${name}: ${text}`;
  return [said, ...uses.map((quote) => `“${quote}”`), ...(change && status ? [`(${status})`] : [])].join(" ");
}

function showChanges({ correction_applied_log: log, meta }: FinalOutput): Section[] {
  const made = meta.adopt_decision === "adopted" ? "made" : "made, then given up with the debate";
  const rows = log.map((one) => ({
    label: one.asked_by,
    value: `${spell(one.proposal_type)} ${nameAspect(one.target_aspect)}${one.resulting_term ? ` → “${one.resulting_term}”` : ""}${one.resulting_polarity ? ` → ${one.resulting_polarity}` : ""}: ${one.applied ? made : "not made"} (${spell(one.reason)})`,
    tone: (one.applied ? "good" : "neutral") as Tone,
  }));
  return rows.length === 0 ? [] : [{ kind: "facts", title: "Changes asked for", rows }];
}

function showStrikes({ strikes }: FinalOutput, turns: readonly Turn[]): Section[] {
  const struck = strikes.map(({ speaker, code, what }) => ({
    label: speaker,
    value: `${spell(code)}: “${what}”`,
  }));
  const rows = [...struck, ...turns.flatMap(listRepairs)];
  return rows.length === 0 ? [] : [{ kind: "facts", title: "Struck and repaired", rows }];
}

function listRepairs({ key, attempts, status, reply }: Turn): { label: string; value: string; tone: Tone }[] {
  const [first] = attempts;
  if (!first || attempts.length < 2 || status === "abstained") return [];
  const [before, after] = [readPolarities(parse(first.raw)), readPolarities(reply)];
  const blamed = new Set(first.problems.map(({ path = [] }) => path.slice(0, 2).join("/")));
  const reversed = [...before].flatMap(([aspect, { polarity, at }]) => {
    const now = after.get(aspect)?.polarity ?? "nothing";
    if (now === polarity || blamed.has(at)) return [];
    return [`its repair says ${now} of ${nameAspect(aspect)} instead of ${polarity}, which nobody had asked for`];
  });
  const asked = [...new Set(first.problems.map(({ code }) => spell(code)))].join(", ");
  return [`asked again: ${asked}`, ...reversed].map((value) => ({ label: key.role, value, tone: "warn" as const }));
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw.replace(/^[^{]*|[^}]*$/g, ""));
  } catch {
    return null;
  }
}

function readPolarities(reply: unknown): Map<string, { polarity: string; at: string }> {
  const items = Object.entries(isRecord(reply) ? reply : {}).flatMap(([list, all]) =>
    (Array.isArray(all) ? all : []).map((item: unknown, at) => ({ at: `${list}/${at}`, ...readItem(Object(item)) })),
  );
  const found = items.flatMap(({ aspect, word, at }) =>
    typeof aspect === "string" && typeof word === "string" ? [[aspect, { polarity: word, at }] as const] : [],
  );
  return new Map(found);
}

function listGateSteps({ override_gate }: FinalOutput): Step[] {
  return override_gate.map((record) => {
    const { target_pol, current_pol, current_conf, total, margin, thresholds } = record;
    const weigh = (name: string, value: number, threshold: number) =>
      `${name} ${two(value)} ${isBelow(value, threshold) ? "<" : "≥"} ${two(threshold)}`;
    const details = [
      `for ${target_pol ?? "neither side"}`,
      weigh("total", total, thresholds.min_total),
      weigh("margin", margin, thresholds.min_margin),
      `pos ${two(record.pos_score)} neg ${two(record.neg_score)}`,
      `now ${current_pol === null ? "no sentiment" : `${current_pol} ${two(current_conf ?? 0)}`}`,
      ...(record.l3_types.length > 0 ? [`risk ${record.l3_types.join(" ")}`] : []),
      ...(record.invalid_hint_count > 0 ? [`${record.invalid_hint_count} invalid votes`] : []),
    ];
    return {
      label: nameAspect(record.aspect),
      outcome: record.skip_reason ?? record.override_action ?? record.decision,
      detail: details.join(" · "),
      tone: record.decision === "APPLY" ? "good" : "neutral",
    };
  });
}

const two = (value: number) => value.toFixed(2);

function explainAdoption({ meta, correction_applied_log: log }: FinalOutput): Step {
  const components = Object.entries(meta.ev_components).filter((entry): entry is [string, number] => entry[1] !== null);
  const weighed = components.map(([name, value]) => `${name} ${two(value)}`).join(", ");
  const isMet = !isBelow(meta.ev_score, meta.ev_threshold);
  const adopted = meta.adopt_decision === "adopted";
  const unasked =
    log.length === 0 ? "nobody asked for a change" : "the changes asked for were refused or make no difference";
  return {
    label: adopted ? "debate adopted" : "Stage 1 kept",
    outcome: spell(meta.adopt_reason),
    detail: meta.override_candidate
      ? `EV ${two(meta.ev_score)} ${isMet ? "≥" : "<"} ${two(meta.ev_threshold)} (${weighed})`
      : unasked,
    tone: adopted ? "good" : "neutral",
  };
}

function listModeratorSteps({ moderator }: FinalOutput): Step[] {
  const reasons = moderator.rationale.split(/(?<=\.) (?=(?:Rule[A-Z]|Bound):)/);
  return moderator.applied_rules.map((rule, at) => ({
    label: rule,
    outcome: (reasons[at] ?? "").replace(/^(?:Rule[A-Z]|Bound): /, ""),
    detail: "",
  }));
}

function writeCost({ usage, spend, quorum }: Done["result"]): string {
  const quiet = quorum.abstained > 0 ? `, ${quorum.abstained} abstained` : "";
  return `${quorum.asked} turns${quiet} · ${describeSpend({ spend, usage })}`;
}
