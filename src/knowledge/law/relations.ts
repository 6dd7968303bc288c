import { readFileSync } from "node:fs";
import * as z from "zod";
import { type Frame, readFrame } from "./frame.ts";
import { findMentions, listKeys, splitWords } from "./words.ts";

/**
 * How national and adat norms on one issue relate (law spec §2.6). `conflict`: they answer it differently; `agreement`: alike;
 * `reference`: national law leaves it to adat or recognises it; `overriding`: national law decides it whatever adat says.
 * An empty `adat` means any norm.
 */
const RelationSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(["conflict", "agreement", "reference", "overriding"]),
  national: z.array(z.string()).min(1),
  adat: z.array(z.string()),
  issue: z.string().min(1),
  issue_en: z.string().min(1),
});
export type Relation = z.infer<typeof RelationSchema>;

/** Where a norm gives way to another of its own law: an exception, a later law, a form or a capacity that it presupposes. */
const LimitSchema = z.strictObject({
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

/** A provision by which national law itself says when adat applies, and the topics that call for it (null: any). */
const BridgeSchema = z.strictObject({ id: z.string(), topics: z.array(z.string()).nullable() });

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../data/law/${name}.json`, import.meta.url), "utf8"));
const relations = z.array(RelationSchema).parse(read("norm-relations"));
const limits = z.array(LimitSchema).parse(read("limits"));
export const bridges = z.array(BridgeSchema).parse(read("bridges"));

const sharedWord = 0.25;
const leastOverlap = 0.75;
const nearlyAsMuch = 0.8;

/** The relations between what was found that are closest to what is asked. */
export function selectRelations(query: string, frame: Frame, ids: ReadonlySet<string>): Relation[] {
  const words = new Set(listKeys(query));
  const near = relations
    .filter(
      ({ national, adat }) =>
        national.some((id) => ids.has(id)) && (adat.length === 0 || adat.some((id) => ids.has(id))),
    )
    .map((relation) => {
      const about = readFrame(relation.issue).mentions.filter(
        ({ concept: { role } }) => role !== "people" && role !== "law",
      );
      const named = new Set(about.map(({ concept }) => concept.id).filter((id) => frame.concepts.has(id)));
      const shared = new Set(listKeys(`${relation.issue} ${relation.issue_en}`)).intersection(words);
      return { relation, overlap: named.size + sharedWord * shared.size };
    });
  const least = Math.max(leastOverlap, nearlyAsMuch * Math.max(0, ...near.map(({ overlap }) => overlap)));
  return near.filter(({ overlap }) => overlap >= least).map(({ relation }) => relation);
}

/** The limits of what was found that the words of a question call for, and whether it says that what they turn on is not so. */
export function selectLimits(
  query: string,
  frame: Frame,
  ids: ReadonlySet<string>,
): (Limit & { isRuledOut: boolean })[] {
  const words = splitWords(query.toLowerCase());
  const mentions = findMentions(query);
  const isDenied = (id: string): boolean => {
    const named = mentions.filter(({ concept }) => concept.id === id || concept.wider.includes(id));
    return (
      named.length > 0 &&
      named.every(({ start }) =>
        /\b(?:tidak|tanpa|belum|bukan|no|not|without|never)\b/u.test(
          words.slice(Math.max(0, start - 3), start).join(" "),
        ),
      )
    );
  };
  return limits
    .filter(({ on, calls }) => on.some((id) => ids.has(id)) && calls.every((id) => frame.concepts.has(id)))
    .map((limit) => ({ ...limit, isRuledOut: limit.calls.some(isDenied) }));
}
