import type { Section, Tone } from "../../../contract/view.ts";
import type { Artifact, Finished } from "../../../engine/pack.ts";
import { listClosing } from "../rules/answer.ts";
import type { ConvergenceConfig } from "../rules/converged.ts";
import type { DebateSummary, LawDecision, Source } from "../schemas/decision.ts";
import type { LawInput, Material } from "../schemas/material.ts";
import { SupervisionSchema } from "../schemas/messages.ts";
import { word } from "../words/word.ts";

type LawFinished = Finished<LawInput, ConvergenceConfig, LawDecision, Material>;

/** The report (law spec §6): the answer, then claims with sources, critiques, and how it ended. */
export function sections(finished: LawFinished): Section[] {
  const { decision, outcome, reasons } = finished.result;
  if (!decision) return [{ kind: "verdict", title: "", answer: outcome, tone: "warn", points: reasons }];
  const lead = outcome !== "undecided" && decision.summary ? (decision.answer.split("\n\n")[0] ?? "") : "";
  // The verdict says these already.
  const said = [lead, ...listClosing(decision.language, decision.position, decision.review_reasons).slice(0, -1)];
  const rest = decision.answer.split("\n\n").filter((part) => !said.includes(part));
  return [showVerdict(decision, finished, lead), ...showAnswer({ ...decision, answer: rest.join("\n\n") })];
}

function showAnswer(decision: LawDecision): Section[] {
  const say = sayIn(decision);
  const list = (title: string, items: string[]): Section[] =>
    items.length === 0 ? [] : [{ kind: "list", title, items }];
  return [
    { kind: "text", title: decision.answer === decision.disclaimer ? "" : say("answer"), text: decision.answer },
    ...list(say("regimes"), decision.applicable_regimes),
    ...list(say("dissent"), decision.dissent === null ? [] : [decision.dissent]),
    showClaims(decision),
    ...showCritiques(decision),
    showEnding(decision),
    ...(decision.answer.includes(decision.disclaimer)
      ? []
      : [{ kind: "text" as const, title: "", text: decision.disclaimer }]),
  ];
}

const sayIn =
  ({ language }: Pick<LawDecision, "language">) =>
  (key: string, values: Record<string, string | number> = {}): string =>
    word(language, `label.${key}`, values);
const tones: Record<LawDecision["position"], Tone> = { A: "good", B: "good", C: "warn", D: "neutral", E: "good" };

/** The answer in its first words, then the position as a label. */
function showVerdict(decision: LawDecision, { result, turns }: LawFinished, lead: string): Section {
  const say = sayIn(decision);
  const { position, language, route } = decision;
  const used = decision.claims.filter(({ claim }) => decision.used_claims.includes(claim));
  const label = `${position}: ${word(language, `position.${position}`)}`;
  const isOpen = result.outcome !== "decided" || decision.needs_human_review;
  const why = [
    ...decision.review_reasons.map(({ message }) => message),
    ...(result.outcome === "undecided" ? result.reasons : []),
  ];
  const review = isOpen ? [say("needed"), why.join("; ")].filter(Boolean).join(": ") : say("not_needed");
  const routed = `${say(`route.${route.label}`)}${route.out_of_scope ? `, ${say("out_of_scope")}` : ""}`;
  const named =
    result.outcome === "undecided"
      ? `${say("undecided")} (${say("provisional")} ${label})`
      : `${say("position")} ${label}`;
  const isProgram = turns.length > 0 && turns.every(({ player }) => player === "expert");
  return {
    kind: "verdict",
    title: decision.query,
    answer: lead || named,
    tone: isOpen ? "warn" : tones[position],
    ...(used.length > 0 && {
      confidence: used.reduce((sum, { confidence }) => sum + confidence, 0) / used.length,
      sure: say("confidence"),
    }),
    points: [
      ...(lead ? [named] : []),
      ...decision.reasons.filter((one) => !lead.includes(one) && !review.includes(one)),
      `${say("review")}: ${review}`,
      ...(decision.supervisor_position ? [`${say("supervisor_position")}: ${decision.supervisor_position}`] : []),
      `${say("route")}: ${routed}`,
      ...(isProgram ? [say("rule_check")] : []),
    ],
    headline: {
      [say("position")]: label,
      [say("route")]: say(`route.${route.label}`),
      [say("review")]: say(isOpen ? "needed" : "not_needed"),
    },
    language,
  };
}

function nameSource(decision: LawDecision, { title, id, confidence, imported, source }: Source): string {
  const say = sayIn(decision);
  const marks = [id, ...(imported ? [say("imported")] : []), say(confidence)].join(", ");
  return `${title} [${marks}] — ${source}`;
}

function showClaims(decision: LawDecision): Section {
  const say = sayIn(decision);
  return {
    kind: "group",
    title: say(decision.sources.some(({ imported }) => imported) ? "claims_imported" : "claims"),
    sections: decision.claims.map(({ claim, confidence, risk, statement, assumptions, evidence }) => ({
      kind: "text",
      title: [
        claim,
        `${say("confidence")} ${confidence.toFixed(2)}`,
        ...(risk ? [word(decision.language, `risk.${risk}`)] : []),
        ...(decision.used_claims.includes(claim) ? [say("used")] : []),
      ].join(" · "),
      text: [
        statement,
        ...assumptions.map((one) => `- ${say("assuming")}: ${one}`),
        ...evidence
          .flatMap((id) => decision.sources.find((source) => source.id === id && source.kind !== "kg") ?? [])
          .map((source) => `- ${nameSource(decision, source)}`),
      ].join("\n"),
    })),
  };
}

