import type { Knowledge } from "../../../knowledge/incidents/index.ts";
import type { ParsedLog } from "../../../knowledge/logs/index.ts";
import type { Evidence, ReasonerName } from "../schemas/hypothesis.ts";
import { citeLine, findCitedLine, locateRef } from "./cite-line.ts";
import { chooseShown } from "./shown-lines.ts";

/** What evidence can be taken from: as much of the log as is shown, and what past incidents say of it. */
export type Material = { log: ParsedLog; knowledge: Knowledge | null; logTokens: number };

/** How many errors a prompt lists. */
export const mostErrors = 40;

/** What is wrong with an item of evidence. */
export type EvidenceProblem = { code: "unknown_incident" | "unknown_line" | "quote_not_found"; message: string };

/** Who cites, and what the hypotheses quote that were shown along with the material. */
export type Reader = { reasoner: ReasonerName; quoted: readonly Evidence[] };

/**
 * Says what is wrong with an item of evidence, or null: a quote stands in the line or incident it cites, and the line or
 * incident was shown to the one who cites it (root-cause spec §4.2).
 */
export function checkEvidence(item: Evidence, material: Material, reader: Reader): EvidenceProblem | null {
  return item.kind === "kg" ? checkIncident(item, material, reader.reasoner) : checkLine(item, material, reader);
}

function checkIncident({ ref, quote }: Evidence, { knowledge }: Material, reasoner: ReasonerName) {
  const past = reasoner === "log_focused" ? [] : (knowledge?.similar_incidents ?? []);
  const shown = past.find(({ incident_id }) => incident_id === ref) ?? findPaths(knowledge, ref);
  if (!shown) return { code: "unknown_incident" as const, message: `no past incident "${ref}" was shown` };
  if (contains(joinTexts(shown), quote)) return null;
  return { code: "quote_not_found" as const, message: `"${quote}" is not in the incident ${ref}` };
}

function checkLine({ ref, quote }: Evidence, material: Material, reader: Reader): EvidenceProblem | null {
  const { log } = material;
  const isShown = isReadable(ref, material, reader) || listNamedLines(material, reader).has(String(ref));
  const error = findShownError(log, ref);
  const line = isShown ? (findCitedLine(log, ref) ?? error) : null;
  if (line === null) return { code: "unknown_line", message: `line ${ref} was not shown` };
  if (contains(line, quote) || (error !== null && contains(error, quote))) return null;
  return { code: "quote_not_found", message: `"${quote}" is not in line ${ref}, which reads "${line.trim()}"` };
}

/** Whether the line itself is shown to the one who cites it. */
function isReadable(ref: Evidence["ref"], { log, logTokens }: Material, { reasoner }: Reader): boolean {
  if (reasoner === "kg_focused") return false;
  const { file, line } = locateRef(log, ref);
  return chooseShown(log, logTokens).refs.has(String(citeLine(log, line, file)));
}

/** The lines that are named without being shown: those of errors, of quotes, and for who sees history of what past incidents matched. */
function listNamedLines({ log, knowledge }: Material, { reasoner, quoted }: Reader): Set<string> {
  const errors = log.error_messages.slice(0, mostErrors).map(({ line, file }) => citeLine(log, line, file));
  const past = reasoner === "log_focused" ? null : knowledge;
  const matched = (past?.similar_incidents ?? []).flatMap((one) => one.matched.errors.map(({ line }) => line));
  const ends = (past?.causal_paths ?? []).map(({ line }) => line);
  return new Set([...errors, ...matched, ...ends, ...quoted.map(({ ref }) => ref)].map(String));
}

/** An error that is listed with its line can be quoted as it is listed, also when the line itself was not kept. */
function findShownError(log: ParsedLog, ref: Evidence["ref"]): string | null {
  const shown = log.error_messages.slice(0, mostErrors);
  return shown.find(({ line, file }) => String(citeLine(log, line, file)) === String(ref))?.message ?? null;
}

function findPaths(knowledge: Knowledge | null, ref: Evidence["ref"]) {
  const paths = knowledge?.causal_paths.filter(({ incident_ids }) => incident_ids.includes(String(ref))) ?? [];
  return paths.length > 0 ? paths : null;
}

/** All texts of a value, whatever its shape. */
function joinTexts(value: unknown): string {
  if (typeof value === "string") return value;
  return value !== null && typeof value === "object" ? Object.values(value).map(joinTexts).join("\n") : String(value);
}

/** True when the words of the quote stand in the text, whatever the white space. */
function contains(text: string, quote: string): boolean {
  const flatten = (value: string) => value.replace(/\s+/g, " ").trim();
  return flatten(text).includes(flatten(quote));
}
