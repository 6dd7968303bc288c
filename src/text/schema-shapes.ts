/** A node of a JSON schema. */
export type SchemaNode = Record<string, unknown>;

/** What a node of a JSON schema may be: itself or what it refers to, and what it is a union of. */
export function collectShapes(node: SchemaNode, root: SchemaNode): SchemaNode[] {
  const target = typeof node.$ref === "string" ? resolveReference(node.$ref, root) : node;
  const inner = ["anyOf", "oneOf", "allOf"].flatMap((name) => (target[name] as SchemaNode[] | undefined) ?? []);
  return [target, ...inner.flatMap((one) => collectShapes(one, root))];
}

/** A limit of a number; null when there is none. zod writes the bounds of a safe integer where there is no other limit. */
export function readLimit(value: unknown): number | null {
  return typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : null;
}

function resolveReference(reference: string, root: SchemaNode): SchemaNode {
  const parts = reference.replace(/^#\/?/, "").split("/").filter(Boolean);
  return parts.reduce((node, part) => (node[part] as SchemaNode | undefined) ?? {}, root);
}
