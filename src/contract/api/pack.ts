import * as z from "zod";
import { addresses } from "./addresses.ts";
import { type Route } from "./route.ts";

const JsonSchemaSchema = z.record(z.string(), z.unknown());

/** A setting of a pack, by its dotted key. */
export const SettingSchema = z.strictObject({
  key: z.string(),
  about: z.string(),
  kind: z.enum(["boolean", "choice", "integer", "number", "other"]),
  choices: z.array(z.string()),
  default: z.unknown(),
});

/** A player of a cast: the roles it plays, and its price in USD per million tokens; null when that is unknown. */
export const CastPlayerSchema = z.strictObject({
  player: z.string(),
  roles: z.array(z.string()),
  price: z.strictObject({ input: z.number(), output: z.number() }).nullable(),
});
export const CastItemSchema = z.strictObject({ cast: z.string(), players: z.array(CastPlayerSchema) });
export type CastItem = z.infer<typeof CastItemSchema>;

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
  /** How a form says the names and values of the schemas. */
  /** The casts that may be used from here and fit this pack's roles. */
  casts: z.array(CastItemSchema),
});
export type PackItem = z.infer<typeof PackItemSchema>;

/** The packs, and what may be cast from here. */
export const PacksSchema = z.strictObject({
  packs: z.array(PackItemSchema),
  casts: z.array(z.string()),
  defaultCast: z.string(),
});
export type Packs = z.infer<typeof PacksSchema>;

/** What can be run here. */
export const packRoutes = {
  listPacks: {
    ...addresses.listPacks,
    summary: "The packs with their schemas, settings, roles and examples, and the casts that may be used.",
    access: "reader",
    reply: { json: PacksSchema },
  },
} as const satisfies Record<string, Route>;
