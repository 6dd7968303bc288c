import type { LawFinished } from "./law-finished.ts";
import type { LawDecision } from "../schemas/decision.ts";
import type { Section, Tone } from "../../../contract/view.ts";
import { labelsOf } from "./labels.ts";
import {
  convergenceLine,
  critiqueStories,
  derivedOf,
  escalationLines,
  isQuotedIn,
  type NamedClaim,
  sourceName,
  routeLine,
  sourcesOf,
  speakerName,
  faultsOf,
} from "./story.ts";

/** What a terminal shows: the answer with both readings, claims with sources and their text, critiques, how and why it ended. */
export function report({ result }: LawFinished): Section[] {
  const { decision, outcome, reasons } = result;
  if (!decision) return [{ kind: "verdict", title: "", answer: outcome, tone: "warn", points: reasons }];
  const [verdict, ...rest] = answerSections(decision);
  return verdict ? [{ ...verdict, title: decision.query }, ...rest] : rest;
}

/** What is answered, on which sources, what was disputed and how it ended. */
export function answerSections(decision: LawDecision): Section[] {
  const labels = labelsOf(decision);
  const list = (title: string, items: string[]): Section => ({ kind: "list", title, items });
  return [
    verdictSection(decision),
    { kind: "text", title: labels.answer, text: decision.answer },
    list(labels.reasons, decision.reasons),
    list(labels.regimes, decision.applicable_regimes),
    list(labels.dissent, decision.dissent === null ? [] : [decision.dissent]),
    claimsSection(decision),
    critiquesSection(decision),
    endingSection(decision),
    { kind: "text", title: "", text: decision.answer.includes(decision.disclaimer) ? "" : decision.disclaimer },
  ];
}

const tones: Record<LawDecision["position"], Tone> = { A: "good", B: "good", C: "warn", D: "neutral", E: "good" };

function verdictSection(decision: LawDecision): Section {
  const labels = labelsOf(decision);
  const { position } = decision;
  const review = escalationLines(decision).map((line) => `${labels.escalation}: ${line}`);
  return {
    kind: "verdict",
    title: "",
    answer: `${labels.position} ${position}: ${labels.positions[position]}`,
    tone: tones[position],
    points: [`${labels.route}: ${routeLine(decision)}`, ...review],
  };
}

function claimsSection(decision: LawDecision): Section {
  const labels = labelsOf(decision);
  return {
    kind: "cards",
    title: decision.sources.some(({ imported }) => imported) ? labels.claimsOfBoth : labels.claims,
    cards: decision.claims.map((claim) => ({
      id: claim.claim,
      title: claim.claim,
      subtitle: `${labels.confidence} ${claim.confidence.toFixed(2)}`,
      body: claimLines(decision, claim).join("\n"),
    })),
  };
}

function claimLines(decision: LawDecision, claim: NamedClaim): string[] {
  const labels = labelsOf(decision);
  const derived = derivedOf(decision, claim);
  return [
    claim.statement,
    ...claim.assumptions.map((one) => `${labels.assumptions}: ${one}`),
    ...sourcesOf(decision, claim).map((source) => {
      const text = isQuotedIn(source, claim) ? "" : `: ${source.statement}`;
      return `↳ ${sourceName(decision, source)}${text} — ${source.source}`;
    }),
    ...(derived === "" ? [] : [`↳ ${labels.derived}: ${derived}`]),
  ];
}

function critiquesSection(decision: LawDecision): Section {
  const labels = labelsOf(decision);
  const stories = critiqueStories(decision);
  if (decision.summary && stories.length === 0)
    return { kind: "text", title: labels.critiques, text: labels.noCritiques };
  return {
    kind: "cards",
    title: labels.critiques,
    cards: stories.map(({ name, on, critique, status, reply }) => ({
      id: name,
      title: `${name} → ${on}`,
      subtitle: `${labels.issues[critique.issue_type]} · ${labels.severities[critique.severity]} · ${labels.status[status]}`,
      body: [
        critique.description,
        ...(reply ? [`${labels.response} (${labels.replies[reply.response]}): ${reply.reason}`] : []),
      ].join("\n"),
    })),
  };
}

function endingSection(decision: LawDecision): Section {
  const labels = labelsOf(decision);
  const { summary } = decision;
  const names = (items: { claim: string }[]): string => items.map(({ claim }) => claim).join(", ") || "–";
  const agreement = summary
    ? [
        { label: labels.agreed, value: names(summary.agreed_claims) },
        { label: labels.disputed, value: names(summary.disputed_claims) },
        ...decision.rejected_claims.map(({ claim, why }) => ({ label: labels.rejected, value: `${claim}: ${why}` })),
        { label: labels.convergence, value: convergenceLine(decision) },
      ]
    : [];
  const faults = faultsOf(decision).map(({ round, speaker, message }) => ({
    label: labels.faults,
    value: `${labels.round} ${round}, ${speakerName(decision, speaker)}: ${message}`,
  }));
  return { kind: "facts", title: labels.conclusion, rows: [...agreement, ...faults] };
}
