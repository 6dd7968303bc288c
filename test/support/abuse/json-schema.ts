/** A node of a JSON schema, as far as Parley's own schemas use them. */
export type SchemaNode = {
  [key: string]: unknown;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  additionalProperties?: SchemaNode | boolean;
  propertyNames?: SchemaNode;
  items?: SchemaNode;
  anyOf?: SchemaNode[];
  oneOf?: SchemaNode[];
  allOf?: SchemaNode[];
  $ref?: string;
};

/** The node that a reference points to. */
export function resolved(node: SchemaNode, root: SchemaNode): SchemaNode {
  if (node.$ref === undefined) return node;
  const parts = node.$ref.replace(/^#\/?/, "").split("/");
  return parts.filter((part) => part !== "").reduce((at, part) => at[part] as SchemaNode, root);
}

/** Where a value breaks a JSON schema: a second reading of the documented ranges, apart from the code that parses. */
export function breaches(value: unknown, given: SchemaNode, root: SchemaNode, path = "$"): string[] {
  const node = resolved(given, root);
  const branches = node.anyOf ?? node.oneOf;
  if (branches) {
    const all = branches.map((branch) => breaches(value, branch, root, path));
    return all.some((found) => found.length === 0) ? [] : (all[0] ?? []);
  }
  const own = [
    ...(node.enum && !node.enum.includes(value) ? [`${path}: not in enum`] : []),
    ...("const" in node && node.const !== value ? [`${path}: not the constant`] : []),
  ];
  if (own.length > 0) return own;
  const check = node.type === undefined ? null : checks[node.type];
  return [
    ...(check?.(value, node, root, path) ?? []),
    ...(node.allOf ?? []).flatMap((one) => breaches(value, one, root, path)),
  ];
}

type Check = (value: unknown, node: SchemaNode, root: SchemaNode, path: string) => string[];

const numberCheck: Check = (value, node, _root, path) => {
  if (typeof value !== "number" || !Number.isFinite(value)) return [`${path}: no number`];
  if (node.type === "integer" && !Number.isSafeInteger(value)) return [`${path}: no integer`];
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = node as Record<string, number>;
  return value < minimum || value > maximum || value <= exclusiveMinimum ? [`${path}: out of range`] : [];
};

const checks: Record<string, Check> = {
  integer: numberCheck,
  number: numberCheck,
  boolean: (value, _node, _root, path) => (typeof value === "boolean" ? [] : [`${path}: no boolean`]),
  null: (value, _node, _root, path) => (value === null ? [] : [`${path}: not null`]),
  string: (value, node, _root, path) => {
    if (typeof value !== "string") return [`${path}: no string`];
    if (value.length < Number(node.minLength ?? 0)) return [`${path}: too short`];
    return typeof node.pattern === "string" && !new RegExp(node.pattern).test(value)
      ? [`${path}: not the pattern`]
      : [];
  },
  array: (value, node, root, path) => {
    if (!Array.isArray(value)) return [`${path}: no array`];
    const size = value.length < Number(node.minItems ?? 0) ? [`${path}: too few`] : [];
    return [
      ...size,
      ...value.flatMap((item, i) => (node.items ? breaches(item, node.items, root, `${path}[${i}]`) : [])),
    ];
  },
  object: (value, node, root, path) => {
    if (value === null || typeof value !== "object" || Array.isArray(value)) return [`${path}: no object`];
    const missing = (node.required ?? [])
      .filter((key) => !Object.hasOwn(value, key))
      .map((key) => `${path}: no ${key}`);
    return [
      ...missing,
      ...Object.entries(value).flatMap(([key, inner]) => entryBreaches(key, inner, { node, root, path })),
    ];
  },
};

type Around = { node: SchemaNode; root: SchemaNode; path: string };

function entryBreaches(key: string, value: unknown, { node, root, path }: Around): string[] {
  const at = `${path}.${key}`;
  const properties = node.properties ?? {};
  if (Object.hasOwn(properties, key)) return breaches(value, properties[key] as SchemaNode, root, at);
  const other = node.additionalProperties;
  if (other === false) return [`${at}: unknown`];
  const named = node.propertyNames ? breaches(key, node.propertyNames, root, `${at} (its name)`) : [];
  return other === undefined || other === true ? named : [...named, ...breaches(value, other, root, at)];
}
