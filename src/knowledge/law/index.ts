export { type CaseFile, findEvidence, resolveIds } from "./case/case-file.ts";
export { openCase, type Question } from "./case/open-case.ts";
export { isBeforeBoth, selectSide } from "./case/side-file.ts";
export { type CitedProvision, findCitedProvisions } from "./citations/cited-provisions.ts";
export { loadCorpora, saveCorpus } from "./corpus/corpus-folder.ts";
export { selectOwnItems } from "./corpus/own-items.ts";
export { type CorpusFormat, parseCorpus } from "./corpus/parse-corpus.ts";
export { type Explanation, explain } from "./explain/explanation.ts";
export { writeExplanation } from "./explain/explanation-text.ts";
export { extractFacts } from "./facts/extract-facts.ts";
export { sayFact, askFact, askFacts } from "./facts/fact-phrases.ts";
export {
  confidenceWeight,
  type Domain,
  type Evidence,
  EvidenceSchema,
  ownSourceKind,
  statementOf,
  titleOf,
} from "./items/evidence.ts";
export { type Knowledge, loadKnowledge, addItems } from "./items/knowledge.ts";
export { getConcept } from "./mentions/concept.ts";
export { detectLanguage } from "./mentions/language.ts";
export { findMentions } from "./mentions/mentions.ts";
export { extractTerms } from "./mentions/terms.ts";
export { isPure } from "./norms/contested.ts";
export { findLimits, isRuledOut, type Limit } from "./case/limits.ts";
export {
  type NormRelation,
  measureOverlap,
  normRelations,
  selectOnIssue,
  findRelations,
} from "./norms/norm-relations.ts";
export { readNamedRegimes, judgeFit } from "./norms/regimes.ts";
export { rerank, listTextsToEmbed } from "./retrieval/rerank.ts";
export type { Retrieval, RetrievedEvidence } from "./retrieval/retrieval.ts";
export { retrieve } from "./retrieval/retrieve.ts";
export { type Route, type RouteLabel, route, routeLabels } from "./router/route.ts";
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
export { loadRules } from "./rules/shipped-rules.ts";
export { searchText } from "./search/text-index.ts";
