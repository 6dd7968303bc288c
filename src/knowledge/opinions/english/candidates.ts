import type { Candidate } from "../reading/reading.ts";
import type { Analysis } from "./analyse.ts";
import { attachOpinions } from "./attach.ts";
import type { Chunk } from "./clauses/chunk-parts.ts";
import type { Token } from "./words/token.ts";
import { openVocabulary } from "./words/lexicon.ts";
import { companyWords } from "./words/word-classes.ts";

const classifying =
  /^(fried|grilled|baked|roasted|smoked|steamed|stuffed|crispy|spicy|homemade|outdoor|indoor|live|front|main|digital|optical|wireless|rechargeable|remote|technical|external|internal|built|italian|french|indian|chinese|japanese|thai|korean|mexican|spanish|greek|american|vietnamese|turkish|asian|cuban|brazilian|german|mediterranean|vegetarian|vegan|red|white|black|green|dim|prix|sweet|sour|hot|iced|raw|mixed|dark|private|public)$/;

/** The noun phrases of a text that may be aspects: what reviews judge, or what this one does. */
export function findCandidates(analysis: Analysis): Candidate[] {
  const attachments = attachOpinions(analysis);
  const judged = (chunk: Chunk) =>
    attachments.some((one) =>
      one.targets.some(
        (target) => target.from === chunk.from && target.to === chunk.to && one.opinion.from !== chunk.head,
      ),
    );
  return analysis.chunks.flatMap((chunk) => {
    const core = findCore(analysis, chunk);
    if (!core) return [];
    const known = findGroup(core);
    const head = core.at(-1) as Token;
    if (!known?.compound && (openVocabulary().mentioned.has(head.lemma) || openVocabulary().mentioned.has(head.lower)))
      return [];
    const touched = judged(chunk);
    if (!known && !touched) return [];
    const span = { start: (core[0] as Token).start, end: head.end };
    const why = known ? `a word for ${known.group}` : "the text judges it";
    return [{ span, head: head.lemma, confidence: known && touched ? 0.9 : known ? 0.7 : 0.6, why }];
  });
}

/** The nouns of a chunk with the words that say which kind, without what points, counts or judges. */
function findCore(analysis: Analysis, chunk: Chunk): Token[] | undefined {
  if (chunk.kind !== "noun") return undefined;
  const { tokens } = analysis;
  const head = tokens[chunk.head] as Token;
  if (!/^(NOUN|PROPN)$/.test(head.pos) || !/^\p{L}[\p{L}\p{N}.'’-]*$/u.test(head.text)) return undefined;
  if (companyWords.has(head.lower)) return undefined;
  let from = chunk.head;
  while (from > chunk.from && belongs(analysis, tokens[from - 1] as Token, from)) from -= 1;
  while (from < chunk.head && !/^[\p{L}\p{N}]/u.test(tokens[from]?.text ?? "")) from += 1;
  return judgesOnly(analysis, chunk) ? undefined : tokens.slice(from, chunk.head + 1);
}

/** "a disaster", "great value": the head is the judgement itself, not what is judged. */
function judgesOnly(analysis: Analysis, chunk: Chunk): boolean {
  return analysis.opinions.some(
    (opinion) =>
      opinion.kind === "judgement" && opinion.base !== 0 && opinion.from <= chunk.head && opinion.to > chunk.head,
  );
}

function belongs(analysis: Analysis, token: Token, next: number): boolean {
  if (analysis.opinions.some((opinion) => opinion.from <= token.index && opinion.to > token.index))
    return classifying.test(token.lower);
  if (/^(NOUN|PROPN)$/.test(token.pos)) return true;
  if (token.lower === "-" || token.lower === "/") return analysis.tokens[next]?.start === token.end;
  return classifying.test(token.lower);
}

/** The group of a term by its compound or its head word. */
function findGroup(core: readonly Token[]): { group: string; compound: boolean } | undefined {
  const { groups } = openVocabulary();
  const head = core.at(-1) as Token;
  const compound = core
    .slice(-2)
    .map((token) => token.lower)
    .join(" ");
  const whole = core.length > 1 ? groups.get(compound) : undefined;
  const group = whole ?? groups.get(head.lower) ?? groups.get(head.lemma);
  return group === undefined ? undefined : { group, compound: whole !== undefined };
}
