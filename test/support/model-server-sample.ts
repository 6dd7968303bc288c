import { createHash } from "node:crypto";

type Schema = { [keyword: string]: unknown };

/** A value that fits a JSON schema, the same for the same seed: what a well-behaved model might answer. */
export function sampleOf(schema: unknown, seed: string): unknown {
  const root = isSchema(schema) ? schema : {};
  return valueOf(root, seed, root, 0);
}

/** A model reads the limits that are only said in words: `(minimum 0, maximum 1)`. */
function withSaidLimits(schema: Schema): Schema {
  if (typeof schema.description !== "string") return schema;
  const said = schema.description.matchAll(/\b((?:exclusiveM|m)(?:in|ax)[A-Za-z]*) (-?[\d.]+)/g);
  return { ...Object.fromEntries([...said].map(([, keyword = "", limit]) => [keyword, Number(limit)])), ...schema };
}

function valueOf(given: Schema, seed: string, root: Schema, depth: number): unknown {
  const schema = withSaidLimits(given);
  if (typeof schema.$ref === "string") return valueOf(resolve(schema.$ref, root), seed, root, depth);
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return pick(schema.enum, seed);
  const options = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(options)) {
    const shallow = options.filter((option) => isSchema(option) && (depth < 4 || option.type === "null"));
    return valueOf(pick(shallow.length > 0 ? shallow : options, seed) as Schema, seed, root, depth + 1);
  }
  return typedValue(schema, seed, root, depth);
}

function typedValue(schema: Schema, seed: string, root: Schema, depth: number): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object" || isSchema(schema.properties)) return objectOf(schema, seed, root, depth);
  if (type === "array") return arrayOf(schema, seed, root, depth);
  if (type === "integer" || type === "number") return numberOf(schema, type, seed);
  if (type === "boolean") return hash(seed) % 2 === 0;
  if (type === "null") return null;
  return textOf(schema, seed);
}

function objectOf(schema: Schema, seed: string, root: Schema, depth: number): unknown {
  const properties = Object.entries(isSchema(schema.properties) ? schema.properties : {});
  return Object.fromEntries(
    properties.map(([name, part]) => [name, valueOf(part as Schema, `${seed}/${name}`, root, depth + 1)]),
  );
}

function arrayOf(schema: Schema, seed: string, root: Schema, depth: number): unknown[] {
  const items = isSchema(schema.items) ? schema.items : {};
  const wanted = Math.max(typeof schema.minItems === "number" ? schema.minItems : 0, depth < 4 ? 1 : 0);
  const length = Math.min(wanted, typeof schema.maxItems === "number" ? schema.maxItems : wanted);
  return Array.from({ length }, (_, index) => valueOf(items, `${seed}[${index}]`, root, depth + 1));
}

function numberOf(schema: Schema, type: string, seed: string): number {
  const low = Number(schema.minimum ?? schema.exclusiveMinimum ?? 0);
  const high = Number(schema.maximum ?? schema.exclusiveMaximum ?? low + 10);
  const value = low + (high - low) * ((hash(seed) % 99) / 100 + 0.005);
  return type === "integer" ? Math.round(value) : Number(value.toFixed(3));
}

const words = ["amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "harbor"];

function textOf(schema: Schema, seed: string): string {
  const first = hash(seed);
  let text = `${words[first % 8]} ${words[(first >>> 3) % 8]} ${(first >>> 6) % 1000}`;
  if (typeof schema.minLength === "number") text = text.padEnd(schema.minLength, " more");
  return typeof schema.maxLength === "number" ? text.slice(0, schema.maxLength) : text;
}

function resolve(reference: string, root: Schema): Schema {
  let at: unknown = root;
  for (const part of reference.replace(/^#\/?/, "").split("/")) {
    if (part !== "") at = isSchema(at) ? at[part.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
  }
  return isSchema(at) ? at : {};
}

function pick(values: unknown[], seed: string): unknown {
  return values[hash(seed) % values.length];
}

function hash(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0);
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
