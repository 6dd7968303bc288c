import type { Block, Prompt } from "../../../contract/prompt.ts";
import {
  askFact,
  type CaseFile,
  findEvidence,
  type RetrievedEvidence,
  statementOf,
  titleOf,
} from "../../../knowledge/law/index.ts";
import type { AgentOutput } from "../schemas/agent-output.ts";
import { readPrompt } from "../prompts/read-prompts.ts";
import { labelsOf } from "./labels.ts";

/** A prompt over a case: instructions and case are the same whenever a side speaks, the task and its material come last. */
export function buildCasePrompt(file: CaseFile, tasks: string[], material: Block[]): Prompt {
  const { language } = file.retrieval;
  const task: Block = { label: labelsOf(language).task, text: tasks.join("\n\n") };
  return {
    instructions: readPrompt(language, "common"),
    blocks: buildCaseBlocks(file),
    own: [...material, task],
    language,
  };
}

/** Question, evidence and conclusions; the router's label is nobody's evidence and is not shown. */
function buildCaseBlocks({ query, route, retrieval, brought = [] }: CaseFile): Block[] {
  const { language, communities, evidence, rules, cited } = retrieval;
  const labels = labelsOf(language);
  const held = evidence.filter(({ id }) => !brought.includes(id));
  const ids = new Set(held.map(({ id }) => id));
  const said = ({ by, statement, statement_en }: { by: string[]; statement: string; statement_en: string }) => {
    const rules = by.filter((id) => ids.has(id));
    return rules.length === 0 ? [] : [{ statement: language === "en" ? statement_en : statement, rules }];
  };
  const asked = { query, language, communities, cited_provisions: cited.map(({ text, known }) => ({ text, known })) };
  return [
    { label: labels.question, json: { ...asked, out_of_scope: route.out_of_scope } },
    { label: labels.evidence, json: held.map((item) => showEvidence(item, language)) },
    {
      label: labels.conclusions,
      json: {
        conclusions: rules.conclusions.flatMap(said),
        contradictions: rules.contradictions.flatMap(said),
        not_stated: rules.unknown
          .filter(({ fact }) => wellFormed.test(fact))
          .slice(0, maxUnknown)
          .map(({ fact }) => askFact(fact, language)),
      },
    },
  ];
}

const maxUnknown = 6;
/** A fact as the rules write it; anything else has no words to be asked in. */
const wellFormed = /^(?:not )?[a-z_]+\([\w, ]*\)$/;

/** What the other side's critiques have brought to an agent, to be cited like its own evidence. */
export function buildBroughtBlock(file: CaseFile): Block[] {
  return listBrought(file, labelsOf(file.retrieval.language).brought, () => true);
}

/** What limits the claims that a critic is to check, and is not shown with them (law spec §2.11). */
export function buildLimitsBlock(file: CaseFile, { claims, responses }: AgentOutput): Block[] {
  const cited = new Set([...claims, ...responses].flatMap(({ evidence }) => evidence));
  return listBrought(file, labelsOf(file.retrieval.language).limits, (id) => !cited.has(id));
}

function listBrought({ retrieval, brought = [] }: CaseFile, label: string, isShown: (id: string) => boolean): Block[] {
  const items = retrieval.evidence.filter(({ id }) => brought.includes(id) && isShown(id));
  return items.length === 0 ? [] : [{ label, json: items.map((item) => showEvidence(item, retrieval.language)) }];
}

/** An item as it is shown: in the language of the answer, with whom it binds and where it comes from. */
function showEvidence(item: RetrievedEvidence, language: "id" | "en") {
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

/** An answer with the text of what each claim cites, so that a critic can check it. */
export function addCitedText(file: CaseFile, output: AgentOutput) {
  return {
    ...output,
    claims: output.claims.map((claim) => ({ ...claim, cited: claim.evidence.map((id) => showCited(file, id)) })),
  };
}

function showCited(file: CaseFile, id: string) {
  const item = findEvidence(file, id);
  return item ? showEvidence(item, file.retrieval.language) : { id, statement: null };
}
