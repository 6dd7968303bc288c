import { extractFacts } from "./facts.ts";
import { loadKnowledge } from "./items.ts";
import { openCase } from "./open-case.ts";
import type { Route } from "./route.ts";
import {
  type Contradiction,
  type Derivation,
  derive,
  type Fact,
  fillTemplate,
  loadRules,
  runRules,
  systemOf,
  type Unknown,
} from "./rules.ts";
import { detectLanguage, type Language } from "./words.ts";

/** One conclusion with the rule behind it and, below it, what the rule used; a given fact has no rule. */
export type Proof = { fact: Fact; rule: string | null; statement: string | null; sources: string[]; from: Proof[] };

/** How the rules read a question: its route, its facts, every conclusion as a proof, what is unknown, what contradicts. */
export type Explanation = {
  query: string;
  language: Language;
  route: Route;
  facts: Fact[];
  proofs: Proof[];
  unknown: Unknown[];
  contradictions: Contradiction[];
};

/** Explains what the rule engine makes of a question (law spec §2.4). */
export function explain(query: string): Explanation {
  const [language, facts, rules] = [detectLanguage(query), extractFacts(query), loadRules()];
  const { unknown, contradictions } = runRules(facts, rules);
  const byFact = Map.groupBy(derive(facts, rules).derivations, ({ fact }) => fact);
  const given = new Set(facts);
  const legal = [...byFact.keys()].filter((fact) => !given.has(fact) && systemOf(fact) !== null);
  const proofs = legal.map((fact) => prove(fact, byFact, given, language, []));
  return { query, language, route: openCase({ query }, 1).route, facts, proofs, unknown, contradictions };
}

/** A fact's first derivation that does not rest on the fact itself. */
function prove(
  fact: Fact,
  byFact: Map<Fact, Derivation[]>,
  given: Set<Fact>,
  language: Language,
  above: Fact[],
): Proof {
  const found = given.has(fact)
    ? undefined
    : byFact.get(fact)?.find(({ from }) => !from.some((one) => above.includes(one)));
  if (!found) return { fact, rule: null, statement: null, sources: [], from: [] };
  const { rule, binding, from } = found;
  return {
    fact,
    rule: rule.id,
    statement: fillTemplate(language === "en" ? rule.statement_en : rule.statement, binding, language),
    sources: rule.sources,
    from: from.map((premise) => prove(premise, byFact, given, language, [...above, fact])),
  };
}

const words = {
  id: [
    "Fakta dari pertanyaan",
    "(tidak ada)",
    "Kesimpulan aturan",
    "sumber",
    "Belum diketahui (bukan berarti tidak)",
    "bila diketahui",
    "bila benar, gugur",
    "Pertentangan",
    "Pernyataan sumber adalah parafrase; ini bukan nasihat hukum.",
  ],
  en: [
    "Facts from the question",
    "(none)",
    "Conclusions of the rules",
    "sources",
    "Unknown (which is not false)",
    "if known",
    "if true, falls",
    "Contradictions",
    "The sources' statements are paraphrases; this is not legal advice.",
  ],
} as const;

/** An explanation for a terminal: facts, proofs as trees, unknowns and contradictions, in the question's language. */
export function writeExplanation({ language, route, facts, proofs, unknown, contradictions }: Explanation): string {
  const [given, none, concluded, sources, open, would, defeats, clashes, note] = words[language];
  const section = (title: string, lines: string[]): string => [title, ...lines.map((line) => `  ${line}`)].join("\n");
  const writeProof = (proof: Proof, indent = ""): string[] =>
    proof.rule === null
      ? [`${indent}· ${proof.fact}`]
      : [
          `${indent}⊢ ${proof.fact}`,
          `${indent}  ${proof.statement ?? ""}`,
          `${indent}  ${proof.rule}; ${sources}: ${proof.sources.map((id) => `${loadKnowledge().find(id)?.title ?? id} [${id}]`).join("; ")}`,
          ...proof.from.flatMap((premise) => writeProof(premise, `${indent}    `)),
        ];
  const effects = ({ would_conclude, would_defeat = [] }: Unknown): string[] => [
    ...(would_conclude.length > 0 ? [`${would}: ${would_conclude.join(", ")}`] : []),
    ...(would_defeat.length > 0 ? [`${defeats}: ${would_defeat.join(", ")}`] : []),
  ];
  const sections = [
    `route: ${route.label}${route.out_of_scope ? ", out of scope" : ""} (${route.rationale})`,
    section(given, facts.length > 0 ? facts : [none]),
    section(concluded, proofs.length > 0 ? proofs.flatMap((proof) => writeProof(proof)) : [none]),
    ...(unknown.length > 0
      ? [
          section(
            open,
            unknown.map((one) => [`${one.fact}?`, ...effects(one)].join("  → ")),
          ),
        ]
      : []),
    ...(contradictions.length > 0
      ? [
          section(
            clashes,
            contradictions.map(({ kind, facts: pair }) => `${kind}: ${pair.join("  ↔  ")}`),
          ),
        ]
      : []),
    note,
  ];
  return `${sections.join("\n\n")}\n`;
}
