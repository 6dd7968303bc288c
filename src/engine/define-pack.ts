import * as z from "zod";
import type { Pack, PackSpec, Protocol } from "./pack.ts";
import { describeSubject, listFields, showFinished, wordValue } from "./show-by-schema.ts";

/** Declares a pack with its types inferred; anything it does not define for display is made from its schemas. */
export function definePack<I, C, D, M = null>(spec: PackSpec<I, C, D, M>): Pack<I, C, D, M> {
  return {
    ...spec,
    material: spec.material ?? (z.null() as unknown as z.ZodType<M>),
    prepare: spec.prepare ?? (() => null as M),
    protocol: escalateUnsure(spec.protocol, spec.measure?.confidence ?? (() => null)),
    examples: spec.examples ?? examplesOf(spec.input),
    story: spec.story ?? (({ input }) => ({ subject: describeSubject(input), stages: [], exhibits: [] })),
    sections:
      spec.sections ??
      ((finished) =>
        showFinished(finished, spec.decision, {
          subject: describeSubject(finished.input),
          headline: headlineBySchema(spec),
        })),
  };
}

/** The cases that the input's schema gives as examples: `.meta({ examples: [...] })`. */
function examplesOf(input: z.ZodType): { name: string; input: unknown }[] {
  const given = z.globalRegistry.get(input)?.examples;
  const examples: unknown[] = Array.isArray(given) ? given : [];
  return examples.map((example, index) => ({ name: `example ${index + 1}`, input: example }));
}

/** The words of a decision, by the names of their fields; a number that moved a little is no flip. */
function headlineBySchema<D>({
  decision: schema,
}: {
  decision: z.ZodType<D>;
}): (decision: D) => Record<string, string> {
  return (decision) => {
    const short = listFields(schema, decision).filter(
      ({ kind, value }) => kind === "short" && typeof value !== "number",
    );
    return Object.fromEntries(short.map(({ label, value }) => [label, wordValue(value)]));
  };
}

/** The setting that makes a pack act only where it is sure enough; a certificate gives its value. */
export const ActAboveSchema = z
  .number()
  .min(0)
  .max(1)
  .optional()
  .describe("decisions with a stated confidence below this go to a person; left out, every decision stands");

/** Hands decisions that are less sure than `act_above` to a person. */
export function escalateUnsure<I, C, D, M>(
  protocol: Protocol<I, C, D, M>,
  confidenceOf: (decision: D) => number | null,
): Protocol<I, C, D, M> {
  return async (debate, given, config) => {
    const verdict = await protocol(debate, given, config);
    const { act_above: needed } = config as { act_above?: number };
    if (needed === undefined || verdict.outcome !== "decided") return verdict;
    const confidence = confidenceOf(verdict.decision);
    const act = confidence !== null && confidence >= needed;
    debate.note("act_above", { confidence, needed, act });
    if (act) return verdict;
    const stated = confidence === null ? "no confidence is stated" : `the confidence is ${round(confidence)}`;
    return {
      ...verdict,
      outcome: "escalated",
      reasons: [...verdict.reasons, `not sure enough to act: ${stated}, ${round(needed)} is needed`],
    };
  };
}

function round(value: number): number {
  return Number(value.toFixed(3));
}
