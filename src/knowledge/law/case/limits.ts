import { readFileSync } from "node:fs";
import * as z from "zod";
import { isNegated, readQuestion, type Reading } from "../facts/reading.ts";

/**
 * Where a norm gives way to another of its own law (law spec §2.11): an exception, a later law, a form or a capacity that
 * it presupposes. `sets_aside`: the other decides in its place; `qualifies`: it holds subject to the other.
 */
export const LimitSchema = z.strictObject({
  id: z.string(),
  on: z.array(z.string()).min(1),
  by: z.array(z.string()).min(1),
  /** The limit is called for where the question names all of these concepts. */
  calls: z.array(z.string()).min(1),
  effect: z.enum(["sets_aside", "qualifies"]),
  issue: z.string().min(1),
  issue_en: z.string().min(1),
});
export type Limit = z.infer<typeof LimitSchema>;

const file = new URL("../../../../data/law/limits.json", import.meta.url);
let shipped: Limit[] | null = null;

/** The limits that ship with the product; loaded once. */
export function loadLimits(): Limit[] {
  shipped ??= z.array(LimitSchema).parse(JSON.parse(readFileSync(file, "utf8")));
  return shipped;
}

/** The limits of these norms that the words of a question call for, whatever it says of them. */
export function findLimits(query: string, ids: string[]): Limit[] {
  const reading = readQuestion(query);
  return loadLimits().filter(
    ({ on, calls }) =>
      on.some((id) => ids.includes(id)) && calls.every((concept) => findPlaces(reading, concept).length > 0),
  );
}

/** Whether a question itself says that what a limit turns on is not so ("without a marriage agreement"). */
export function isRuledOut(query: string, { calls }: Limit): boolean {
  const reading = readQuestion(query);
  return calls.some((concept) => findPlaces(reading, concept).every((at) => isNegated(reading, at)));
}

function findPlaces({ mentions }: Reading, id: string): number[] {
  return mentions.filter(({ concept }) => concept.id === id || concept.broader.includes(id)).map(({ start }) => start);
}
