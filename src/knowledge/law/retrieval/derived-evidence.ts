import { getConcept } from "../mentions/concept.ts";
import type { Evidence, Regime } from "../items/evidence.ts";
import type { Knowledge } from "../items/knowledge.ts";
import { systemOf } from "../rules/systems.ts";
import type { Conclusion, Rule, RuleResult } from "../rules/rule.ts";
import type { Graph, GraphFact } from "../search/graph.ts";

/** The rules that concluded something in a system of law, each as an item that may be cited (`rule:` ids). */
export function makeRuleItems({ conclusions }: RuleResult, rules: Rule[], knowledge: Knowledge): Evidence[] {
  return rules.flatMap((rule) => {
    const own = conclusions.filter(({ fact, by }) => by.includes(rule.id) && systemOf(fact) !== null);
    return own.length === 0 ? [] : [makeRuleItem(rule, own, knowledge)];
  });
}

function makeRuleItem(rule: Rule, conclusions: Conclusion[], knowledge: Knowledge): Evidence {
  const system = systemOf(conclusions[0]?.fact ?? "national(national)") ?? "national";
  const joinTitles = (key: "title" | "title_en") =>
    rule.sources.flatMap((id) => knowledge.find(id)?.[key] ?? []).join(", ");
  const said = (key: "statement" | "statement_en") => [...new Set(conclusions.map((one) => one[key]))].join(" ");
  return {
    ...takeOver(rule.sources, knowledge),
    id: rule.id,
    aliases: [],
    kind: "rule",
    ...placeSystem(system),
    title: `Aturan formal menurut ${joinTitles("title")}`,
    title_en: `Formal rule of ${joinTitles("title_en")}`,
    statement: said("statement"),
    statement_en: said("statement_en"),
    source_kind: "rule_engine",
  };
}

/** A relation of the graph as an item that may be cited (`kg:` id). */
export function makeGraphItem(fact: GraphFact, graph: Graph, knowledge: Knowledge): Evidence {
  const [first] = fact.sources.map((id) => knowledge.find(id)).filter((item) => item !== null);
  const [subject, object] = [getConcept(fact.subject), getConcept(fact.object)];
  const relation = graph.relations[fact.relation];
  const say = (template = "", s: string, o: string) => capitalise(template.replace("{s}", s).replace("{o}", o));
  return {
    ...takeOver(fact.sources, knowledge),
    id: fact.evidence,
    aliases: [],
    kind: "kg",
    domain: first?.domain ?? "national",
    regime: first?.regime ?? "national",
    community: first?.community ?? null,
    title: `Graf pengetahuan: ${subject.label} – ${object.label}`,
    title_en: `Knowledge graph: ${subject.label_en} – ${object.label_en}`,
    statement: `${say(relation?.statement, subject.label, object.label)}.`,
    statement_en: `${say(relation?.statement_en, subject.label_en, object.label_en)}.`,
    source_kind: "knowledge_graph",
  };
}

/** What a derived item takes over from the items it rests on: it is no surer than they are. */
function takeOver(
  sources: string[],
  knowledge: Knowledge,
): Pick<Evidence, "scope" | "scope_en" | "topics" | "source" | "confidence" | "related"> {
  const items = sources.map((id) => knowledge.find(id)).filter((item) => item !== null);
  const [first] = items;
  return {
    scope: first?.scope ?? null,
    scope_en: first?.scope_en ?? null,
    topics: [...new Set(items.flatMap(({ topics }) => topics))],
    source: items.map(({ title, id }) => `${title} (${id})`).join("; "),
    confidence: items.some(({ confidence }) => confidence === "confirmed") ? "confirmed" : "unconfirmed",
    related: sources,
  };
}

function placeSystem(system: string): Pick<Evidence, "domain" | "regime" | "community"> {
  if (system === "national" || system === "civil_code" || system === "islamic") {
    return { domain: "national", regime: system satisfies Regime, community: null };
  }
  return { domain: "adat", regime: "adat", community: system };
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
