import type { Problem } from "../../src/contract/turn.ts";
import type { SampledTurn } from "./sampled-turns.ts";

/**
 * What is untrue in a reply that was accepted, told from what the role was given and nothing else: written a second
 * time here, so that a check that looks away is found. A reply of a shape that nothing is known of is an error.
 */
export function liesIn({ pack, input }: SampledTurn, reply: unknown, problems: readonly Problem[] = []): string[] {
  const said = reply as Loose;
  const truths = known[pack]?.find(({ has }) => has.every((key) => key in said));
  if (!truths)
    throw new Error(
      `nothing is known of replies of the ${pack} pack with ${Object.keys(said).join(", ")}: add it here`,
    );
  const lies = [...numberLies(reply, ""), ...truths.lies(said, input as Loose)];
  return lies.filter((one) => !(one.startsWith("the evidence") && problems.some(isFlag)));
}

/** Evidence outside the text that the protocol strikes later, because it counts it, is flagged in the turn. */
function isFlag({ code, severity }: Problem): boolean {
  return code === "evidence_not_in_text" && severity === "salvage";
}

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = Record<string, any>;
type Truth = { has: string[]; lies(said: Loose, given: Loose): string[] };

const shares = new Set(["confidence", "consistency_score", "final_consistency_score"]);

/** Numbers are finite, and what is called a confidence is a share. */
function numberLies(value: unknown, key: string): string[] {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return [`${key} is ${value}`];
    return shares.has(key) && (value < 0 || value > 1) ? [`${key} is ${value}`] : [];
  }
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) => numberLies(inner, Array.isArray(value) ? key : name));
}

function lie(isTrue: boolean, words: string): string[] {
  return isTrue ? [] : [words];
}

const loosely = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
const sameWord = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
const isText = (text: unknown): boolean => typeof text === "string" && text.trim() !== "";

const question: Truth[] = [
  {
    has: ["quotes"],
    lies: ({ answer, reasoning, quotes }, { question: asked }) => [
      ...answerLies(answer, asked),
      ...lie(isText(reasoning), "reasons with nothing"),
      ...quotes.flatMap(({ source, quote }: Loose) => {
        const document = asked.docs.find(({ id }: Loose) => id === source);
        return lie(isText(quote) && loosely(document?.text ?? "").includes(loosely(quote)), `quotes "${quote}"`);
      }),
    ],
  },
  {
    has: ["winner"],
    lies: ({ answer, winner }, { question: asked, history }) => [
      ...answerLies(answer, asked),
      ...lie(winner === null || winner <= (history.at(-1)?.speeches.length ?? 0), `follows answer ${winner}`),
      ...lie(
        winner === null ||
          !asked.choices ||
          (history.at(-1)?.speeches[winner - 1]?.answer === null) === (answer === null),
        "follows another answer than it gives",
      ),
    ],
  },
];

function answerLies(answer: string | null, { answer_type, choices }: Loose): string[] {
  if (answer === null) return [];
  if (answer_type === "number") return lie(/\d/.test(answer), `"${answer}" is no number`);
  if (!choices) return lie(/[\p{L}\p{N}]/u.test(answer), "an answer without a word");
  const words = (text: string): string =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+|\b(?:the|an?)\b/gu, "");
  const names = choices.flatMap((text: string, at: number) => {
    const letter = String.fromCharCode(97 + at);
    return [words(text), letter, letter + words(text)];
  });
  return lie(names.includes(words(answer)) || words(answer) === "", `"${answer}" is none of the choices`);
}

const rootCause: Truth[] = [
  {
    has: ["hypotheses"],
    lies: ({ hypotheses }, { reasoner, incident, own, others }) => {
      const prefix = { log_focused: "log", kg_focused: "kg", hybrid: "hybrid" }[reasoner as string];
      const ids = hypotheses.map(({ id }: Loose) => id);
      const parents = [...own, ...others].map(({ hypothesis }: Loose) => hypothesis.id);
      return [
        ...lie(hypotheses.length > 0 && hypotheses.length <= 5, `${hypotheses.length} hypotheses`),
        ...lie(new Set(ids).size === ids.length, "an id is used twice"),
        ...ids.flatMap((id: string) => lie(id.startsWith(`${prefix}_`), `the id ${id}`)),
        ...hypotheses.flatMap(({ from }: Loose) =>
          (from ?? []).flatMap((id: string) => lie(parents.includes(id), `from ${id}`)),
        ),
        ...hypotheses.flatMap(({ evidence }: Loose) => evidence.flatMap((item: Loose) => evidenceLies(item, incident))),
      ];
    },
  },
  {
    has: ["scores"],
    lies: ({ scores, same_cause }, { hypotheses }) => {
      const labels = hypotheses.map(({ label }: Loose) => label).toSorted();
      return [
        ...lie(String(scores.map(({ label }: Loose) => label).toSorted()) === String(labels), "not each scored once"),
        ...same_cause.flat().flatMap((label: string) => lie(labels.includes(label), `the same cause as ${label}`)),
      ];
    },
  },
];

