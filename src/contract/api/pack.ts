import * as z from "zod";

const JsonSchemaSchema = z.record(z.string(), z.unknown());

/** A setting of a pack, by its dotted key. */
export const SettingSchema = z.strictObject({
  key: z.string(),
  about: z.string(),
  kind: z.enum(["boolean", "choice", "integer", "number", "other"]),
  choices: z.array(z.string()),
  default: z.unknown(),
});

/** A pack as a form needs it. */
export const PackItemSchema = z.strictObject({
  name: z.string(),
  summary: z.string(),
  /** True when a case can be given as plain text. */
  takesText: z.boolean(),
  input: JsonSchemaSchema,
  config: JsonSchemaSchema,
  defaults: z.unknown(),
  settings: z.array(SettingSchema),
  roles: z.array(z.strictObject({ name: z.string(), expert: z.boolean() })),
  examples: z.array(z.strictObject({ name: z.string(), input: z.unknown(), config: z.unknown().optional() })),
  /** The shape of gold, for corrections and studies; null when decisions are not measured. */
  gold: JsonSchemaSchema.nullable(),
});
export type PackItem = z.infer<typeof PackItemSchema>;

/** The packs, and what may be cast from here. */
export const PacksSchema = z.strictObject({
  packs: z.array(PackItemSchema),
  casts: z.array(z.string()),
  defaultCast: z.string(),
});
export type Packs = z.infer<typeof PacksSchema>;

/** One thing that was checked, and how to mend it. */
export const DoctorCheckSchema = z.strictObject({
  name: z.string(),
  state: z.enum(["ok", "note", "wrong"]),
  message: z.string(),
  fix: z.string().optional(),
});
export const DoctorSchema = z.strictObject({ checks: z.array(DoctorCheckSchema) });
export type DoctorCheck = z.infer<typeof DoctorCheckSchema>;
