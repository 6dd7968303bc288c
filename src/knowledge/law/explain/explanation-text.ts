import { loadKnowledge } from "../items/knowledge.ts";
import type { Explanation, Proof } from "./explanation.ts";

const words = {
  id: {
    facts: "Fakta dari pertanyaan",
    none: "(tidak ada)",
    conclusions: "Kesimpulan aturan",
    sources: "sumber",
    unknown: "Belum diketahui (bukan berarti tidak)",
    would: "bila diketahui",
    defeats: "bila benar, gugur",
    contradictions: "Pertentangan",
    within: "dalam satu sistem",
    between: "antar sistem",
    outside: "Pertanyaan ini di luar basis pengetahuan.",
    paraphrase: "Pernyataan sumber adalah parafrase; ini bukan nasihat hukum.",
  },
  en: {
    facts: "Facts from the question",
    none: "(none)",
    conclusions: "Conclusions of the rules",
    sources: "sources",
    unknown: "Unknown (which is not false)",
    would: "if known",
    defeats: "if true, falls",
    contradictions: "Contradictions",
    within: "inside one system",
    between: "between systems",
    outside: "This question lies outside the knowledge base.",
    paraphrase: "The sources' statements are paraphrases; this is not legal advice.",
  },
} as const;

/** An explanation for a terminal: facts, proofs as trees, unknowns and contradictions, in the question's language. */
export function writeExplanation(explanation: Explanation): string {
  const { language, route, facts, proofs, unknown, contradictions } = explanation;
  const say = words[language];
  const sections = [
    `route: ${route.label}${route.out_of_scope ? ", out of scope" : ""} (${route.rationale})`,
    writeSection(say.facts, facts.length > 0 ? facts : [say.none]),
    writeSection(
      say.conclusions,
      proofs.length > 0 ? proofs.flatMap((proof) => writeProof(proof, say.sources)) : [say.none],
    ),
    writeSection(
      say.unknown,
      unknown.map((one) => writeUnknown(one, say)),
    ),
    writeSection(
      say.contradictions,
      contradictions.map((one) => `${one.kind === "within" ? say.within : say.between}: ${one.facts.join("  ↔  ")}`),
    ),
    route.out_of_scope ? say.outside : say.paraphrase,
  ];
  return `${sections.filter((text) => text !== "").join("\n\n")}\n`;
}

function writeSection(title: string, lines: string[]): string {
  return lines.length === 0 ? "" : [title, ...lines.map((line) => `  ${line}`)].join("\n");
}

function writeProof(proof: Proof, sources: string, indent = ""): string[] {
  if (proof.given) return [`${indent}· ${proof.fact}`];
  const cited = proof.sources.map((id) => `${loadKnowledge().find(id)?.title ?? id} [${id}]`).join("; ");
  return [
    `${indent}⊢ ${proof.fact}`,
    `${indent}  ${proof.statement}`,
    `${indent}  ${proof.rule}; ${sources}: ${cited}`,
    ...proof.from.flatMap((premise) => writeProof(premise, sources, `${indent}    `)),
  ];
}

function writeUnknown(
  { fact, would_conclude: would, would_defeat: defeats = [] }: Explanation["unknown"][number],
  say: { would: string; defeats: string },
): string {
  const effects = [
    would.length > 0 ? `${say.would}: ${would.join(", ")}` : "",
    defeats.length > 0 ? `${say.defeats}: ${defeats.join(", ")}` : "",
  ];
  return [`${fact}?`, ...effects.filter((text) => text !== "")].join("  → ");
}
