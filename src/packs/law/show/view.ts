import type { Section, Tone } from "../../../contract/view.ts";
import { defaultThreshold, maxOpenMajor } from "../rules/converged.ts";
import type { LawFinished } from "./law-finished.ts";
import type { LawDecision } from "../schemas/decision.ts";
import { labelsOf } from "./labels.ts";
import {
  convergenceLine,
  critiqueStories,
  escalationLines,
  faultsOf,
  routeLine,
  sourceName,
  sourcesOf,
  speakerName,
} from "./story.ts";

/** What exports and the viewer show of a law debate: claims and critiques as linked cards, rules as steps. */
export function view({ result, config }: LawFinished): Section[] {
  const { decision } = result;
  if (!decision) return [{ kind: "text", title: result.outcome, text: result.reasons.join("\n") }];
  return [
    showVerdict(decision),
    showFacts(decision),
    { kind: "text", title: labelsOf(decision).answer, text: decision.answer },
    showClaims(decision),
    ...showCritiques(decision),
    showSources(decision),
    ...showSteps(decision, config),
  ];
}

const mostSources = 4;

/** The position and why: the reasons, what it rests on, and what is still open. */
function showVerdict(decision: LawDecision): Section {
  const labels = labelsOf(decision);
  const { position, claims, used_claims, reasons } = decision;
  const used = claims.filter(({ claim }) => used_claims.includes(claim));
  const titles = [...new Set(used.flatMap((claim) => sourcesOf(decision, claim).map(({ title }) => title)))];
  const more = titles.length > mostSources ? ` +${titles.length - mostSources}` : "";
  const open = critiqueStories(decision).filter(({ status }) => status === "open" || status === "contested");
  const confidence = used.reduce((sum, claim) => sum + claim.confidence, 0) / used.length;
  return {
    kind: "verdict",
    title: decision.query,
    answer: `${position}: ${labels.positions[position]}`,
    tone: tones[position],
    ...(used.length > 0 && { confidence, sure: labels.confidence }),
    points: [
      ...reasons,
      ...(titles.length > 0 ? [`${labels.restsOn} ${titles.slice(0, mostSources).join(" · ")}${more}`] : []),
      ...(open.length > 0
        ? [`${labels.openCritiques}: ${open.map(({ name }) => name.replace(":", " ")).join(", ")}`]
        : []),
      `${labels.escalation}: ${escalationLines(decision).join("; ")}`,
    ],
  };
}

function showFacts(decision: LawDecision): Section {
  const labels = labelsOf(decision);
  const { position, summary } = decision;
  const rows = [
    { label: labels.position, value: `${position}: ${labels.positions[position]}`, tone: tones[position] },
    { label: labels.route, value: routeLine(decision) },
    { label: labels.reasons, value: decision.reasons.join(" ") },
    { label: labels.regimes, value: decision.applicable_regimes.join("; ") },
    { label: labels.dissent, value: decision.dissent ?? "–" },
    { label: labels.unknown, value: decision.unknown_provisions.join("; ") },
    { label: labels.agreed, value: summary?.agreed_claims.map(({ claim }) => claim).join(", ") ?? "" },
    { label: labels.disputed, value: summary?.disputed_claims.map(({ claim }) => claim).join(", ") ?? "" },
    {
      label: labels.escalation,
      value: escalationLines(decision).join("; "),
      tone: (decision.needs_human_review ? "warn" : "good") as Tone,
    },
    { label: "", value: decision.disclaimer },
  ];
  return { kind: "facts", title: labels.conclusion, rows: rows.filter(({ value }) => value !== "") };
}

const tones: Record<LawDecision["position"], Tone> = { A: "good", B: "good", C: "warn", D: "neutral", E: "good" };

