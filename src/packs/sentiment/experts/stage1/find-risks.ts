import type { ValidatorInput } from "../../schemas/role-inputs.ts";
import type { Span, StructuralRisk } from "../../schemas/stage1.ts";
import { type AspectView, type Marks, readerOf, judgeByStructure } from "../../../../knowledge/opinions/index.ts";

type Input = Pick<ValidatorInput, "text" | "language_code" | "aspects" | "aspect_sentiments">;

/** The structural risks of a list of sentiments: each says what in the text is doubtful and where. */
export function findRisks(input: Input, views: readonly AspectView[]): StructuralRisk[] {
  const marks = readerOf(input.language_code).marks(input.text);
  return [
    ...findIrony(input, marks),
    ...findContrast(input, marks),
    ...input.aspect_sentiments.flatMap((sentiment) => checkSentiment(input, sentiment, views, marks)),
  ];
}

function findIrony(input: Input, marks: Marks): StructuralRisk[] {
  return marks.ironies.slice(0, 1).map((scope) => ({
    type: "IRONY",
    scope: { ...scope },
    severity: "high",
    description: `"${quote(input, scope)}" may mean the opposite of what it says`,
  }));
}

/** A contrast whose sides are rated alike, or of which one side names nothing. */
function findContrast(input: Input, marks: Marks): StructuralRisk[] {
  const marker = marks.contrasts[0];
  if (!marker) return [];
  const rated = input.aspect_sentiments.filter(
    (sentiment) => sentiment.polarity !== null && sentiment.aspect_ref !== "",
  );
  const word = quote(input, marker);
  if (new Set(input.aspects.map((aspect) => aspect.term)).size < 2)
    return [
      {
        type: "MISSING_SECOND_ASPECT",
        scope: { start: 0, end: input.text.length },
        severity: "low",
        description: `"${word}" contrasts two things, but fewer than two aspects were found`,
      },
    ];
  const polarities = new Set(rated.map((sentiment) => sentiment.polarity));
  if (rated.length < 2 || polarities.size > 1) return [];
  return [
    {
      type: "CONTRAST_SCOPE",
      scope: { ...marker },
      severity: "medium",
      description: `the sides of "${word}" are rated alike`,
    },
  ];
}

function checkSentiment(
  input: Input,
  sentiment: Input["aspect_sentiments"][number],
  views: readonly AspectView[],
  marks: Marks,
): StructuralRisk[] {
  const view = views.find((one) => one.term === sentiment.aspect_ref);
  if (sentiment.polarity === null || !view || view.term === "") return [];
  const scope = { ...(view.scoped.opinions[0]?.span ?? view.spans[0] ?? { start: 0, end: input.text.length }) };
  const name = `"${view.term}"`;
  if (view.near.opinions.length === 0 && view.scoped.opinions.length === 0 && sentiment.polarity !== "neutral")
    return [{ type: "EVIDENCE_GAP", scope, severity: "medium", description: `no word of the text rates ${name}` }];
  if (sentiment.polarity !== "neutral" && judgeByStructure(view) === "neutral") {
    const place = { ...(view.spans[0] ?? scope) };
    return [
      {
        type: "EVIDENCE_GAP",
        scope: place,
        severity: "low",
        description: `the judgement near ${name} is about something else`,
      },
    ];
  }
  const { polarity } = view.scoped;
  if (polarity === null || polarity === sentiment.polarity) return [];
  const negation = marks.negations.find((one) => isNear(one, scope));
  if (negation)
    return [
      {
        type: "NEGATION_SCOPE",
        scope: { ...negation },
        severity: "medium",
        description: `"${quote(input, negation)}" may reach ${name}`,
      },
    ];
  return [
    {
      type: "POLARITY_MISMATCH",
      scope: coverBoth(scope, view.spans[0] ?? scope),
      severity: "medium",
      description: `"${quote(input, scope)}" does not read ${sentiment.polarity} for ${name}`,
    },
  ];
}

/** What a mismatch is about: the aspect, the words that contradict its rating, and what stands between them. */
function coverBoth(a: Span, b: Span): Span {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

function isNear(a: Span, b: Span): boolean {
  return a.start < b.end + 12 && b.start < a.end + 12;
}

function quote(input: Input, span: Span): string {
  return input.text.slice(span.start, span.end);
}