/** What became of each critique; the story has what was said about it. */
function showCritiques(decision: LawDecision): Section[] {
  const { summary, language } = decision;
  const title = sayIn(decision)("critiques");
  if (!summary) return [];
  if (summary.critiques.length === 0) return [{ kind: "text", title, text: sayIn(decision)("no_critiques") }];
  const rows = summary.critiques.map(({ critique, status, why }) => {
    const { agent, id, target, target_claim_id, issue_type, severity, description } = critique;
    const kind = [word(language, `issue.${issue_type}`), severity, word(language, `status.${status}`)].join(" · ");
    const label = `${agent}:${id} → ${target_claim_id === null ? target : `${target}:${target_claim_id}`}`;
    const tone: Tone = status === "open" ? "bad" : "neutral";
    return { label, value: `${kind}: ${description} (${why})`, tone };
  });
  return [{ kind: "facts", title, rows }];
}

type Row = { label: string; value: string; tone?: Tone };

function showEnding(decision: LawDecision): Section {
  const say = sayIn(decision);
  const { summary, rejected_claims } = decision;
  const row = (label: string, value: string, tone?: Tone): Row => ({ label: say(label), value, ...(tone && { tone }) });
  const names = (items: { claim: string }[]): string => items.map(({ claim }) => claim).join(", ") || "–";
  const listShares = ({ evidence_coverage: shares, ...claims }: DebateSummary): string[] => {
    const made = [claims.agreed_claims, claims.disputed_claims, claims.dropped_claims, rejected_claims].flat();
    const sides = (["nla", "ala"] as const).filter((side) =>
      made.some(({ claim }) => claim.startsWith(`${side.toUpperCase()}:`)),
    );
    return sides.map((side) => `${side.toUpperCase()} ${Math.round(100 * shares[side])}%`);
  };
  const listDebated = (claims: DebateSummary): Row[] => [
    row("agreed", names(claims.agreed_claims)),
    row("disputed", names(claims.disputed_claims)),
    ...claims.dropped_claims.map(({ claim, statement, why, conceded }) =>
      row("dropped", `${claim} (${why}): ${statement}`, conceded ? "neutral" : "warn"),
    ),
    row("coverage", listShares(claims).join(", ") || "–"),
    row("convergence", describeEnd(decision)),
  ];
  const rows = [
    ...(summary ? listDebated(summary) : []),
    ...rejected_claims.map(({ claim, why }) => row("rejected", `${claim}: ${why}`)),
    ...listFaults(decision).map(({ round, speaker, message }) =>
      row("faults", `${say("round")} ${round}, ${speaker}: ${message}`, "warn"),
    ),
  ];
  return { kind: "facts", title: say("conclusion"), rows };
}

function listFaults({ summary, faults = [], rounds, decided_by }: LawDecision) {
  return [
    ...(summary?.faults ?? []),
    ...faults.map((fault) => ({ ...fault, round: rounds.length, speaker: summary ? "sup" : decided_by })),
  ];
}

function describeEnd(decision: LawDecision): string {
  const say = sayIn(decision);
  const { condition = null, numbers = {} } = decision.summary?.convergence ?? {};
  const open = `${numbers["open_critical"] ?? 0} CRITICAL, ${numbers["open_major"] ?? 0} MAJOR, ${numbers["open_minor"] ?? 0} MINOR`;
  const change = numbers["answer_change"];
  const what = condition === null ? say("not_converged") : `(${condition}) ${say(`condition.${condition}`)}`;
  return `${what}, ${say("after_round", { round: numbers["round"] ?? 0 })}; ${say("open_critiques")}: ${open}${typeof change === "number" ? `; ${say("change")} ${Math.round(100 * change)}%` : ""}`;
}

/** The files of a run's folder, with exactly the names of the law document (law spec §6). */
export function artifacts({ result }: LawFinished): Artifact[] {
  const { decision, usage } = result;
  if (!decision) return [];
  const write = (name: string, value: unknown): Artifact => ({ name, content: `${JSON.stringify(value, null, 2)}\n` });
  const said = SupervisionSchema.keyof().options.map((key) => [key, decision[key]]);
  return [
    ...decision.rounds.flatMap(({ round, nla, ala, nla_on_ala, ala_on_nla }) => [
      write(`debate_round${round}_nla.json`, nla),
      write(`debate_round${round}_ala.json`, ala),
      ...(nla_on_ala ? [write(`critique_round${round}_nla_on_ala.json`, nla_on_ala)] : []),
      ...(ala_on_nla ? [write(`critique_round${round}_ala_on_nla.json`, ala_on_nla)] : []),
    ]),
    ...(decision.summary
      ? [write("debate_summary.json", { ...decision.summary, faults: listFaults(decision), usage })]
      : []),
    write("supervisor.json", Object.fromEntries(said)),
    { name: "answer.md", content: [{ kind: "group", title: decision.query, sections: showAnswer(decision) }] },
  ];
}
