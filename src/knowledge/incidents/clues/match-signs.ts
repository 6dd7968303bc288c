import { readFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";
import { CategorySchema } from "../schemas/incident.ts";

export const signRoles = ["cause", "symptom", "routine", "recovery", "change"] as const;

/** What a message says by itself, whatever the system (data/rca/signs.yaml). */
export const SignSchema = z.strictObject({
  id: z.string().min(1),
  category: CategorySchema,
  role: z.enum(signRoles),
  strength: z.number().min(0).max(1),
  /** The message names the other side, which is the place to look at. */
  peer: z.boolean().default(false),
  /** The line itself says that the trouble was put right, so nothing else in it counts. */
  overrides: z.boolean().default(false),
  /** Signs that follow from this one: its effects, when both are seen. */
  leads_to: z.array(z.string()).default([]),
  says: z.string().min(1),
  patterns: z.array(z.string().min(1)).min(1),
  resolution: z.array(z.string()).default([]),
});
type AnySign = z.infer<typeof SignSchema>;
/** A sign that says something of trouble, for or against it. */
export type Sign = AnySign & { role: Exclude<AnySign["role"], "change"> };
type CompiledSign = AnySign & { pattern: RegExp };

const file = new URL("../../../../data/rca/signs.yaml", import.meta.url);
let compiled: readonly CompiledSign[] | null = null;

/** The signs that ship with the product. */
export function readSigns(): readonly CompiledSign[] {
  compiled ??= z
    .array(SignSchema)
    .parse(parse(readFileSync(file, "utf8")))
    .map((sign) => ({ ...sign, pattern: new RegExp(sign.patterns.map((one) => `(?:${one})`).join("|"), "i") }));
  return compiled;
}

const mostText = 2000;

/** The signs of a line of text: what was put right silences all, what names a cause mere symptoms, and so does routine. */
export function matchSigns(text: string): Sign[] {
  const found = readSigns()
    .filter(isSpoken)
    .filter(({ pattern }) => pattern.test(text.slice(0, mostText)));
  const settled = found.filter(({ overrides }) => overrides);
  if (settled.length > 0) return settled;
  const causes = found.filter(({ role }) => role === "cause");
  if (causes.length > 0) return causes;
  const routine = found.filter(({ role }) => role === "routine" || role === "recovery");
  return routine.length > 0 ? routine : found;
}

function isSpoken(sign: CompiledSign): sign is CompiledSign & Sign {
  return sign.role !== "change";
}

/** The kind of change that a line tells of: a release, a setting, a job; null when it tells of none. */
export function matchChange(text: string): AnySign | null {
  return readSigns().find(({ role, pattern }) => role === "change" && pattern.test(text.slice(0, mostText))) ?? null;
}
