import type { Block, Prompt } from "../../../contract/prompt.ts";
import {
  askFact,
  askFacts,
  type CaseFile,
  type Evidence,
  type RetrievedEvidence,
  type RuleResult,
  selectSide,
  statementOf,
  titleOf,
} from "../../../knowledge/law/index.ts";
import { readPrompt } from "../prompts/read-prompts.ts";
import { labelsOf } from "./labels.ts";

/** What a prompt holds beside the case: tasks and their material, and what the side's next turns begin with too. */
type Told = { tasks: string[]; material?: Block[]; shared?: Block[]; instructions?: ("common" | "turns")[] };

/** What whoever takes part in a debate is told: how it goes, and how each side speaks. */
const ofDebate: NonNullable<Told["instructions"]> = ["common", "turns"];

/** A prompt over a case: instructions, case and own answer are the same whenever a side speaks, the task and its material come last. */
export function buildCasePrompt(
  file: CaseFile,
  { tasks, material = [], shared = [], instructions = ofDebate }: Told,
): Prompt {
  const { language } = file.retrieval;
  const labels = labelsOf(language);
  return {
    instructions: instructions.map((name) => readPrompt(language, name)).join("\n\n"),
    blocks: [...buildCaseBlocks(file), ...shared],
    own: [...material, { label: labels.task, text: tasks.join("\n\n") }],
    language,
  };
}

/**
 * Question, evidence and conclusions; the router's label is nobody's evidence and is not shown. Who is given the whole case
 * is shown it as NLA is, and then the rest: so these prompts begin alike.
 */
function buildCaseBlocks(file: CaseFile): Block[] {
  const { query, route, retrieval, pool } = file;
  const { language, communities, cited, evidence, rules } = retrieval;
  const labels = labelsOf(language);
  const asked = { query, language, communities, cited_provisions: cited.map(({ text, known }) => ({ text, known })) };
  const question = { label: labels.question, json: { ...asked, out_of_scope: route.out_of_scope } };
  if (pool !== undefined) return [question, ...buildSideBlocks(file, [labels.evidence, labels.conclusions])];
  const national = selectSide(file, "national");
  const shown = new Set(national.retrieval.evidence.map(({ id }) => id));
  const rest = evidence.filter(({ id }) => !shown.has(id));
  const added = subtractRules(rules, national.own_rules ?? rules);
  return [
    question,
    ...buildSideBlocks(national, [labels.evidence, labels.conclusions]),
    { label: labels.moreEvidence, json: rest.map((item) => showEvidence(item, language)) },
    { label: labels.moreConclusions, json: showRules(added, language, evidence) },
  ];
}

/** What a side holds, and what its own rules conclude from the facts; what was brought to it stands with the task. */
function buildSideBlocks({ retrieval, brought = [], own_rules }: CaseFile, labels: [string, string]): Block[] {
  const { language, evidence, rules, disputed = [] } = retrieval;
  const open = askFacts(
    disputed.map(({ fact }) => fact),
    language,
  );
  const held = evidence.filter(({ id }) => !brought.includes(id));
  return [
    { label: labels[0], json: held.map((item) => showEvidence(item, language)) },
    {
      label: labels[1],
      json: { ...showRules(own_rules ?? rules, language, held), ...(open.length > 0 ? { disputed: open } : {}) },
    },
  ];
}

/** What follows from what was brought, beyond what the side's own rules say; a conclusion stands with the rule that was brought. */
export function buildBroughtRules({ retrieval, own_rules }: CaseFile): Block[] {
  const { rules, language, evidence } = retrieval;
  const added = subtractRules(rules, own_rules ?? rules);
  const shown = showRules({ ...added, conclusions: [] }, language, evidence);
  return Object.values(shown).every((list) => list.length === 0)
    ? []
    : [{ label: labelsOf(language).moreConclusions, json: shown }];
}

/** A conclusion names those of its rules that are shown; one of which none is shown is not told. */
function showRules({ conclusions, contradictions, unknown }: RuleResult, language: "id" | "en", shown: Evidence[]) {
  const ids = new Set(shown.map(({ id }) => id));
  const said = ({ by, statement, statement_en }: { by: string[]; statement: string; statement_en: string }) => {
    const cited = by.filter((id) => ids.has(id));
    return cited.length === 0 ? [] : [{ statement: language === "en" ? statement_en : statement, rules: cited }];
  };
  return {
    conclusions: conclusions.flatMap(said),
    contradictions: contradictions.flatMap(said),
    not_stated: unknown
      .filter(({ fact }) => wellFormed.test(fact))
      .slice(0, maxUnknown)
      .map(({ fact }) => askFact(fact, language)),
  };
}

function subtractRules(all: RuleResult, known: RuleResult): RuleResult {
  return {
    conclusions: all.conclusions.filter((one) => !known.conclusions.includes(one)),
    contradictions: all.contradictions.filter((one) => !known.contradictions.includes(one)),
    unknown: all.unknown.filter((one) => !known.unknown.includes(one)),
  };
}

const maxUnknown = 6;
/** A fact as the rules write it; anything else has no words to be asked in. */
const wellFormed = /^(?:not )?[a-z_]+\([\w, ]*\)$/;

/** What the other side's critiques have brought to an agent, to be cited like its own evidence. */
export function buildBroughtBlock(file: CaseFile): Block[] {
  return listBrought(file, labelsOf(file.retrieval.language).brought, () => true);
}

/** What was brought of these, under a label; nothing where there is none. */
export function listBrought(file: CaseFile, label: string, isShown: (id: string) => boolean): Block[] {
  const { retrieval, brought = [] } = file;
  const items = retrieval.evidence.filter(({ id }) => brought.includes(id) && isShown(id));
  return items.length === 0 ? [] : [{ label, json: items.map((item) => showEvidence(item, retrieval.language)) }];
}

/** An item as it is shown: in the language of the answer, with whom it binds and where it comes from. */
export function showEvidence(item: RetrievedEvidence, language: "id" | "en") {
  const { id, kind, regime, community, source, confidence } = item;
  const scope = language === "en" ? item.scope_en : item.scope;
  return {
    id,
    kind,
    regime,
    community,
    title: titleOf(item, language),
    statement: statementOf(item, language),
    scope,
    source: source.replaceAll(foreignIds, ""),
    confidence,
  };
}

/** A derived item names the ids it rests on; only what is shown itself may be cited. */
const foreignIds = / \((?:NAT|ADT)-[^)]*\)/g;