function evidenceLies({ kind, ref, quote }: Loose, { log, knowledge }: Loose): string[] {
  const words = `${kind} ${String(ref)} "${quote}"`;
  if (!isText(quote)) return [`an empty quote: ${words}`];
  if (kind === "kg") {
    const shown = [
      ...(knowledge?.similar_incidents ?? []).filter(({ incident_id }: Loose) => incident_id === ref),
      ...(knowledge?.causal_paths ?? []).filter(({ incident_ids }: Loose) => incident_ids.includes(ref)),
    ];
    return lie(shown.length > 0 && loosely(leavesOf(shown).join("\n")).includes(loosely(quote)), words);
  }
  const number = Number(/\d+$/.exec(String(ref).trim())?.[0]);
  const event = log.events.find((one: Loose) => one.line <= number && number <= (one.last_line ?? one.line));
  return lie(event !== undefined && loosely(event.raw).includes(loosely(quote)), words);
}

function leavesOf(value: unknown): string[] {
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(leavesOf) : [String(value)];
}

const law: Truth[] = [
  {
    has: ["responses"],
    lies: (said, { file, agent, round, critiques }) => [
      ...lie(said.agent === agent && said.round === round, "speaks for another agent or round"),
      ...claimLies(said.claims, file),
      ...textLies([said.answer], file),
      ...said.responses.flatMap(({ critique_id, evidence }: Loose) => [
        ...lie(
          critiques.some(({ id }: Loose) => id === critique_id),
          `answers critique ${critique_id}`,
        ),
        ...idLies(evidence, file),
      ]),
    ],
  },
  {
    has: ["critiques"],
    lies: (said, { agent, round, target, earlier }) => [
      ...lie(said.agent === agent && said.round === round && said.target !== agent, "speaks for another"),
      ...said.critiques.flatMap(({ target_claim_id, description, suggested_fix }: Loose) => [
        ...lie(
          target.claims.some(({ id }: Loose) => id === target_claim_id),
          `criticises ${target_claim_id}`,
        ),
        ...lie(isText(description) && isText(suggested_fix), "an empty critique"),
      ]),
      ...lie(
        new Set([...said.critiques, ...earlier.map(({ critique }: Loose) => critique)].map(({ id }: Loose) => id))
          .size ===
          said.critiques.length + earlier.length,
        "a critique id is used twice",
      ),
      ...said.verdicts.flatMap(({ critique_id }: Loose) =>
        lie(
          earlier.some(({ critique }: Loose) => critique.id === critique_id),
          `judges critique ${critique_id}`,
        ),
      ),
    ],
  },
  {
    has: ["used_claims"],
    lies: (said, { file, nla, ala, summary }) => {
      const claims = [nla, ala].flatMap((one) =>
        one.claims.map((claim: Loose) => ({ ...claim, name: `${one.agent}:${claim.id}` })),
      );
      const find = (name: string): Loose | undefined => claims.find((claim) => claim.name === name);
      return [
        ...said.used_claims.flatMap((name: string) => lie((find(name)?.evidence.length ?? 0) > 0, `uses ${name}`)),
        ...said.rejected_claims.flatMap(({ claim }: Loose) => lie(find(claim) !== undefined, `rejects ${claim}`)),
        ...lie(said.position === "D" || said.used_claims.length > 0, `position ${said.position} on nothing`),
        ...lie(said.needs_human_review || !summary.needs_human_review, "hides that a person must look"),
        ...lie(/nasihat hukum|legal advice/i.test(said.disclaimer), "no disclaimer"),
        ...textLies([said.answer, ...said.reasons, said.dissent ?? ""], file),
      ];
    },
  },
  {
    has: ["claims", "position"],
    lies: (said, { file }) => [
      ...claimLies(said.claims, file),
      ...lie(said.position === "D" || !file.route.out_of_scope, "a position on what is out of scope"),
      ...lie(
        said.position === "D" || said.claims.some(({ evidence }: Loose) => evidence.length > 0),
        "a position on nothing",
      ),
      ...lie(/nasihat hukum|legal advice/i.test(said.disclaimer), "no disclaimer"),
      ...textLies([said.answer, ...said.reasons, said.dissent ?? ""], file),
    ],
  },
  {
    has: ["vectors"],
    lies: ({ vectors }, { texts }) => [
      ...lie(vectors.length === texts.length, "another number of vectors"),
      ...lie(new Set(vectors.map((one: unknown[]) => one.length)).size === 1, "vectors of several lengths"),
    ],
  },
];

