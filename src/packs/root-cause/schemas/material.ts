import * as z from "zod";
import { CategorySchema, HistorySchema } from "../../../contract/incident.ts";
import type { Admits } from "../../../contract/run.ts";

export const RefSchema = z.union([z.int().positive(), z.string().min(1)]);
export type Ref = z.infer<typeof RefSchema>;

const at = z.number().nullable();

export const ShownLineSchema = z.strictObject({
  ref: RefSchema,
  text: z.string(),
  at,
  level: z.string().nullable(),
  component: z.string().nullable(),
});
export type ShownLine = z.infer<typeof ShownLineSchema>;

export const NumberSchema = z.strictObject({
  id: z.string(),
  kind: z.string(),
  component: z.string().nullable(),
  description: z.string(),
  at,
  lines: z.array(RefSchema),
});

export const SuspectSchema = z.strictObject({
  kind: z.enum(["words", "order", "numbers", "calls", "silence"]),
  category: CategorySchema,
  place: z.string().nullable(),
  says: z.string(),
  words: z.string(),
  role: z.enum(["cause", "symptom", "change"]),
  strength: z.number(),
  /** How likely it is the cause, or what is told with it, 0..1. */
  likely: z.number().default(0),
  at,
  refs: z.array(RefSchema),
  /** The lines of what is told with it: what came before, and later. */
  context: z.array(RefSchema).default([]),
  numbers: z.array(z.string()),
  after: z.string().nullable(),
  follows: z.string().nullable(),
  resolution: z.array(z.string()),
});
export type MaterialSuspect = z.infer<typeof SuspectSchema>;

/** The material of a debate, from the log and past incidents (root-cause spec §4.1): bounded, and all that rules may use. */
export const MaterialSchema = z.strictObject({
  sources: z.array(z.strictObject({ name: z.string(), lines: z.int() })),
  lines: z.array(ShownLineSchema).meta({
    admit: (ref: string, text: string) => ({ ref, text, at: null, level: null, component: null }),
  } satisfies Admits),
  errors: z.array(
    z.strictObject({
      error_type: z.string(),
      message: z.string(),
      component: z.string().nullable(),
      line: RefSchema,
      at,
      count: z.int(),
    }),
  ),
  numbers: z.array(NumberSchema),
  timeline: z.array(z.strictObject({ kind: z.string(), description: z.string(), at, line: RefSchema.nullable() })),
  entities: z.array(z.strictObject({ type: z.string(), name: z.string(), count: z.int(), error_count: z.int() })),
  changes: z.array(
    z.strictObject({
      change: z.string(),
      component: z.string().nullable(),
      message: z.string(),
      count: z.int(),
      count_in_reference: z.int().nullable(),
    }),
  ),
  calls: z.array(
    z.strictObject({
      caller: z.string(),
      callee: z.string(),
      calls: z.int().nullable(),
      failed: z.int(),
      usually_ms: z.number().nullable(),
      now_ms: z.number().nullable(),
      change: z.string().nullable(),
      since: at,
      line: RefSchema.nullable(),
    }),
  ),
  totals: z.strictObject({
    lines: z.int(),
    events: z.int(),
    shown: z.int(),
    by_level: z.record(z.string(), z.int()),
    templates: z.int(),
    files: z.int(),
    first: at,
    last: at,
    reference: z.string().nullable(),
  }),
  history: HistorySchema.nullable(),
  /** Beginnings of verbs that take something away, for steps of a resolution. */
  losing: z.array(z.string()).default([]),
  witness: z.strictObject({
    name: z.string(),
    version: z.int(),
    onset: at,
    /** How calm the log is, 0..1, with supporting lines. */
    calm: z.number(),
    calm_likely: z.number().default(0),
    calm_refs: z.array(RefSchema),
    calm_says: z.array(z.string()),
    suspects: z.array(SuspectSchema),
  }),
});
export type Material = z.infer<typeof MaterialSchema>;
