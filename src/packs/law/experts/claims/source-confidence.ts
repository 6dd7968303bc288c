import { confidenceWeight, type Evidence } from "../../../../knowledge/law/index.ts";

/** How far one document that reports a norm is believed: the statute's own text more than a page about it. */
const statuteText = 0.8;
const document = 0.5;
const most = 0.95;

/** How sure a claim can be: more with every independent document that bears it out, less where an item is unconfirmed. */
export function rateConfidence(items: Evidence[]): number {
  const doubt = selectIndependent(items).reduce((left, item) => left * measureDoubt(item), 1);
  return Math.round(100 * Math.min(most, 1 - doubt)) / 100;
}

/** Rules and graph relations restate other items: only texts, norms and decisions count, each once. */
export function selectIndependent(items: Evidence[]): Evidence[] {
  const texts = items.filter(({ kind }) => kind !== "rule" && kind !== "kg");
  return [...new Map(texts.map((item) => [item.title, item])).values()];
}

function measureDoubt(item: Evidence): number {
  const weight = confidenceWeight[item.confidence];
  if (item.source_kind === "statute_text") return 1 - statuteText * weight;
  return (1 - document * weight) ** Math.max(1, listDocuments(item).length);
}

/** The documents behind an item; its own official name and unreviewed rule files are not documents about it. */
function listDocuments({ source, title }: Evidence): string[] {
  return source
    .split(";")
    .map((part) => part.replace(/^\s*juga\s+/, "").trim())
    .filter((part) => part !== "" && !/nusantara-agent|^catatan:/.test(part) && !title.includes(part));
}
