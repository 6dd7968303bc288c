import { readFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";
import { CategorySchema } from "../../contract/incident.ts";

const SignSchema = z.strictObject({
  id: z.string().min(1),
  category: CategorySchema,
  role: z.enum(["cause", "routine", "change"]),
  strength: z.number().min(0).max(1),
  says: z.string().min(1),
  patterns: z.array(z.string().min(1)).min(1),
  resolution: z.array(z.string()).default([]),
});
export type Sign = z.infer<typeof SignSchema> & { pattern: RegExp };

const NumberSignSchema = z.strictObject({
  pattern: z.string(),
  category: CategorySchema,
  resolution: z.array(z.string()),
});

const KnowledgeSchema = z.strictObject({ signs: z.array(SignSchema), numbers: z.array(NumberSignSchema) });
type Compiled = {
  signs: readonly Sign[];
  numbers: readonly (z.infer<typeof NumberSignSchema> & { matches: RegExp })[];
};

const file = new URL("../../../data/rca/signs.yaml", import.meta.url);
let compiled: Compiled | null = null;

function readSigns(): Compiled {
  if (compiled !== null) return compiled;
  const { signs, numbers } = KnowledgeSchema.parse(parse(readFileSync(file, "utf8")));
  compiled = {
    signs: signs.map((sign) => ({
      ...sign,
      pattern: new RegExp(sign.patterns.map((one) => `(?:${one})`).join("|"), "i"),
    })),
    numbers: numbers.map((one) => ({ ...one, matches: new RegExp(one.pattern, "i") })),
  };
  return compiled;
}

const mostText = 2000;
const zeros =
  /\b(?:0|zero)(?: [\w()-]+){1,3}|\b\w+ (?:errors?|failures?|faults?) 0\b|\b(?:no|without) (?:errors?|failures?|faults?|warnings?)\b|\b[\w-]+(?: [a-z]+)?[=:] ?0(?:\.0+)?\b(?!\.\d)/gi;

export function dropZeros(text: string): string {
  return text.slice(0, mostText).replace(zeros, " ");
}

/** The strongest sign in a text, a cause before routine. */
export function matchSign(text: string): Sign | null {
  const plain = dropZeros(text);
  const found = readSigns().signs.filter(({ role, pattern }) => role !== "change" && pattern.test(plain));
  const strongest = (role: Sign["role"]) =>
    found.filter((sign) => sign.role === role).toSorted((a, b) => b.strength - a.strength)[0];
  return strongest("cause") ?? strongest("routine") ?? null;
}

/** The kind of change a text reports: a release, a setting, a job; null if none. */
export function matchChange(text: string): Sign | null {
  return (
    readSigns().signs.find(({ role, pattern }) => role === "change" && pattern.test(text.slice(0, mostText))) ?? null
  );
}

export function matchNumber(name: string): z.infer<typeof NumberSignSchema> | null {
  return readSigns().numbers.find(({ matches }) => matches.test(name)) ?? null;
}
