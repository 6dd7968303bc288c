import type { Section, Tone } from "../../../contract/view.ts";
import { gatherIncident } from "../roles/gather-incident.ts";
import { type Evidence, type Hypothesis, reasonerNames } from "../schemas/hypothesis.ts";
import type { LogSource } from "../../../knowledge/logs/index.ts";
import type { Round } from "../schemas/round.ts";
import type { Done } from "./done.ts";
import { chartTimeline } from "./timeline.ts";
import { printPoints } from "./score-text.ts";

/** What exports and the viewer show: the cause, its evidence, every round's hypotheses, and how the debate stopped. */
export function view(done: Done): Section[] {
  const { result } = done;
  const { decision } = result;
  if (!decision) return [{ kind: "text", title: "No root cause", text: result.reasons.join("\n") }];
  const [cause, ...final] = showFinal(done);
  return [
    ...(cause ? [cause] : []),
    chartTimeline(done.input, listQuoted(decision.rounds)),
    ...final,
    showSeparate(done),
    ...decision.rounds.map(showRound),
    showStops(done),
    showScores(done),
    showPast(done),
  ];
}

/** The file and line of a cited line, as far as the file is known; a past incident is named as one. */
function namePlace({ kind, ref }: Evidence, [only, ...more]: readonly LogSource[]): string {
  if (kind === "kg") return `past incident ${ref}`;
  if (typeof ref === "string") return ref;
  const name = only?.name.split(/[\\/]/).at(-1);
  return name !== undefined && more.length === 0 && name !== "-" ? `${name}:${ref}` : `line ${ref}`;
}

function showFinal({ input, result }: Done): Section[] {
  const final = result.decision?.final_hypothesis;
  if (!final) return [{ kind: "text", title: "Root cause", text: "No hypothesis was put forward." }];
  const score = final.judge_score === null ? "not judged" : `${printPoints(final.judge_score)}/100`;
  const tone: Tone = result.outcome === "decided" ? "good" : "warn";
  return [
    {
      kind: "facts",
      title: "Root cause",
      rows: [
        { label: "hypothesis", value: final.hypothesis, tone },
        { label: "category", value: final.category },
        { label: "components", value: final.affected_components.join(", ") || "none" },
        { label: "score", value: `${score} from ${final.source}, refined in ${final.rounds_refined} rounds` },
        { label: "confidence", value: final.confidence.toFixed(2) },
      ],
    },
    {
      kind: "lines",
      title: "Evidence",
      lines: final.evidence.map((item) => ({ ref: namePlace(item, input.sources), text: item.quote })),
    },
    {
      kind: "steps",
      title: "Causal path",
      lead: true,
      steps: final.causal_path.map((event, at) => ({ label: event, outcome: "", detail: findProof(final, at) })),
    },
    { kind: "text", title: "Reasoning", text: final.reasoning },
    {
      kind: "text",
      title: "Resolution",
      text: final.resolution.map((step, index) => `${index + 1}. ${step}`).join("\n"),
    },
  ];
}

/** Incidents of their own, unrelated to the decided one. */
function showSeparate({ result }: Done): Section {
  return {
    kind: "table",
    title: "Separate incidents",
    columns: ["programs", "began", "category", "cause", "score"],
    rows: (result.decision?.separate_incidents ?? []).map(({ programs, began, category, hypothesis, judge_score }) => [
      programs.join(", "),
      began === null ? "unknown" : new Date(began).toISOString().slice(0, 19).replace("T", " "),
      category,
      hypothesis,
      printPoints(judge_score),
    ]),
  };
}

/** Every log line that was quoted in the debate. */
function listQuoted(rounds: readonly Round[]): (number | string)[] {
  const hypotheses = rounds.flatMap((round) => Object.values(round.hypotheses).flatMap((list) => list ?? []));
  return hypotheses.flatMap(({ evidence }) => evidence.filter(({ kind }) => kind === "log").map(({ ref }) => ref));
}

