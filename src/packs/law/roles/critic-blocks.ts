import type { Block } from "../../../contract/prompt.ts";
import { type CaseFile, findEvidence, findLimits } from "../../../knowledge/law/index.ts";
import type { CriticInput } from "../rules/role-inputs.ts";
import type { AgentOutput } from "../schemas/agent-output.ts";
import { listBrought, showEvidence } from "./case-blocks.ts";
import { labelsOf } from "./labels.ts";

/**
 * What a critic is shown of both answers, round by round, so that its next turn goes on from this one: its own side's, and
 * the other's with the text of what it cites and what limits that (law spec §2.11). No text is shown twice.
 */
export function buildRoundBlocks({ file, own, target, past = [] }: CriticInput): Block[] {
  const labels = labelsOf(file.retrieval.language);
  const known = new Set(listHeld(file));
  return [...past, { own, target }].flatMap((round) => {
    const cited = listCited(round.target).filter((id) => !known.has(id));
    for (const id of cited) known.add(id);
    const limits = findLimits(file.read, listCited(round.target)).flatMap(({ by }) => by);
    const unsaid = limits.filter((id) => !known.has(id));
    for (const id of unsaid) known.add(id);
    return [
      { label: labels.own, json: round.own },
      { label: labels.criticised(round.target.agent), json: addCitedText(file, round.target, cited) },
      ...listBrought(file, labels.limits, (id) => unsaid.includes(id)),
    ];
  });
}

/** What the critic's side holds by itself, and has been shown as its evidence. */
function listHeld({ retrieval, brought = [] }: CaseFile): string[] {
  return retrieval.evidence.map(({ id }) => id).filter((id) => !brought.includes(id));
}

function listCited({ claims, responses }: AgentOutput): string[] {
  return [...new Set([...claims, ...responses].flatMap(({ evidence }) => evidence))];
}

/** An answer with the text of what it cites; how it answered the critic's own critiques stands with these. */
function addCitedText(file: CaseFile, output: AgentOutput, cited: string[]) {
  return {
    ...output,
    responses: undefined,
    cited: cited.map((id) => {
      const item = findEvidence(file, id);
      return item ? showEvidence(item, file.retrieval.language) : { id, statement: null };
    }),
  };
}
