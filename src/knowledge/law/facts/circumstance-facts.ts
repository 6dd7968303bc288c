import { readFileSync } from "node:fs";
import * as z from "zod";
import type { Mention } from "../mentions/concept.ts";
import type { Fact } from "../rules/rule.ts";
import type { Asset } from "./asset-facts.ts";
import { isNegated, selectMentions, isNamed, findNearest, type Reading, matchesText } from "./reading.ts";

/**
 * How a question says that something happened around the case (law spec §2.3). The fact is stated when a concept of `names` is named
 * (and one of `with`, and none of `without`), the text reads like `says` and not like `unless`.
 */
export const CircumstanceSchema = z
  .strictObject({
    /** `{person}` and `{land}` are the ones nearest to the concept, `{1}` is what the first group of `says` matched. */
    fact: z.string(),
    names: z.array(z.string()).min(1).optional(),
    with: z.array(z.string()).min(1).optional(),
    without: z.array(z.string()).min(1).optional(),
    says: z.string().optional(),
    unless: z.string().optional(),
    /** What a negation before the concept does: the opposite is stated, or the concept does not count. */
    negation: z.enum(["denies", "excludes"]).optional(),
    /** How many words before the concept a negation may stand. */
    reach: z.int().positive().default(3),
    /** Whom the fact is about when nobody is named near the concept. */
    otherwise: z.string().optional(),
    examples: z.array(z.strictObject({ query: z.string(), fact: z.string() })).min(1),
  })
  .refine((row) => row.names ?? row.says, "needs names or says");
export type Circumstance = z.infer<typeof CircumstanceSchema>;

type Row = Omit<Circumstance, "says" | "unless"> & { says: RegExp | null; unless: RegExp | null };

const file = new URL("../../../../data/law/circumstances.json", import.meta.url);
let shipped: Circumstance[] | null = null;
let compiled: Row[] | null = null;

/** The circumstances that ship with the product; loaded once. */
export function loadCircumstances(): Circumstance[] {
  shipped ??= z.array(CircumstanceSchema).parse(JSON.parse(readFileSync(file, "utf8")));
  return shipped;
}

/** What happened around the case: marriages, divorces, acknowledgement, duties, conversion, certificates, extinct lines. */
export function readCircumstances(reading: Reading, assets: Asset[]): Fact[] {
  compiled ??= loadCircumstances().map((row) => ({
    ...row,
    says: row.says === undefined ? null : new RegExp(row.says, "u"),
    unless: row.unless === undefined ? null : new RegExp(row.unless, "u"),
  }));
  return compiled.flatMap((row) => stateFact(row, reading, assets) ?? []);
}

function stateFact(row: Row, reading: Reading, assets: Asset[]): Fact | null {
  const named = findNamed(row, reading);
  if (row.names && !named) return null;
  if (row.with && !isNamed(reading, ...row.with)) return null;
  if (row.without && isNamed(reading, ...row.without)) return null;
  if (row.says && !matchesText(reading, row.says)) return null;
  if (row.unless && matchesText(reading, row.unless)) return null;
  const fact = fillFact(row, reading, assets, named);
  const isDenied = row.negation === "denies" && named !== undefined && isNegated(reading, named.start, row.reach);
  return fact !== null && isDenied ? `not ${fact}` : fact;
}

/** The first mention that counts. */
function findNamed({ names: ids = [], negation, reach }: Row, reading: Reading): Mention | undefined {
  return selectMentions(reading, ...ids).find(
    ({ start }) => negation !== "excludes" || !isNegated(reading, start, reach),
  );
}

function fillFact(row: Row, reading: Reading, assets: Asset[], named: Mention | undefined): Fact | null {
  const at = named?.start ?? 0;
  const parts: Record<string, string | undefined> = {
    "{person}": findPerson(reading, named) ?? row.otherwise,
    "{land}": findNearest(assets.filter(isLand), at)?.id,
    "{1}": row.says?.exec(reading.text)?.[1],
  };
  const used = Object.keys(parts).filter((part) => row.fact.includes(part));
  if (used.some((part) => parts[part] === undefined)) return null;
  return used.reduce((fact, part) => fact.replace(part, parts[part] ?? ""), row.fact);
}

const anyone = new Set(["deceased", "heir", "relative", "parent"]);

/** The person nearest to a concept; never the concept itself, nor one whom any question may name. */
function findPerson({ mentions }: Reading, named: Mention | undefined): string | undefined {
  const persons = mentions.filter(
    ({ concept }) => concept.type === "person" && !anyone.has(concept.id) && concept.id !== named?.concept.id,
  );
  return findNearest(persons, named?.start ?? 0)?.concept.id;
}

const notLand = new Set(["savings", "estate", "pusaka_jawa"]);

function isLand({ id }: Asset): boolean {
  return !notLand.has(id);
}
