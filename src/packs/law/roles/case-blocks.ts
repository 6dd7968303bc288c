import type { Block, Prompt } from "../../../contract/prompt.ts";
import {
  type CaseFile,
  findEvidence,
  type RetrievedEvidence,
  statementOf,
  titleOf,
} from "../../../knowledge/law/index.ts";
import type { AgentOutput } from "../schemas/agent-output.ts";
import { prompts } from "../prompts/read-prompts.ts";

/** A prompt over a case: instructions and case are the same for every speaker, the task and its material come last. */
export function buildCasePrompt(file: CaseFile, tasks: string[], material: Block[]): Prompt {
  const task: Block = { label: "TUGAS", text: tasks.join("\n\n") };
  return { instructions: prompts["common.md"], blocks: buildCaseBlocks(file), own: [...material, task] };
}

function buildCaseBlocks({ query, domain_hint, route, retrieval }: CaseFile): Block[] {
  const { language, communities, evidence, facts, rules, cited } = retrieval;
  const said = <T extends { statement: string; statement_en: string }>({ statement, statement_en, ...rest }: T) => ({
    ...rest,
    statement: language === "en" ? statement_en : statement,
  });
  const derived = {
    ...rules,
    conclusions: rules.conclusions.map(said),
    contradictions: rules.contradictions.map(said),
  };
  return [
    { label: "PERTANYAAN", json: { query, language, domain_hint, route, communities, cited_provisions: cited } },
    { label: "BUKTI", json: evidence.map((item) => showEvidence(item, language)) },
    { label: "ATURAN", json: { facts, ...derived } },
  ];
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
    source,
    confidence,
  };
}

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
