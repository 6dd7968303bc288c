import { type Knowledge, loadKnowledge } from "../items/knowledge.ts";
import { type ArticleReference, findArticleReferences } from "./article-references.ts";
import { findDecisionReferences } from "./decision-references.ts";
import { type LawReference, findLawReferences } from "./law-references.ts";

/** A provision that a question names. `known: false` means: not in this knowledge base (not: does not exist). */
export type CitedProvision = { text: string; id: string | null; known: boolean };

/**
 * The provisions that a question names, and whether each is in the knowledge base (law spec §2.5). `known: false` means
 * "not in this knowledge base", never "does not exist". An id beside `known: false` is the article whose cited
 * paragraph the knowledge base does not hold.
 */
export function findCitedProvisions(query: string, knowledge: Knowledge = loadKnowledge()): CitedProvision[] {
  const decisions = findDecisionReferences(query);
  const isInDecision = ({ start, end }: { start: number; end: number }) =>
    decisions.some((one) => start < one.end && one.start < end);
  const laws = findLawReferences(query).filter((law) => !isInDecision(law));
  const articles = findArticleReferences(query);
  const bound = articles.map((article) => ({ article, law: findLawFor(article, laws, query) }));
  const unused = laws.filter((law) => law.form !== "name" && !bound.some((one) => one.law === law));
  const cited = [
    ...bound.map(({ article, law }) => ({ at: article.start, ...lookUpArticle(article, law, knowledge) })),
    ...unused.map((law) => ({ at: law.start, text: law.text, id: null, known: isKnown(law, knowledge) })),
    ...decisions.map(({ start, text, alias }) => ({ at: start, ...lookUpDecision(text, alias, knowledge) })),
  ];
  const sorted = cited.toSorted((a, b) => a.at - b.at).map(({ text, id, known }) => ({ text, id, known }));
  return sorted.filter((one, index) => sorted.findIndex((other) => other.text === one.text) === index);
}

/** The law that an article belongs to: the one right before it, else the next one after it, else the last one before it. */
function findLawFor(article: ArticleReference, laws: LawReference[], query: string): LawReference | null {
  const before = laws.findLast((law) => law.end <= article.start);
  if (before && /^[\s,]*$/.test(query.slice(before.end, article.start))) return before;
  const after = laws.find((law) => law.start >= article.end);
  if (after && isConnected(query.slice(article.end, after.start))) return after;
  return before ?? after ?? null;
}

/** True when only articles, paragraphs and joining words stand between an article and a law. */
function isConnected(gap: string): boolean {
  return /^(?:[\s,.()\d–-]|dan|and|serta|jo|ayat|huruf|angka|sub|pasal|dari|dalam|pada|di|of|the|in|under|to|sampai|dengan|Indonesian|[a-z]\b)*$/iu.test(
    gap,
  );
}

function lookUpArticle(article: ArticleReference, law: LawReference | null, knowledge: Knowledge): CitedProvision {
  const text = law === null || article.text.includes(law.text) ? article.text : `${article.text} ${law.text}`;
  const key = law === null ? "KUHPerdata" : law.key;
  if (key === null) return { text, id: null, known: false };
  const whole = knowledge.find(`${key}:${article.article}`);
  if (article.paragraph === null) return { text, id: whole?.id ?? null, known: whole !== null };
  const part = knowledge.find(`${key}:${article.article}(${article.paragraph})`);
  return { text, id: (part ?? whole)?.id ?? null, known: part !== null };
}

function lookUpDecision(text: string, alias: string | null, knowledge: Knowledge): CitedProvision {
  const item = alias === null ? null : knowledge.find(alias);
  return { text, id: item?.id ?? null, known: item !== null };
}

/** A law is known when it is one of the shipped ones or a user's item belongs to it. */
function isKnown({ key }: LawReference, { items }: Knowledge): boolean {
  return key !== null && items.some(({ aliases }) => aliases.some((alias) => alias.startsWith(`${key}:`)));
}
