import { isFiled } from "../../../contract/run.ts";
import { type Evidence, type ReasonerName, ReasonerReplySchema } from "../schemas/hypothesis.ts";
import { JudgeReplySchema } from "../schemas/judgement.ts";
import type { Material, Ref, ShownLine } from "../schemas/material.ts";

/** A citation: the line number, with its file if there are several. */
export function citeLine(sources: number, line: number, file: string | null): Ref {
  return file === null || sources < 2 ? line : `${file}:${line}`;
}

/** Normalises a reference: `12`, `line 12` and `L12` are one. */
export function keyRef(ref: Ref): string {
  const plain = String(ref)
    .trim()
    .replace(/^(?:line\s*|L)(?=\d)/i, "");
  return plain;
}

export function findLine({ lines }: Material, ref: Ref): ShownLine | undefined {
  const key = keyRef(ref);
  return lines.find((line) => String(line.ref) === key) ?? lines.find((line) => String(line.ref).endsWith(`/${key}`));
}

/** Past incidents shown to each reasoner; only the history reasoner also sees causal paths. */
export const incidentsShown: Record<ReasonerName, number> = { log_focused: 0, kg_focused: 5, hybrid: 2 };

export type EvidenceProblem = { code: "not_shown" | "quote_not_found" | "quote_too_short"; message: string };

/** The citing speaker, and the quotes of the hypotheses it was shown. */
export type Reader = { reasoner: ReasonerName; quoted: readonly Evidence[] };

/**
 * Checks an item of evidence (root-cause spec §4.2): its line, number or incident was shown to the speaker, and the
 * quote occurs in it, in whole words and long enough. Null if it is fine.
 */
export function checkEvidence(item: Evidence, material: Material, reader: Reader): EvidenceProblem | null {
  const shown = readShown(item, material, reader);
  if (shown === null) return { code: "not_shown", message: `${nameItem(item)} was not shown` };
  const quote = flatten(item.quote);
  const holding = shown.map(flatten).filter((text) => holdsWords(text, quote));
  if (holding.length === 0)
    return {
      code: "quote_not_found",
      message: `"${item.quote}" is not in ${nameItem(item)}, which reads "${(shown[0] ?? "").trim().slice(0, 300)}"`,
    };
  if (holding.every((text) => isTooShort(quote, text)))
    return {
      code: "quote_too_short",
      message: `"${item.quote}" is too short to show anything; quote at least three words of ${nameItem(item)}`,
    };
  return null;
}

function nameItem({ kind, ref }: Evidence): string {
  return kind === "log" ? `line ${ref}` : kind === "kg" ? `the incident ${ref}` : `the finding ${ref}`;
}

function readShown({ kind, ref }: Evidence, material: Material, { reasoner, quoted }: Reader): string[] | null {
  if (kind === "kg") return readIncident(material, String(ref), reasoner);
  if (kind === "pattern") return readPattern(material, String(ref), reasoner);
  const error = material.errors.find(({ line }) => String(line) === keyRef(ref))?.message;
  const line = findLine(material, ref)?.text;
  const isCited = quoted.some((item) => item.kind === "log" && keyRef(item.ref) === keyRef(ref));
  const texts = [reasoner === "kg_focused" && !isCited && !isFiled(keyRef(ref)) ? undefined : line, error].flatMap(
    (text) => text ?? [],
  );
  return texts.length > 0
    ? [...new Set([...(error !== undefined && line !== undefined ? [line] : []), ...texts])]
    : null;
}

function readIncident({ history }: Material, id: string, reasoner: ReasonerName): string[] | null {
  const shown = history?.similar_incidents.slice(0, incidentsShown[reasoner]) ?? [];
  const incident = shown.find(({ incident_id }) => incident_id === id);
  const all = reasoner === "kg_focused" ? (history?.causal_paths ?? []) : [];
  const paths = all.filter(({ incident_ids }) => incident_ids.includes(id));
  return incident || paths.length > 0 ? listTexts([incident ?? {}, paths]) : null;
}

function readPattern({ numbers, history }: Material, id: string, reasoner: ReasonerName): string[] | null {
  const found = numbers.find((one) => one.id === id);
  if (found)
    return reasoner === "kg_focused" ? null : [`${found.component ?? ""}: ${found.description}`, found.description];
  const pattern = history?.patterns[Number(/^P(\d+)$/.exec(id)?.[1] ?? 0) - 1];
  return pattern && reasoner !== "log_focused" ? [pattern.pattern.join(" → "), ...pattern.pattern] : null;
}

function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(listTexts) : [];
}

function flatten(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function holdsWords(text: string, quote: string): boolean {
  const isWord = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign);
  for (let at = text.indexOf(quote); at >= 0; at = text.indexOf(quote, at + 1)) {
    const begins = !isWord(quote[0]) || !isWord(text[at - 1]);
    const ends = !isWord(quote.at(-1)) || !isWord(text[at + quote.length]);
    if (quote !== "" && begins && ends) return true;
  }
  return false;
}

const leastLength = 8;

/** Fewer than two words, a time, or a few letters show nothing unless they are most of the line. */
function isTooShort(quote: string, text: string): boolean {
  const words = quote.match(/\p{L}{2,}/gu) ?? [];
  return (quote.length < leastLength || words.length < 2) && quote.length < 0.5 * text.length;
}

/** What only a debate names: hypotheses, the fields of its replies, and a label with its judge or points. */
const fields = [ReasonerReplySchema.shape.hypotheses.element, JudgeReplySchema.shape.scores.element]
  .flatMap(({ shape }) => Object.keys(shape))
  .filter((name) => name.includes("_"));
const ownWords = [
  new RegExp(`\\b(?:hypothes[ie]s|judge_score|${fields.join("|")})\\b`, "i"),
  /\bH\d+\b.*\b(?:judge|score|points)\b|\b(?:judge|score|points)\b.*\bH\d+\b/,
];

/** True for a line of a log that speaks of the debate, which no log knows of: it speaks to its reader. */
export function addressesReader(text: string): boolean {
  return ownWords.some((pattern) => pattern.test(text));
}
