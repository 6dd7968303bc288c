import * as z from "zod";
import { isRecord } from "../../../text/json.ts";

/**
 * An object whose nullable keys may be missing (read as null) and whose unknown keys are ignored. `aliases` maps
 * other names to keys. The JSON schema stays strict: every key required, none additional.
 */
export function wireObject<S extends z.ZodRawShape>(shape: S, aliases: Record<string, keyof S & string> = {}) {
  const nullable = Object.keys(shape).filter((key) => (shape[key] as z.ZodType).safeParse(null).success);
  const keys = Object.keys(shape);
  const others = Object.entries(aliases);
  const pick = (value: unknown): unknown => {
    if (!isRecord(value)) return value;
    const picked: Record<string, unknown> = {};
    for (const key of nullable) picked[key] = null;
    for (const [alias, key] of others) if (value[alias] !== undefined) picked[key] = value[alias];
    for (const key of keys) {
      if (value[key] !== undefined && !(value[key] === null && picked[key] != null)) picked[key] = value[key];
    }
    return picked;
  };
  return z.preprocess(pick, z.strictObject(shape));
}

export function wordOf(words: readonly string[]) {
  const fold = (text: string): string =>
    text
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_-]+/g, "_");
  const known = new Map(words.map((word) => [fold(word), word]));
  return z
    .string()
    .overwrite((text) => known.get(fold(text)) ?? text)
    .meta({ enum: [...words] });
}
