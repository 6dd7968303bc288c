import { basename } from "node:path";
import type { SimilarIncident } from "../../../contract/incident.ts";
import { cutText } from "../../../text/format.ts";
import type { ReasonerInput } from "../roles/roles.ts";
import { findLine } from "../rules/evidence.ts";
import { isSame } from "../rules/hypotheses.ts";
import {
  type Evidence,
  idPrefixes,
  leastHypotheses,
  type SalvagedReply,
  type StatedHypothesis,
} from "../schemas/hypothesis.ts";
import type { Material, MaterialSuspect, Ref } from "../schemas/material.ts";

type Unnumbered = Omit<StatedHypothesis, "id">;

const longestQuote = 240;

/** What a line says, without the rest of its record if it is JSON. */
function cutQuote(text: string): string {
  const [line = ""] = text.split("\n");
  const isRecord = /^\s*[{"]/.test(line);
  const texts = isRecord ? Array.from(line.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, one = ""]) => one) : [];
  const said = texts.reduce((most, one) => (one.split(" ").length > most.split(" ").length ? one : most), "");
  const plain = said.includes(" ") ? said.trim() : line.trim();
  return plain.length <= longestQuote
    ? plain
    : plain
        .slice(0, longestQuote)
        .replace(/[\p{L}\p{N}]+$/u, "")
        .trim();
}
const mostStated = 3;
/** What fails within this time is taken for an effect. */
const soonMs = 120_000;

/** The confidence that nothing is wrong. */
export function calibrateCalm({ witness, totals }: Material): number {
  return totals.events === 0 ? 0.05 : roundConfidence(witness.calm_likely);
}

/** The component a suspect blames, or its file if no line names one. */
export function nameSuspect({ place, refs }: Pick<MaterialSuspect, "place" | "refs">, { sources }: Material): string {
  const [file] = /^.+(?=:\d+$)/.exec(String(refs[0] ?? "")) ?? [sources[0]?.name ?? "log"];
  return place ?? `Component unknown (${basename(file)})`;
}

/** Openings of the experts: the log reasoner uses words and order, the hybrid reasoner numbers and calls, the history reasoner incidents. */
export function propose({ reasoner, material }: ReasonerInput): SalvagedReply | null {
  if (reasoner === "kg_focused") return proposeFromHistory(material);
  const { suspects } = material.witness;
  const isOwn = ({ kind }: MaterialSuspect) => (kind === "words" || kind === "order") === (reasoner === "log_focused");
  const own = suspects.filter(isOwn).slice(0, mostStated);
  const all = own.map((suspect) => stateSuspect(suspect, material));
  const stated = all.filter((one, index) => !all.slice(0, index).some((other) => isSame(other, one)));
  const quiet = stateNoFault(material);
  const why =
    reasoner === "hybrid" ? "no other number, call or flow changed" : "the log shows no more signs of trouble";
  return number([...stated, quiet], reasoner, why);
}

function number(hypotheses: readonly Unnumbered[], reasoner: ReasonerInput["reasoner"], why: string): SalvagedReply {
  return {
    hypotheses: hypotheses.map((hypothesis, index) => ({ id: `${idPrefixes[reasoner]}_${index + 1}`, ...hypothesis })),
    fewer_reason: hypotheses.length < leastHypotheses ? why : null,
  };
}

