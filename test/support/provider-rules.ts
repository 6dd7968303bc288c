type Schema = { [keyword: string]: unknown };

/** What a provider says of a schema that its structured output does not take; null when it takes it. */
export type SchemaRule = (schema: unknown, name?: string) => string | null;

/** A place in a schema: the node, and the keywords and names that lead to it. */
type Place = { node: Schema; path: string[]; depth: number };

/**
 * OpenAI's strict mode: the root is an object, every object is closed and lists every key in `required`, at most 10 levels,
 * 5,000 properties, 1,000 enum values (15,000 characters in an enum of more than 250), 120,000 characters of names and values.
 * Range and length keywords are refused too: fine-tuned models take none.
 */
export const checkOpenAiSchema: SchemaRule = (schema, name = "reply") => {
  const say = (path: string[], what: string): string =>
    `Invalid schema for response_format '${name}': In context=(${path.map((part) => `'${part}'`).join(", ")}${path.length === 1 ? "," : ""}), ${what}`;
  const places = listPlaces(schema);
  const root = places[0]?.node ?? {};
  if (root.type !== "object" || root.anyOf !== undefined)
    return `Invalid schema for response_format '${name}': schema must be a JSON Schema of 'type: "object"', got 'type: "${typesOf(root)[0] ?? "None"}"'.`;
  for (const { node, path } of places) {
    const unknown = Object.keys(node).find((keyword) => !openAiKeywords.has(keyword));
    if (unknown !== undefined) return say(path, `'${unknown}' is not permitted.`);
    if (node.type === undefined && node.anyOf === undefined && node.$ref === undefined && node.enum === undefined)
      if (node.const === undefined) return say(path, "schema must have a 'type' key.");
    const object = checkClosedObject(node);
    if (object !== null) return say(path, object);
  }
  return checkOpenAiSize(places, name);
};

const openAiKeywords = new Set(
  "type properties required additionalProperties items anyOf enum const $ref $defs description title".split(" "),
);

