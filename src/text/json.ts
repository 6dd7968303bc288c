export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

export function jsonCopy(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

export type Difference = { path: string; before?: unknown; after?: unknown };

/** Every difference between two JSON values, in the order of the first; lists are compared item by item. */
export function diffJson(before: unknown, after: unknown, path = ""): Difference[] {
  if (before === after || Object.is(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => diffJson(before[index], after[index], `${path}[${index}]`)).flat();
  }
  if (isRecord(before) && isRecord(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) => diffJson(before[key], after[key], path === "" ? key : `${path}.${key}`));
  }
  return [{ path, before, after }];
}

export function formatDifference({ path, before, after }: Difference): string {
  return `${path || "(the value)"}: ${short(before)} → ${short(after)}`;
}

function short(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "number" ? Number(inner.toPrecision(6)) : inner,
  );
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}

export type SchemaNode = Record<string, unknown>;

/** The alternatives of a schema node: itself, its reference, its union members. */
export function collectShapes(node: SchemaNode, root: SchemaNode): SchemaNode[] {
  const target = typeof node.$ref === "string" ? resolveReference(node.$ref, root) : node;
  const inner = ["anyOf", "oneOf", "allOf"].flatMap((name) => (target[name] as SchemaNode[] | undefined) ?? []);
  return [target, ...inner.flatMap((one) => collectShapes(one, root))];
}

function resolveReference(reference: string, root: SchemaNode): SchemaNode {
  const parts = reference.replace(/^#\/?/, "").split("/").filter(Boolean);
  return parts.reduce((node, part) => (node[part] as SchemaNode | undefined) ?? {}, root);
}
