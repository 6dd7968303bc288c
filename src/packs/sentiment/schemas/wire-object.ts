import * as z from "zod";

/**
 * An object of the wire whose nullable keys may be missing (read as null) and whose unknown keys are ignored.
 * `aliases` maps another name of a key to its name. The JSON schema stays strict: every key required, none additional.
 */
export function wireObject<S extends z.ZodRawShape>(shape: S, aliases: Record<string, keyof S & string> = {}) {
  const nullable = Object.keys(shape).filter((key) => (shape[key] as z.ZodType).safeParse(null).success);
  const pick = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const given = value as Record<string, unknown>;
    const picked: Record<string, unknown> = Object.fromEntries(nullable.map((key) => [key, null]));
    for (const [alias, key] of Object.entries(aliases)) if (given[alias] !== undefined) picked[key] = given[alias];
    for (const key of Object.keys(shape)) {
      if (given[key] !== undefined && !(given[key] === null && picked[key] != null)) picked[key] = given[key];
    }
    return picked;
  };
  return z.preprocess(pick, z.strictObject(shape));
}

/** A word of a closed list as a player is asked for it; a reply outside the list is a problem of its role, not of the schema. */
export function wordOf(words: readonly string[]) {
  return z.string().meta({ enum: [...words] });
}