function checkClosedObject(node: Schema): string | null {
  if (!typesOf(node).includes("object")) return null;
  if (node.additionalProperties !== false) return "'additionalProperties' is required to be supplied and to be false.";
  const required = Array.isArray(node.required) ? node.required : [];
  const missing = Object.keys(recordOf(node.properties)).find((key) => !required.includes(key));
  return missing === undefined
    ? null
    : `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
}

function checkOpenAiSize(places: Place[], name: string): string | null {
  const opening = `Invalid schema for response_format '${name}':`;
  const depth = Math.max(...places.map((place) => place.depth));
  if (depth > 10) return `${opening} ${depth} levels of nesting exceeds limit of 10.`;
  const keys = places.flatMap(({ node }) => Object.keys(recordOf(node.properties)));
  if (keys.length > 5000) return `${opening} ${keys.length} object properties exceeds limit of 5000.`;
  const enums = places.flatMap(({ node }) => (Array.isArray(node.enum) ? [node.enum.map(String)] : []));
  const values = enums.flat();
  if (values.length > 1000) return `${opening} ${values.length} enum values exceeds limit of 1000.`;
  if (enums.some((one) => one.length > 250 && one.join("").length > 15_000))
    return `${opening} the total string length of an enum exceeds limit of 15000.`;
  const characters = [...keys, ...values].join("").length;
  return characters > 120_000 ? `${opening} the total string length ${characters} exceeds limit of 120000.` : null;
}

/**
 * Anthropic's structured outputs: closed objects, no recursion, no ranges or lengths, `minItems` of 0 or 1 alone, enums of plain
 * values, at most 24 optional keys and 16 keys of a union type.
 */
export const checkAnthropicSchema: SchemaRule = (schema) => {
  const say = (what: string): string => `output_config.format.schema: ${what}`;
  const places = listPlaces(schema);
  for (const { node } of places) {
    const type = typesOf(node)[0] ?? "any";
    if (type === "object" && node.additionalProperties !== false)
      return say("For 'object' type, 'additionalProperties' must be explicitly set to false");
    const unsupported = Object.keys(node).filter((keyword) => !anthropicKeywords.has(keyword));
    const many = typeof node.minItems === "number" && node.minItems > 1 ? ["minItems"] : [];
    const wrong = [...unsupported, ...many].sort();
    if (wrong.length > 0)
      return say(
        `For '${type}' type, ${wrong.length === 1 ? "property" : "properties"} ${wrong.join(", ")} ${wrong.length === 1 ? "is" : "are"} not supported`,
      );
    if (Array.isArray(node.enum) && node.enum.some((value) => typeof value === "object" && value !== null))
      return say("Enum values must be strings, numbers, booleans or null");
  }
  const keys = places.flatMap(({ node }) => listKeys(node));
  const optional = keys.filter(({ required }) => !required).length;
  if (optional > 24) return say(`Schemas contains too many optional parameters (${optional}), limit is 24`);
  const unions = keys.filter(({ part }) => Array.isArray(part.anyOf) || Array.isArray(part.type)).length;
  if (unions > 16) return say(`Schemas contains too many parameters with union types (${unions}), limit is 16`);
  return isRecursive(schema) ? say("Circular $ref is not supported") : null;
};

const anthropicKeywords = new Set([
  ...openAiKeywords,
  ..."$schema $id definitions allOf default format minItems".split(" "),
]);

/** Google's `responseJsonSchema`: the keywords it documents, enums of strings and numbers, nothing beside a `$ref`, bounded depth. */
export const checkGoogleSchema: SchemaRule = (schema) => {
  const say = (path: string[], what: string): string =>
    `Invalid JSON payload received. ${what} at 'generation_config.response_json_schema${path.map((part) => `.${part}`).join("")}'`;
  const places = listPlaces(schema);
  for (const { node, path } of places) {
    const unknown = Object.keys(node).find((keyword) => !googleKeywords.has(keyword));
    if (unknown !== undefined) return say(path, `Unknown name "${unknown}"`);
    if (node.$ref !== undefined && Object.keys(node).some((keyword) => !keyword.startsWith("$")))
      return say(path, "A reference stands alone");
    if (Array.isArray(node.enum) && node.enum.some((value) => !["string", "number"].includes(typeof value)))
      return say(path, "Enum values are strings or numbers");
    const lost = Array.isArray(node.required) ? node.required.find((key) => !(key in recordOf(node.properties))) : null;
    if (typeof lost === "string") return say(path, `required: property "${lost}" is not defined`);
  }
  return places.some(({ depth }) => depth > 32) ? "The schema exceeds the maximum allowed nesting depth." : null;
};

const googleKeywords = new Set(
  (
    "$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum " +
    "anyOf oneOf properties additionalProperties required propertyOrdering"
  ).split(" "),
);

function listKeys(node: Schema): { part: Schema; required: boolean }[] {
  const required = Array.isArray(node.required) ? node.required : [];
  return Object.entries(recordOf(node.properties)).map(([key, part]) => ({
    part: recordOf(part),
    required: required.includes(key),
  }));
}

function listPlaces(schema: unknown, path: string[] = [], depth = 1): Place[] {
  const node = recordOf(schema);
  const inside = (part: unknown, ...names: string[]): Place[] =>
    listPlaces(part, [...path, ...names], depth + (names[0] === "anyOf" || names[0] === "$defs" ? 0 : 1));
  return [
    { node, path, depth },
    ...Object.entries(recordOf(node.properties)).flatMap(([name, part]) => inside(part, "properties", name)),
    ...(node.items === undefined ? [] : inside(node.items, "items")),
    ...["anyOf", "oneOf", "allOf"].flatMap((keyword) =>
      (Array.isArray(node[keyword]) ? node[keyword] : []).flatMap((part, at) => inside(part, keyword, String(at))),
    ),
    ...Object.entries(recordOf(node.$defs)).flatMap(([name, part]) => inside(part, "$defs", name)),
  ];
}

/** True when a definition refers to itself, directly or by way of others. */
function isRecursive(schema: unknown): boolean {
  const definitions = recordOf(recordOf(schema).$defs);
  const refers = (name: string, seen: Set<string>): boolean =>
    [...JSON.stringify(definitions[name] ?? {}).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].some(
      ([, next = ""]) => seen.has(next) || refers(next, new Set([...seen, next])),
    );
  return Object.keys(definitions).some((name) => refers(name, new Set([name])));
}

function typesOf(node: Schema): string[] {
  return [node.type].flat().filter((type) => typeof type === "string");
}

function recordOf(value: unknown): Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}
