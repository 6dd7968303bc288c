import { isText, lie, type Loose, loosely, type Truth } from "./truth.ts";

const sameWord = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");

/** Who copies words may change the width of spaces and the shape of quotation marks. */
const asCopied = (text: string): string =>
  loosely(text.replaceAll(/[‘’‚‛ʼ`´]/g, "'").replaceAll(/[“”„‟«»「」『』]/g, '"'));

const isCopied = (quote: string, text: string): boolean =>
  asCopied(text).includes(asCopied(quote)) ||
  asCopied(text).includes(
    asCopied(quote)
      .replaceAll(/^['"]+|['"]+$/g, "")
      .trim(),
  );

export const sentiment: Truth[] = [
  {
    has: ["aspects"],
    lies: ({ aspects }, { material: { text } }) => aspects.flatMap(({ term }: Loose) => termLies(term, text)),
  },
  {
    has: ["aspect_sentiments"],
    lies: ({ aspect_sentiments }, { material: { text }, aspects }) =>
      aspect_sentiments.flatMap(({ aspect_ref, polarity, opinion_term, evidence }: Loose) => [
        ...lie(aspect_ref.trim() === "" || isNear(aspect_ref, aspects), `the aspect ${aspect_ref}`),
        ...wordLies([...polarities, "null"], String(polarity)),
        ...(isText(opinion_term?.term) ? termLies(opinion_term.term, text) : []),
        ...lie(isCopied(evidence, text), `the evidence "${evidence}"`),
      ]),
  },
  {
    has: ["final_validation"],
    lies: ({ structural_risks }) => structural_risks.flatMap(({ type }: Loose) => wordLies(riskTypes, type)),
  },
  {
    has: ["structural_risks"],
    lies: ({ structural_risks, correction_proposals }, { material: { text }, ...given }) => [
      ...structural_risks.flatMap(({ type }: Loose) => wordLies(riskTypes, type)),
      ...correction_proposals.flatMap(({ target_aspect, proposal_type }: Loose) => [
        ...wordLies(["FLIP_POLARITY", "DROP_ASPECT", "REVISE_SPAN"], proposal_type),
        ...lie(isKnownTo({ text, ...given }, target_aspect), `the aspect ${target_aspect}`),
      ]),
    ],
  },
  {
    has: ["proposed_edits"],
    lies: ({ proposed_edits }, { material: { text }, stage1 }) =>
      proposed_edits.flatMap(({ op, target, evidence }: Loose) => [
        ...wordLies(operations, op),
        ...lie(isKnownTo({ text, ...stage1 }, target.aspect_ref), `the aspect ${target.aspect_ref}`),
        ...lie(isCopied(evidence ?? "", text), `the evidence "${evidence}"`),
      ]),
  },
  {
    has: ["final_tuples"],
    lies: (said, { material: { text }, stage1 }) => [
      ...said.final_patch.flatMap(({ op }: Loose) => wordLies(operations, op)),
      ...[...said.final_patch.map(({ target }: Loose) => target), ...said.final_tuples].flatMap(({ aspect_ref }) =>
        lie(isKnownTo({ text, ...stage1 }, aspect_ref), `the aspect ${aspect_ref}`),
      ),
      ...said.final_tuples.flatMap(({ polarity }: Loose) => wordLies(polarities, polarity)),
      ...(said.sentence_polarity === null ? [] : wordLies([...polarities, "mixed"], said.sentence_polarity)),
      ...[...said.sentence_evidence_spans, ...(said.aspect_evidence ?? []).map(({ span }: Loose) => span)].flatMap(
        (span: string) => lie(isText(span) && isCopied(span, text), `the span "${span}"`),
      ),
    ],
  },
  { has: ["message"], lies: ({ message }) => lie(isText(message), "says nothing") },
  {
    has: ["winner"],
    lies: ({ winner, rationale }, { personas }) => {
      const names = Object.entries(personas as Loose).flatMap(([key, { name }]) => [key, name.toLowerCase()]);
      return [
        ...lie(winner === null || names.includes(winner.trim().toLowerCase()), `${winner} wins`),
        ...lie(isText(rationale), "no rationale"),
      ];
    },
  },
  {
    has: ["aspect_review"],
    lies: ({ aspect_review }, { material: { text }, stage1 }) =>
      aspect_review.flatMap(({ term, action }: Loose) => [
        ...wordLies(["keep", "revise_span", "drop", "add"], action),
        ...lie(isKnownTo({ text, ...stage1 }, term), `the aspect ${term}`),
      ]),
  },
  {
    has: ["sentiment_review"],
    lies: ({ sentiment_review }, { material: { text }, stage1 }) =>
      sentiment_review.flatMap(({ aspect_ref, action, revised_polarity }: Loose) => [
        ...wordLies(["maintain", "flip_polarity", "drop", "add"], action),
        ...wordLies([...polarities, "null"], String(revised_polarity)),
        ...lie(isKnownTo({ text, ...stage1 }, aspect_ref), `the aspect ${aspect_ref}`),
      ]),
  },
];

const polarities = ["positive", "negative", "neutral", "pos", "neg", "neu"];
const operations = ["set_polarity", "set_aspect_ref", "merge_tuples", "drop_tuple", "confirm_tuple"];
const riskTypes = [
  "NEGATION_SCOPE",
  "CONTRAST_SCOPE",
  "POLARITY_MISMATCH",
  "NEGATION",
  "CONTRAST",
  "IRONY",
  "EVIDENCE_GAP",
  "SPAN_MISMATCH",
  "MISSING_SECOND_ASPECT",
];

function wordLies(words: string[], word: string): string[] {
  return lie(words.map(sameWord).includes(sameWord(word)), `the word "${word}"`);
}

function termLies(term: string, text: string): string[] {
  return lie(isText(term) && text.toLowerCase().includes(term.trim().toLowerCase()), `the term "${term}"`);
}

/** A known aspect is in the text, or says with other endings or a synonym what a Stage 1 aspect says. */
function isKnownTo({ text, aspects, aspect_sentiments = [] }: Loose, term: string): boolean {
  const given = [...aspects.map((one: Loose) => one.term), ...aspect_sentiments.map((one: Loose) => one.aspect_ref)];
  const word = term.trim().toLowerCase();
  return (
    word === "" ||
    text.toLowerCase().includes(word) ||
    isNear(
      term,
      given.map((one: string) => ({ term: one })),
    )
  );
}

function isNear(term: string, aspects: Loose[]): boolean {
  const word = letters(term);
  return aspects.some((aspect) => {
    const other = letters(aspect.term);
    return (
      word !== "" &&
      other !== "" &&
      (word.includes(other) || other.includes(word) || word.slice(0, 2) === other.slice(0, 2))
    );
  });
}

function letters(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