export function roundConfidence(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The hypothesis for a suspect; with symptoms only, it says that the cause is unknown. */
export function stateSuspect(suspect: MaterialSuspect, material: Material): Unnumbered {
  const { category, place, says, words, role, strength, likely, after, follows, resolution, at } = suspect;
  const who = nameSuspect(suspect, material);
  const said =
    says === "reports" || says === "shows" || says === "says before the trouble"
      ? `${who}: ${words}`
      : `${who} ${says}: ${words}`;
  const cause = `${said}${after === null ? "" : `; before that, ${after}`}${follows === null ? "" : `; later, ${follows}`}`;
  const isUnknown = role === "symptom" && strength < 0.3;
  const effects = listEffects(suspect, material);
  return {
    evidence: citeSuspect(suspect, material),
    reasoning: `${writeWhy(suspect)}${at === null ? "" : ` It is first seen at ${new Date(at).toISOString().slice(0, 19)}Z.`}${effects.length > 0 ? " What follows comes later." : ""}`,
    causal_path: [
      ...(after === null ? [] : [after]),
      cutText(`${who} ${says === "reports" || says === "shows" ? "" : `${says}: `}${words}`, 160),
      ...(effects.length > 0 || follows === null ? effects : [cutText(follows, 160)]),
    ].slice(0, 4),
    category,
    affected_components: [
      ...new Set(
        [place, ...suspect.refs.slice(0, 2).map((ref) => findLine(material, ref)?.component ?? null)].flatMap(
          (name) => name ?? [],
        ),
      ),
    ].slice(0, 3),
    hypothesis: isUnknown ? `Unknown: ${cause}; the log does not say why` : cause,
    confidence: roundConfidence(Math.min(isUnknown ? 0.3 : 1, likely)),
    suggested_resolution:
      resolution.length > 0
        ? resolution.slice(0, 2)
        : [`Read the log of ${place ?? "the program"} from then on, and check what changed there before`],
    changes_made: null,
    from: null,
  };
}

function writeWhy({ kind, role }: MaterialSuspect): string {
  if (kind === "numbers") return "The number changed before or with the first error, and no later line explains more.";
  if (kind === "silence") return "A regular message has stopped.";
  if (kind === "calls") return "The calls changed, and no deeper callee of theirs did.";
  if (kind === "order")
    return role === "change"
      ? "The change came before the trouble and names what fails."
      : "It is new, came before the trouble and names what fails.";
  return role === "cause" ? "The line names what broke." : "The line shows the failure without its reason.";
}

/** What failed soon after, at the same place, in its name or in a call of it; the callee first. */
function listEffects({ at, refs, place }: MaterialSuspect, { errors, calls }: Material): string[] {
  const isCall = (a: string | null, b: string | null) =>
    calls.some(({ caller, callee }) => caller === a && callee === b);
  const later = errors.filter(
    (error) =>
      error.at !== null &&
      at !== null &&
      error.at >= at &&
      String(refs[0]) !== String(error.line) &&
      (error.at - at <= soonMs ||
        error.component === place ||
        (place !== null && error.message.toLowerCase().includes(place.toLowerCase())) ||
        isCall(error.component, place)),
  );
  return later
    .toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))
    .slice(0, 2)
    .toSorted((a, b) => Number(isCall(a.component, b.component)) - Number(isCall(b.component, a.component)))
    .map(
      ({ component, message }) =>
        `${component === null ? "" : `${component}: `}${cutText(message.split("\n")[0] ?? "", 110)}`,
    );
}

function citeSuspect({ refs, context, numbers }: MaterialSuspect, material: Material, most = 3): Evidence[] {
  const shown = numbers.slice(0, 1).flatMap((id) => {
    const found = material.numbers.find((one) => one.id === id);
    return found ? [{ kind: "pattern" as const, ref: id, quote: cutQuote(found.description) }] : [];
  });
  return [...shown, ...citeLines([...refs.slice(0, 1), ...context, ...refs.slice(1)], material).slice(0, most)];
}

function citeLines(refs: readonly Ref[], material: Material): Evidence[] {
  const seen = new Set<string>();
  return refs.flatMap((ref) => {
    const text = findLine(material, ref)?.text.trim() ?? "";
    const said = text.replace(/\S*\d\S*/g, "").trim();
    if (text === "" || seen.has(said)) return [];
    seen.add(said);
    return [{ kind: "log" as const, ref, quote: cutQuote(text) }];
  });
}

