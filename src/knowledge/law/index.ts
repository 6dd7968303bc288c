export { type CaseFile, findEvidence, stableIds } from "./case/case-file.ts";
export { openCase, type Question } from "./case/open-case.ts";
export { type CitedProvision, citedProvisions } from "./citations/cited-provisions.ts";
export { loadCorpora, saveCorpus } from "./corpus/corpus-folder.ts";
export { ownItemsFor } from "./corpus/own-items.ts";
export { type CorpusFormat, parseCorpus } from "./corpus/parse-corpus.ts";
export { type Explanation, explain } from "./explain/explanation.ts";
export { explanationText } from "./explain/explanation-text.ts";
export { extractFacts } from "./facts/extract-facts.ts";
export { factClause, factQuestion } from "./facts/fact-phrases.ts";
export {
  confidenceWeight,
  type Domain,
  type Evidence,
  EvidenceSchema,
  statementIn,
  titleIn,
} from "./items/evidence.ts";
export { type Knowledge, shippedKnowledge, withItems } from "./items/knowledge.ts";
export { conceptOf } from "./mentions/concept.ts";
export { languageOf } from "./mentions/language.ts";
export { mentionsIn } from "./mentions/mentions.ts";
export { termsOf } from "./mentions/terms.ts";
export { isPure } from "./norms/contested.ts";
export { type NormRelation, normRelations, onIssue, relationsBetween } from "./norms/norm-relations.ts";
export { namedRegimes, regimeFit } from "./norms/regimes.ts";
export { rerank, textsToEmbed } from "./retrieval/rerank.ts";
export type { Retrieval, RetrievedEvidence } from "./retrieval/retrieval.ts";
export { retrieve } from "./retrieval/retrieve.ts";
export { type Route, route, routeLabels } from "./router/route.ts";
export { readAtom, writeAtom } from "./rules/atom.ts";
export {
  type Conclusion,
  type Contradiction,
  type Fact,
  type Rule,
  type RuleResult,
  RuleSchema,
} from "./rules/rule.ts";
export { runRules } from "./rules/run-rules.ts";
export { shippedRules } from "./rules/shipped-rules.ts";
export { searchText } from "./search/text-index.ts";
