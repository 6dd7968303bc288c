import * as z from "zod";
import { escalateUnsure } from "./act-above.ts";
import type { Finished, Pack, PackSpec } from "./pack.ts";
import { describeSubject, listFields, showFinished, wordValue } from "./show-by-schema.ts";

/** Declares a pack with its types inferred; what it does not say about showing is made from its schemas. */
export function definePack<I, C, D, M = null>(spec: PackSpec<I, C, D, M>): Pack<I, C, D, M> {
  const subject = spec.subject ?? describeSubject;
  const story: Pack<I, C, D, M>["story"] =
    spec.story ??
    ((debate) => ({ subject: subject(debate.input), ...(spec.tell?.(debate) ?? { stages: [], exhibits: [] }) }));
  const show = (finished: Finished<I, C, D, M>) => showFinished(finished, spec.decision, subject(finished.input));
  return {
    ...spec,
    material: spec.material ?? (z.null() as unknown as z.ZodType<M>),
    prepare: spec.prepare ?? (() => null as M),
    protocol: escalateUnsure(spec.protocol, spec.measure?.confidence ?? (() => null)),
    subject,
    headline: spec.headline ?? headlineBySchema(spec),
    examples: spec.examples ?? examplesOf(spec.input),
    prompts: spec.prompts ?? describeReplies(spec),
    story,
    sections: spec.sections ?? spec.view ?? show,
    report: spec.report ?? ((finished) => (spec.sections ?? show)(finished).filter((section) => !section.detail)),
    view: spec.view ?? spec.sections ?? show,
  };
}

/** The cases that the input's schema gives as examples: `.meta({ examples: [...] })`. */
function examplesOf(input: z.ZodType): { name: string; input: unknown }[] {
  const given = z.globalRegistry.get(input)?.examples;
  const examples: unknown[] = Array.isArray(given) ? given : [];
  return examples.map((example, index) => ({ name: `example ${index + 1}`, input: example }));
}

/** The schemas of the replies stand for prompts that the pack does not list: a run then says at least what was to be answered. */
function describeReplies<I, C, D, M>({
  config,
  roles,
}: Pick<PackSpec<I, C, D, M>, "config" | "roles">): Record<string, string> {
  const settings = config.safeParse({});
  if (!settings.success) return {};
  return Object.fromEntries(
    roles(settings.data).map(({ name, reply }) => [
      `${name}.reply.json`,
      JSON.stringify(z.toJSONSchema(reply, { io: "input", unrepresentable: "any" })),
    ]),
  );
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