function stateNoFault(material: Material): Unnumbered {
  const { witness, lines } = material;
  const refs = witness.calm_refs.length > 0 ? witness.calm_refs : lines.slice(-1).map(({ ref }) => ref);
  return {
    evidence: citeLines(refs, material).slice(0, 2),
    reasoning:
      witness.calm_says.length > 0
        ? `The log shows that ${witness.calm_says.join("; ")}.`
        : "The only trouble runs through the whole log, or has passed.",
    causal_path: [],
    category: "none",
    affected_components: [],
    hypothesis: "No fault in these logs",
    confidence: calibrateCalm(material),
    suggested_resolution: ["No action; do not alert on messages that a healthy run prints as well"],
    changes_made: null,
    from: null,
  };
}

export const settles = 0.8;

/**
 * How far a past incident applies. One that a person confirmed, whose proof is seen here, and that no other cause
 * resembles, decides.
 */
export function rateIncident(
  { similarity, next_cause, covered, proven, source, confidence, matched, category }: SimilarIncident,
  material: Material,
): number {
  const margin = similarity / Math.max(0.01, next_cause);
  const isClear = margin >= 1.25 || next_cause === 0;
  const several = matched.events.length + matched.errors.length > 1;
  if (source !== "starter" && proven && similarity >= 0.3 && isClear && covered >= (several ? 0.25 : 0.6))
    return Math.min(0.95, settles + 0.15 * similarity);
  const carries = Math.sqrt(similarity) * confidence * (proven ? 0.9 : 0.45) * (isClear ? 1 : 0.75);
  const known = category === "none" ? matched.errors.length / Math.max(1, material.errors.length) : 1;
  return Math.min(0.55, carries) * (0.3 + 0.7 * Math.min(1, known));
}

function proposeFromHistory(material: Material): SalvagedReply | null {
  const past = material.history?.similar_incidents ?? [];
  if (past.length === 0) return null;
  const stated = past.slice(0, mostStated).map((incident) => stateIncident(incident, material));
  return number(stated, "kg_focused", "no more past incidents look like this one");
}

function stateIncident(incident: SimilarIncident, material: Material): Unnumbered {
  const { incident_id, title, cause, category, matched, resolution, source, similarity, proven } = incident;
  const lines = material.errors.filter(({ line }) =>
    matched.errors.some((error) => String(line) === String(error.line) || String(line).endsWith(`:${error.line}`)),
  );
  const [error] = lines;
  const seen = [...matched.errors.map(({ message }) => message), ...matched.events]
    .slice(0, 2)
    .map((one) => `"${(one.split("\n")[0] ?? "").slice(0, 90)}"`);
  const here =
    source === "starter" && error && category !== "none"
      ? `; here ${error.component ?? `line ${error.line}`} says: ${cutText((error.message.split("\n")[0] ?? "").trim(), 160)}`
      : "";
  const quotes = lines.slice(0, 2).map(({ line, message }) => ({
    kind: "log" as const,
    ref: line,
    quote: cutQuote(message),
  }));
  const path = material.history?.causal_paths.find(({ incident_ids }) => incident_ids.includes(incident_id));
  return {
    evidence: [...quotes, { kind: "kg", ref: incident_id, quote: cutQuote(cause) }],
    reasoning: `"${title}" (${incident_id}, similarity ${similarity}) showed ${seen.join(" and ") || "the same kind of messages"} as well${proven ? ", and what its cause names is seen here" : "; what its cause names is not seen here"}.`,
    causal_path:
      path?.steps.slice(0, 4) ??
      (category === "none"
        ? []
        : [cutText(cause, 160), ...lines.slice(0, 1).map(({ message }) => cutText(message, 110))]),
    category,
    affected_components:
      category === "none"
        ? []
        : [...new Set([...lines.flatMap(({ component }) => component ?? []), ...matched.entities])].slice(0, 3),
    hypothesis:
      proven || source === "starter"
        ? `${cause}${here}`
        : `Unknown: like ${incident_id} (${cause}), but what proved that cause is not seen here`,
    confidence: roundConfidence(rateIncident(incident, material)),
    suggested_resolution: resolution.slice(0, 3),
    changes_made: null,
    from: null,
  };
}