function claimLies(claims: Loose[], file: Loose): string[] {
  return [
    ...lie(claims.length <= 10, `${claims.length} claims`),
    ...lie(new Set(claims.map(({ id }) => id)).size === claims.length, "a claim id is used twice"),
    ...claims.flatMap(({ evidence, risk, statement }) => [
      ...idLies(evidence, file),
      ...lie(isText(statement), "a claim without a statement"),
      ...(risk === "no_evidence" ? [] : [...lie(evidence.length > 0, "no evidence"), ...textLies([statement], file)]),
    ]),
  ];
}

function idLies(ids: string[], { retrieval }: Loose): string[] {
  const names = retrieval.evidence.flatMap(({ id, aliases }: Loose) => [id, ...aliases]);
  const given = new Set(names.map((name: string) => name.toLowerCase()));
  return ids.flatMap((id) => lie(given.has(id.trim().toLowerCase()), `cites ${id}`));
}

/** The provisions that the mutations invent are in no knowledge base. */
function textLies(texts: string[], { query }: Loose): string[] {
  return texts.flatMap((text) =>
    lie(!text.includes("Pasal 99999") || query.includes("Pasal 99999"), `speaks of "${text}"`),
  );
}

const sentiment: Truth[] = [
  { has: ["aspects"], lies: ({ aspects }, { text }) => aspects.flatMap(({ term }: Loose) => termLies(term, text)) },
  {
    has: ["aspect_sentiments"],
    lies: ({ aspect_sentiments }, { text, aspects }) =>
      aspect_sentiments.flatMap(({ aspect_ref, polarity, opinion_term, evidence }: Loose) => [
        ...lie(aspect_ref.trim() === "" || isNear(aspect_ref, aspects), `the aspect ${aspect_ref}`),
        ...wordLies([...polarities, "null"], String(polarity)),
        ...(isText(opinion_term?.term) ? termLies(opinion_term.term, text) : []),
        ...lie(text.includes(evidence.trim()), `the evidence "${evidence}"`),
      ]),
  },
  {
    has: ["final_validation"],
    lies: ({ structural_risks }) => structural_risks.flatMap(({ type }: Loose) => wordLies(riskTypes, type)),
  },
  {
    has: ["structural_risks"],
    lies: ({ structural_risks, correction_proposals }, given) => [
      ...structural_risks.flatMap(({ type }: Loose) => wordLies(riskTypes, type)),
      ...correction_proposals.flatMap(({ target_aspect, proposal_type }: Loose) => [
        ...wordLies(["FLIP_POLARITY", "DROP_ASPECT", "REVISE_SPAN"], proposal_type),
        ...lie(isKnownTo(given, target_aspect), `the aspect ${target_aspect}`),
      ]),
    ],
  },
  {
    has: ["proposed_edits"],
    lies: ({ proposed_edits }, { text, context }) =>
      proposed_edits.flatMap(({ op, target, evidence }: Loose) => [
        ...wordLies(operations, op),
        ...lie(isKnownTo(contextOf(text, context), target.aspect_ref), `the aspect ${target.aspect_ref}`),
        ...lie(text.includes((evidence ?? "").trim()), `the evidence "${evidence}"`),
      ]),
  },
  {
    has: ["final_tuples"],
    lies: (said, { text, context }) => [
      ...said.final_patch.flatMap(({ op }: Loose) => wordLies(operations, op)),
      ...[...said.final_patch.map(({ target }: Loose) => target), ...said.final_tuples].flatMap(({ aspect_ref }) =>
        lie(isKnownTo(contextOf(text, context), aspect_ref), `the aspect ${aspect_ref}`),
      ),
      ...said.final_tuples.flatMap(({ polarity }: Loose) => wordLies(polarities, polarity)),
      ...(said.sentence_polarity === null ? [] : wordLies([...polarities, "mixed"], said.sentence_polarity)),
      ...[...said.sentence_evidence_spans, ...(said.aspect_evidence ?? []).map(({ span }: Loose) => span)].flatMap(
        (span: string) => lie(isText(span) && text.includes(span.trim()), `the span "${span}"`),
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
    lies: ({ aspect_review }, { text, stage1 }) =>
      aspect_review.flatMap(({ term, action }: Loose) => [
        ...wordLies(["keep", "revise_span", "drop", "add"], action),
        ...lie(isKnownTo({ text, ...stage1 }, term), `the aspect ${term}`),
      ]),
  },
  {
    has: ["sentiment_review"],
    lies: ({ sentiment_review }, { text, stage1 }) =>
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

function contextOf(text: string, { stage1_aspects, stage1_aspect_sentiments }: Loose): Loose {
  return { text, aspects: stage1_aspects, aspect_sentiments: stage1_aspect_sentiments };
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

const known: Record<string, Truth[]> = { question, "root-cause": rootCause, law, sentiment };
