import type { Section, Tone } from "../../../contract/view.ts";
import type { Finding, Finished } from "../../../engine/pack.ts";
import type { LawInput } from "../schemas/case.ts";
import type { ConvergenceConfig } from "../rules/converged.ts";
import { summariseDebate } from "../rules/debate-summary.ts";
import type { LawDecision, Source } from "../schemas/decision.ts";
import type { Material } from "../schemas/material.ts";
import { word } from "../words/word.ts";

export type LawFinished = Finished<LawInput, ConvergenceConfig, LawDecision, Material>;

/** What was decided and why (law spec §6): the answer first, then the claims with their sources, critiques, and how it ended. */
export function sections(finished: LawFinished): Section[] {
  const { decision, outcome, reasons } = finished.result;
  if (!decision) return [{ kind: "verdict", title: "", answer: outcome, tone: "warn", points: reasons }];
  const detail = true as const;
  return [
    showVerdict(decision, finished),
    ...showAnswer(decision),
    { ...showSources(decision), detail },
    { kind: "checks", title: word(decision.language, "label.checks"), findings: verify(finished, decision), detail },
  ];
}

export function showAnswer(decision: LawDecision): Section[] {
  const say = sayIn(decision);
  const list = (title: string, items: string[]): Section[] =>
    items.length === 0 ? [] : [{ kind: "list", title, items }];
  return [
    { kind: "text", title: say("answer"), text: decision.answer },
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

function showVerdict(decision: LawDecision, { result, turns }: LawFinished): Section {
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
  const isProgram = turns.length > 0 && turns.every(({ player }) => player === "expert");
  return {
    kind: "verdict",
    title: decision.query,
    answer:
      result.outcome === "undecided"
        ? `${say("undecided")} (${say("provisional")} ${label})`
        : `${say("position")} ${label}`,
    tone: isOpen ? "warn" : tones[position],
    ...(used.length > 0 && {
      confidence: used.reduce((sum, { confidence }) => sum + confidence, 0) / used.length,
      sure: say("confidence"),
    }),
    points: [
      ...decision.reasons,
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
  const marks = [
    id,
    ...(imported ? [say("imported")] : []),
    say(confidence === "confirmed" ? "confirmed" : "unconfirmed"),
  ].join(", ");
  return `${title} [${marks}] — ${source}`;
}

function showClaims(decision: LawDecision): Section {
  const say = sayIn(decision);
  return {
    kind: "cards",
    title: say(decision.sources.some(({ imported }) => imported) ? "claims_imported" : "claims"),
    cards: decision.claims.map((claim) => ({
      id: claim.claim,
      title: claim.claim,
      subtitle: `${say("confidence")} ${claim.confidence.toFixed(2)}${claim.risk ? ` · ${word(decision.language, `risk.${claim.risk}`)}` : ""}`,
      body: [
        claim.statement,
        ...claim.assumptions.map((one) => `${say("assuming")}: ${one}`),
        ...claim.evidence
          .flatMap((id) => decision.sources.find((source) => source.id === id && source.kind !== "kg") ?? [])
          .map((source) => `↳ ${nameSource(decision, source)}`),
      ].join("\n"),
      links: (decision.summary?.critiques ?? [])
        .filter(({ critique }) => `${critique.target}:${critique.target_claim_id}` === claim.claim)
        .map(({ critique }) => `${critique.agent}:${critique.id}`),
      tone: decision.used_claims.includes(claim.claim) ? ("good" as const) : ("neutral" as const),
    })),
  };
}

const statusTones: Record<string, Tone> = {
  open: "bad",
  contested: "warn",
  unanswered: "warn",
  accepted: "good",
  finding: "warn",
};

function showCritiques(decision: LawDecision): Section[] {
  const say = sayIn(decision);
  const { summary, rounds, language } = decision;
  if (!summary) return [];
  if (summary.critiques.length === 0) return [{ kind: "text", title: say("critiques"), text: say("no_critiques") }];
  const cards = summary.critiques.map(({ critique, status, why }) => {
    const { agent, id, target, target_claim_id, round, issue_type, severity, description, suggested_fix } = critique;
    const on = target_claim_id === null ? target : `${target}:${target_claim_id}`;
    const reply = rounds
      .filter((later) => later.round > round)
      .flatMap((later) => (target === "NLA" ? later.nla : later.ala).responses)
      .findLast(({ critique_id }) => critique_id === id);
    return {
      id: `${agent}:${id}`,
      title: `${agent}:${id} → ${on}`,
      subtitle: `${word(language, `issue.${issue_type}`)} · ${severity} · ${word(language, `status.${status}`)}`,
      body: [
        description,
        `${say("fix")}: ${suggested_fix}`,
        ...(reply
          ? [`${say("reply")} (${say(reply.response === "accepted" ? "accepted" : "rejected_it")}): ${reply.reason}`]
          : []),
        why,
      ].join("\n"),
      links: [on],
      tone: statusTones[status] ?? ("neutral" as const),
    };
  });
  return [{ kind: "cards", title: say("critiques"), cards }];
}

function showEnding(decision: LawDecision): Section {
  const say = sayIn(decision);
  const { summary } = decision;
  const names = (items: { claim: string }[]): string => items.map(({ claim }) => claim).join(", ") || "–";
  const percent = (value: number): string => `${Math.round(100 * value)} %`;
  const rows = summary
    ? [
        { label: say("agreed"), value: names(summary.agreed_claims) },
        { label: say("disputed"), value: names(summary.disputed_claims) },
        ...summary.dropped_claims.map(({ claim, statement, why, conceded }) => ({
          label: say("dropped"),
          value: `${claim} (${why}): ${statement}`,
          tone: (conceded ? "neutral" : "warn") as Tone,
        })),
        {
          label: say("coverage"),
          value: `NLA ${percent(summary.evidence_coverage.nla)}, ALA ${percent(summary.evidence_coverage.ala)}`,
        },
        { label: say("convergence"), value: describeEnd(decision) },
      ]
    : [];
  const faults = listFaults(decision).map(({ round, speaker, message }) => ({
    label: say("faults"),
    value: `${say("round")} ${round}, ${speaker}: ${message}`,
    tone: "warn" as Tone,
  }));
  const rejected = decision.rejected_claims.map(({ claim, why }) => ({
    label: say("rejected"),
    value: `${claim}: ${why}`,
  }));
  return { kind: "facts", title: say("conclusion"), rows: [...rows, ...rejected, ...faults] };
}

export function listFaults({ summary, faults = [], rounds, decided_by }: LawDecision) {
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
  return `${what}, ${say("after_round", { round: numbers["round"] ?? 0 })}; ${say("open_critiques")}: ${open}${typeof change === "number" ? `; ${say("change")} ${Math.round(100 * change)} %` : ""}`;
}

function showSources(decision: LawDecision): Section {
  const rows = decision.sources.map((source) => ({
    label: `${source.title} [${source.id}]`,
    value: `${source.statement}${source.scope === null ? "" : ` (${source.scope})`} — ${source.source}`,
    tone: (source.confidence === "confirmed" ? "neutral" : "warn") as Tone,
  }));
  return { kind: "facts", title: sayIn(decision)("sources"), rows };
}

/** Checks a finished debate against its own record: every citation exists, and the rules come out the same. */
function verify({ config, material }: LawFinished, decision: LawDecision): Finding[] {
  const { claims, sources, summary, rounds, position, query } = decision;
  const finding = (check: string, wrong: string[], where: string, fine: string): Finding => ({
    check,
    ok: wrong.length === 0,
    where,
    message: wrong.join("; ") || fine,
  });
  const unknown = claims.flatMap(({ claim, evidence }) =>
    evidence.filter((id) => !sources.some((source) => source.id === id)).map((id) => `${claim} cites ${id}`),
  );
  const cited = finding("evidence_exists", unknown, "claims", `${sources.length} sources, all known`);
  if (!summary || !material || decision.decided_by === "rules") return [cited];
  const again = summariseDebate(query, material, rounds, config);
  const derived = (["convergence", "critiques", "reasons", "position"] as const).map((key) => {
    const isSame = JSON.stringify(again[key]) === JSON.stringify(summary[key]);
    const wrong = isSame ? [] : [`${key} comes out differently`];
    return finding(`${key}_rederived`, wrong, "debate_summary", `${key} from ${rounds.length} rounds`);
  });
  const follows = position === again.position.position ? [] : [`${position} is not what the claims support`];
  return [cited, ...derived, finding("position_follows", follows, "supervisor", position)];
}
