import type { Block, Prompt } from "../../../contract/prompt.ts";
import type { CaseFile } from "../case-file.ts";
import { findEvidence } from "../case-file.ts";
import type { AgentOutput } from "../messages/agent-output.ts";
import { prompts } from "../prompts.ts";
import type { RetrievedEvidence } from "../retrieval/retrieval.ts";

/** A prompt over a case: instructions and case are the same for every speaker, the task and its material come last. */
export function casePrompt(file: CaseFile, tasks: string[], material: Block[]): Prompt {
  const task: Block = { label: "TUGAS", text: tasks.join("\n\n") };
  return { instructions: prompts["common.md"], blocks: caseBlocks(file), own: [...material, task] };
}

function caseBlocks({ query, domain_hint, route, retrieval }: CaseFile): Block[] {
  const { language, communities, evidence, facts, rules, cited } = retrieval;
  return [
    { label: "PERTANYAAN", json: { query, language, domain_hint, route, communities, cited_provisions: cited } },
    { label: "BUKTI", json: evidence.map(shownEvidence) },
    { label: "ATURAN", json: { facts, ...rules } },
  ];
}

function shownEvidence(item: RetrievedEvidence) {
  const { id, kind, regime, community, title, title_en, statement, statement_en, scope, scope_en, source, confidence } =
    item;
  return { id, kind, regime, community, title, title_en, statement, statement_en, scope, scope_en, source, confidence };
}

/** An answer with the text of what each claim cites, so that a critic can check it. */
export function withCitedText(file: CaseFile, output: AgentOutput) {
  return {
    ...output,
    claims: output.claims.map((claim) => ({ ...claim, cited: claim.evidence.map((id) => citedText(file, id)) })),
  };
}

function citedText(file: CaseFile, id: string) {
  const item = findEvidence(file, id);
  return item ? shownEvidence(item) : { id, statement: null };
}