function showClaims(decision: LawDecision): Section {
  const labels = labelsOf(decision);
  const stories = critiqueStories(decision);
  return {
    kind: "cards",
    title: decision.sources.some(({ imported }) => imported) ? labels.claimsOfBoth : labels.claims,
    cards: decision.claims.map((claim) => ({
      id: claim.claim,
      title: claim.claim,
      subtitle: `${labels.confidence} ${claim.confidence.toFixed(2)}${claim.risk ? ` · ${labels.noEvidence}` : ""}`,
      body: [
        claim.statement,
        ...claim.assumptions.map((one) => `${labels.assumptions}: ${one}`),
        ...sourcesOf(decision, claim).map((source) => sourceName(decision, source)),
      ].join("\n"),
      links: stories.filter(({ on }) => on === claim.claim).map(({ name }) => name),
      tone: decision.used_claims.includes(claim.claim) ? "good" : "neutral",
    })),
  };
}

function showCritiques(decision: LawDecision): Section[] {
  const labels = labelsOf(decision);
  const stories = critiqueStories(decision);
  if (stories.length === 0) return [];
  const tone = { open: "bad", contested: "warn", accepted: "good", withdrawn: "neutral", finding: "warn" } as const;
  const cards = stories.map(({ name, on, critique, status, why, reply }) => ({
    id: name,
    title: `${name} → ${on}`,
    subtitle: `${labels.issues[critique.issue_type]} · ${labels.severities[critique.severity]} · ${labels.status[status]}`,
    body: [
      critique.description,
      critique.suggested_fix,
      ...(reply ? [`${labels.response}: ${reply.reason}`] : []),
      why,
    ].join("\n"),
    links: [on],
    tone: tone[status],
  }));
  return [{ kind: "cards", title: labels.critiques, cards }];
}

function showSources(decision: LawDecision): Section {
  const lines = decision.sources.map((source) => ({
    ref: `${source.title} [${source.id}]`,
    text: `${source.statement}${source.scope === null ? "" : ` (${source.scope})`} — ${source.source}`,
    tone: (source.confidence === "confirmed" ? "neutral" : "warn") as Tone,
  }));
  return { kind: "lines", title: labelsOf(decision).sources, lines };
}

type Numbers = NonNullable<LawDecision["summary"]>["convergence"]["numbers"];

/** The numbers that end a debate, each with what it may be at most (law spec §4.2). */
function weighConvergence({ open_critical, open_major, answer_change }: Numbers, config: LawFinished["config"]) {
  const threshold = config.stability?.threshold ?? defaultThreshold;
  const most = { bound: "most" as const };
  return [
    { name: "open_critical", value: open_critical, threshold: 0, ...most, isMet: open_critical === 0 },
    { name: "open_major", value: open_major, threshold: maxOpenMajor, ...most, isMet: open_major <= maxOpenMajor },
    ...(answer_change === null
      ? []
      : [
          {
            name: "answer_change",
            value: answer_change,
            threshold,
            bound: "below" as const,
            isMet: answer_change < threshold,
          },
        ]),
  ];
}

function showSteps(decision: LawDecision, config: LawFinished["config"]): Section[] {
  const { summary } = decision;
  if (!summary) return [];
  const labels = labelsOf(decision);
  const { numbers, met, condition } = summary.convergence;
  const shown = Object.fromEntries(
    Object.entries(numbers).flatMap(([key, value]) =>
      value === null ? [] : [[labels.numbers[key as keyof typeof numbers], value]],
    ),
  );
  const ending = {
    label: labels.convergence,
    outcome: met ? `(${condition ?? ""})` : "–",
    detail: convergenceLine(decision),
    numbers: shown,
    limits: weighConvergence(numbers, config),
    tone: (met ? "good" : "warn") as Tone,
  };
  const reasons = summary.reasons.map(({ message, refs }) => ({
    label: labels.escalation,
    outcome: refs.join(", ") || labels.needed,
    detail: message,
    tone: "warn" as Tone,
  }));
  const faults = faultsOf(decision).map(({ round, speaker, message }) => ({
    label: labels.faults,
    outcome: `${labels.round} ${round}`,
    detail: `${speakerName(decision, speaker)}: ${message}`,
    tone: "warn" as Tone,
  }));
  return [{ kind: "steps", title: labels.convergence, steps: [ending, ...reasons, ...faults] }];
}
