import * as z from "zod";

/**
 * Where a value comes from in a row: a column (dots reach inside), a column whose values are replaced, a constant, a list
 * of several, or one made of another list.
 */
export type Field =
  | string
  | { column: string; values: Record<string, unknown> }
  | { constant: unknown }
  | Field[]
  | { each: string; take: Field | Record<string, Field> };

const FieldSchema: z.ZodType<Field> = z.lazy(() =>
  z.union([
    z.string().min(1),
    /** Values that are not listed are an error. */
    z.strictObject({ column: z.string().min(1), values: z.record(z.string(), z.unknown()) }),
    z.strictObject({ constant: z.unknown() }),
    z.array(FieldSchema).min(1),
    z.strictObject({ each: z.string().min(1), take: z.union([FieldSchema, z.record(z.string(), FieldSchema)]) }),
  ]),
);

/** How a row becomes a case; the gold part is split off here and goes no further than the scoring. */
const MappingSchema = z.strictObject({
  id: z.string().min(1).optional(),
  input: z.record(z.string(), FieldSchema),
  gold: z.union([FieldSchema, z.record(z.string(), FieldSchema)]).optional(),
});
export type Mapping = z.infer<typeof MappingSchema>;

export const DatasetSchema = z.strictObject({
  path: z.string().min(1),
  /** `jsonl` unless named; a format other than jsonl and csv brings its own mapping. */
  format: z.string().min(1).optional(),
  map: MappingSchema.optional(),
  limit: z.int().min(1).optional(),
  shuffle: z.int().nonnegative().optional(),
  skip_bad_rows: z.boolean().default(false),
  /** The cases were written to try the rules: what they show is no evidence. */
  made_up: z.boolean().default(false),
});
export type DatasetSpec = z.infer<typeof DatasetSchema>;

/** One case of a study. Players are given `input` only; `gold` meets nothing but the finished decision. */
export type StudyCase = { id: string; input: unknown; gold: unknown };
