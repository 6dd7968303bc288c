import * as z from "zod";
import { canonicalisePolarity } from "../rules/tuples/canonical-polarity.ts";
import { type Polarity, PolaritySchema } from "../schemas/stage1.ts";

/** A gold tuple; an empty term is an implicit aspect. */
export type GoldTuple = { term: string; polarity: Polarity };

const TupleSchema = z.looseObject({
  aspect_term: z.string().nullish(),
  term: z.string().nullish(),
  aspect_ref: z.string().nullish(),
  polarity: z.preprocess((word) => canonicalisePolarity(word) ?? word, PolaritySchema),
});

/** Gold that calls an aspect both ways cannot be matched and is left out, as is usual for SemEval's `conflict`. */
const tuples = z.preprocess(
  (list) => (Array.isArray(list) ? list.filter((one) => !isConflict(one)) : list),
  z.array(TupleSchema),
);

function isConflict(tuple: unknown): boolean {
  const polarity = (tuple as { polarity?: unknown } | null)?.polarity;
  return polarity === "conflict" || polarity === "mixed";
}

/** The gold of a case: its tuples, under `aspects`, `gold_tuples` or as the list itself; other columns name its strata. */
export const SentimentGoldSchema = z
  .union([
    tuples.transform((list) => ({ list, domain: undefined })),
    z
      .looseObject({ aspects: tuples, domain: z.string().optional() })
      .transform(({ aspects, domain }) => ({ list: aspects, domain })),
    z
      .looseObject({ gold_tuples: tuples, domain: z.string().optional() })
      .transform(({ gold_tuples, domain }) => ({ list: gold_tuples, domain })),
  ])
  .transform(({ list, domain }) => ({
    tuples: list.map((one): GoldTuple => ({ term: pickTerm(one), polarity: one.polarity })),
    domain: domain ?? null,
  }));
export type SentimentGold = z.infer<typeof SentimentGoldSchema>;

/** The surface term; a category under `aspect_ref` is not a term. */
function pickTerm({ aspect_term, term }: z.infer<typeof TupleSchema>): string {
  return (aspect_term ?? term ?? "").trim();
}
