import type { Block, Prompt } from "../../../contract/prompt.ts";
import {
  askFacts,
  type CaseFile,
  type Domain,
  isBeforeBoth,
  type RetrievedEvidence,
  selectSide,
} from "../../../knowledge/law/index.ts";
import { readPrompt } from "../prompts/read-prompts.ts";
import { labelsOf } from "./labels.ts";
import { showItems } from "./show-evidence.ts";
import { type OpenPoints, showOpenPoints, subtractPoints } from "./show-open-points.ts";

/** What a prompt holds beside the case: tasks, their material and what was said so far; with `cited`, no other evidence than that. */
type Told = {
  tasks: string[];
  cited?: string[];
  said?: Block[];
  material?: Block[];
  instructions?: ("common" | "turns")[];
};

/** What whoever takes part in a debate is told: how it goes, and how each side speaks. */
const ofDebate: NonNullable<Told["instructions"]> = ["common", "turns"];

/** A prompt over a case: instructions, case and what was said only ever grow, the task and its material come last. */
export function buildCasePrompt(
  file: CaseFile,
  { tasks, cited, said = [], material = [], instructions = ofDebate }: Told,
): Prompt {
  const { language } = file.retrieval;
  return {
    instructions: instructions.map((name) => readPrompt(language, name)).join("\n\n"),
    blocks: [...buildCaseBlocks(file, cited), ...said],
    own: [...material, { label: labelsOf(language).task, text: tasks.join("\n\n") }],
    language,
  };
}

/** Question, evidence and what rules leave open; the router's label is nobody's evidence and is not shown. */
function buildCaseBlocks(file: CaseFile, cited?: string[]): Block[] {
  const { query, route, retrieval, side } = file;
  const { language, communities, cited: provisions, evidence } = retrieval;
  const asked = {
    query,
    language,
    communities,
    cited_provisions: provisions.map(({ text, known }) => ({ text, known })),
  };
  const question = { label: labelsOf(language).question, json: { ...asked, out_of_scope: route.out_of_scope } };
  const both = buildEvidenceBlock(file, "both", evidence.filter(isBeforeBoth));
  if (cited) return [question, ...both, ...buildCitedBlocks(file, cited)];
  return [question, ...both, ...(side ? buildSideBlocks(file, side) : buildWholeBlocks(file))];
}

/** Who is given the whole case is shown it as NLA is, and then the rest: so these prompts begin alike. */
function buildWholeBlocks(file: CaseFile): Block[] {
  const { language, evidence, rules } = file.retrieval;
  const [national, adat] = [selectSide(file, "national"), selectSide(file, "adat")];
  const held = new Set([national, adat].flatMap(({ retrieval }) => retrieval.evidence.map(({ id }) => id)));
  const added = subtractPoints(rules, national.own_rules ?? rules);
  return [
    ...buildSideBlocks(national, "national"),
    ...buildEvidenceBlock(file, "adat", listOwn(adat)),
    ...buildEvidenceBlock(
      file,
      "neither",
      evidence.filter(({ id }) => !held.has(id)),
    ),
    { label: labelsOf(language).moreOpenPoints, json: showOpenPoints(added, language, evidence) },
  ];
}

/** What was cited, for whoever concludes from what was said; contradictions stand in the summary. */
function buildCitedBlocks(file: CaseFile, cited: string[]): Block[] {
  const { evidence, rules } = file.retrieval;
  const items = evidence.filter((item) => cited.includes(item.id) && !isBeforeBoth(item));
  const unsaid = { contradictions: [], unknown: rules.unknown };
  return [...buildEvidenceBlock(file, "cited", items), buildOpenBlock(file, unsaid, items)];
}

/** What a side alone holds, and what its own rules leave open; what it hears later stands where it was said. */
function buildSideBlocks(file: CaseFile, side: Domain): Block[] {
  const { retrieval, own_rules, brought = [] } = file;
  const held = retrieval.evidence.filter(({ id }) => !brought.includes(id));
  const open = buildOpenBlock(file, own_rules ?? retrieval.rules, held);
  return [...buildEvidenceBlock(file, side, listOwn(file)), open];
}

/** Where rules contradict each other, and what the question leaves unsaid or disputed. */
function buildOpenBlock({ retrieval }: CaseFile, points: OpenPoints, shown: RetrievedEvidence[]): Block {
  const { language, disputed = [] } = retrieval;
  const facts = disputed.map(({ fact }) => fact);
  const open = facts.length > 0 ? { disputed: askFacts(facts, language) } : {};
  return { label: labelsOf(language).openPoints, json: { ...showOpenPoints(points, language, shown), ...open } };
}

/** What a side holds and the other does not. */
function listOwn({ retrieval, brought = [] }: CaseFile): RetrievedEvidence[] {
  return retrieval.evidence.filter((item) => !isBeforeBoth(item) && !brought.includes(item.id));
}

type Holder = Domain | "both" | "neither" | "cited";

function buildEvidenceBlock({ retrieval }: CaseFile, holder: Holder, items: RetrievedEvidence[]): Block[] {
  const { language } = retrieval;
  const label = labelsOf(language).evidence[holder];
  return items.length === 0 ? [] : [{ label, json: showItems(items, language) }];
}