/** The quoted line that bears out a link of the path: the one that shares most words with it. */
function findProof({ causal_path, evidence }: { causal_path: string[]; evidence: Evidence[] }, at: number): string {
  const words = new Set((causal_path[at] ?? "").toLowerCase().match(/[\p{L}\d]{4,}/gu) ?? []);
  const scored = evidence.map((item) => {
    const own = new Set(item.quote.toLowerCase().match(/[\p{L}\d]{4,}/gu) ?? []);
    return { item, shared: [...words].filter((word) => own.has(word)).length };
  });
  const best = scored.toSorted((a, b) => b.shared - a.shared)[0];
  if (!best || best.shared < 2) return "";
  return `${best.item.kind === "log" ? `line ${best.item.ref}` : best.item.ref}: ${best.item.quote}`;
}

function showRound({ round_number, hypotheses, judge_evaluation }: Round): Section {
  const evaluationOf = (id: string) => judge_evaluation?.evaluated.find((evaluation) => evaluation.id === id);
  const cards = reasonerNames.flatMap((name) =>
    (hypotheses[name] ?? []).map((hypothesis) => {
      const evaluation = evaluationOf(hypothesis.id);
      const tone: Tone = evaluation?.rank === 1 ? "good" : "neutral";
      const score = evaluation ? `${printPoints(evaluation.judge_score)}/100` : "not judged";
      return {
        id: `${round_number}/${hypothesis.id}`,
        title: `${hypothesis.id}: ${hypothesis.hypothesis}`,
        subtitle: `${score} · ${hypothesis.category} · confidence ${hypothesis.confidence}`,
        body: writeBody(hypothesis, evaluation?.feedback),
        ...(hypothesis.from && { links: hypothesis.from.map((parent) => `${round_number - 1}/${parent}`) }),
        tone,
      };
    }),
  );
  return { kind: "cards", title: `Round ${round_number}`, cards };
}

function writeBody({ reasoning, evidence, struck, changes_made }: Hypothesis, feedback: string | undefined): string {
  return [
    reasoning,
    ...evidence.map(({ ref, quote }) => `${ref}: ${quote}`),
    ...(struck ?? []).map(({ ref, quote }) => `struck ${ref}: ${quote}`),
    ...(changes_made ? [`Changed: ${changes_made}`] : []),
    ...(feedback ? [`Judge: ${feedback}`] : []),
  ].join("\n");
}

function showStops({ result }: Done): Section {
  const checks = result.notes.filter(({ type }) => type === "stop_check");
  return {
    kind: "steps",
    title: "Stop rules",
    steps: checks.map(({ data }, index) => {
      const { stop, stop_reason, plateau, consensus, improvement } = data as {
        stop: boolean;
        stop_reason: string | null;
        plateau: boolean;
        consensus: boolean;
        improvement: number | null;
      };
      return {
        label: `after round ${index + 1}`,
        outcome: stop ? `stop: ${stop_reason}` : "go on",
        detail: `plateau ${plateau ? "yes" : "no"}, consensus ${consensus ? "yes" : "no"}`,
        ...(improvement !== null && { numbers: { improvement } }),
      };
    }),
  };
}

function showScores({ result }: Done): Section {
  const scores = result.decision?.improvement_trajectory ?? [];
  return {
    kind: "series",
    title: "Top score",
    lead: true,
    points: scores.map((value, index) => ({ label: `round ${index + 1}`, value })),
  };
}

function showPast({ input, config }: Done): Section {
  const past = gatherIncident(input, config).knowledge?.similar_incidents ?? [];
  return {
    kind: "table",
    title: "Similar past incidents",
    columns: ["incident", "similarity", "category", "cause", "what matched"],
    rows: past.map(({ incident_id, similarity, category, cause, matched }) => [
      incident_id,
      similarity.toFixed(2),
      category,
      cause,
      [
        ...matched.errors.map(({ error_type, line }) => `${error_type} (line ${line})`),
        ...matched.events,
        ...matched.entities,
      ].join("; "),
    ]),
  };
}
