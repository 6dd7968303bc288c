import * as z from "zod";
import { collectShapes, type SchemaNode } from "./json.ts";
import { suggestName } from "./similar.ts";
import { shortenText } from "./format.ts";

/** As many as anyone reads: a client may send half a million keys, and each is compared with the known ones. */
export const mostExplained = 20;

type Explained = { path: PropertyKey[]; message: string };

export function explainIssues(schema: z.ZodType, error: z.ZodError): Explained[] {
  return error.issues.slice(0, mostExplained).flatMap((issue) => explain(schema, issue, []));
}

export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) => (typeof part === "number" ? `[${part}]` : `${i > 0 ? "." : ""}${shortenText(String(part))}`))
    .join("");
}

function explain(schema: z.ZodType, issue: z.core.$ZodIssue, before: PropertyKey[]): Explained[] {
  const path = [...before, ...issue.path];
  const say = (message: string): Explained[] => [{ path, message }];
  if (issue.code === "unrecognized_keys") {
    const free = listKeysAt(schema, path).filter((one) => !issue.keys.includes(one));
    return issue.keys.slice(0, mostExplained).map((key) => ({
      path: [...path, key],
      message: `unknown key "${shortenText(key)}"${suggestName(key, free)}`,
    }));
  }
  if (issue.code === "invalid_value" && typeof issue.input === "string")
    return say(
      `"${shortenText(issue.input)}" is not a valid choice${suggestName(issue.input, issue.values.map(String))}`,
    );
  if (issue.code === "invalid_type" && issue.input === undefined && path.length > 0)
    return say(`missing; expected ${nameType(issue.expected)}`);
  if (issue.code === "invalid_type") return say(`expected ${nameType(issue.expected)}, not ${nameInput(issue.input)}`);
  if (issue.code === "invalid_union" && issue.errors.length > 0) return explainClosestBranch(schema, issue, path);
  if (issue.code === "too_small" || issue.code === "too_big") return say(explainSize(issue));
  return say(lowerFirst(issue.message));
}

const types: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function nameType(type: string): string {
  return types[type] ?? type;
}

function nameInput(input: unknown): string {
  if (input === null || input === undefined) return "nothing";
  if (typeof input === "object") return Array.isArray(input) ? "a list" : "an object";
  return shortenText(JSON.stringify(input));
}

const units: Record<string, string> = { array: " entries", string: " characters", set: " entries", map: " entries" };

function explainSize(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  if (!/^Too (small|big): expected/.test(issue.message)) return lowerFirst(issue.message);
  const [bound, word] = issue.code === "too_small" ? [issue.minimum, "at least"] : [issue.maximum, "at most"];
  const strictly = issue.code === "too_small" ? "more than" : "less than";
  const unit = units[issue.origin] ?? "";
  const count = String(bound) === "1" ? unit.replace("entries", "entry").replace("characters", "character") : unit;
  return `needs ${issue.inclusive === false ? strictly : word} ${String(bound)}${count}`;
}

/** Of a union, the branch that matched furthest was probably meant. */
function explainClosestBranch(
  schema: z.ZodType,
  issue: z.core.$ZodIssueInvalidUnion,
  path: PropertyKey[],
): Explained[] {
  const depth = (issues: z.core.$ZodIssue[]): number =>
    issues.reduce((most, one) => Math.max(most, one.path.length + (one.code === "invalid_type" ? 0 : 0.5)), 0);
  const branch = issue.errors.reduce((best, one) => (depth(one) > depth(best) ? one : best));
  return depth(branch) === 0 && issue.errors.length > 1
    ? [{ path, message: explainNoBranch(issue) }]
    : branch.slice(0, mostExplained).flatMap((one) => explain(schema, one, path));
}

function explainNoBranch(issue: z.core.$ZodIssueInvalidUnion): string {
  const first = issue.errors.map(([one]) => one).filter((one) => one !== undefined);
  const expected = [...new Set(first.map((one) => (one.code === "invalid_type" ? one.expected : null)))];
  if (expected.includes(null)) return lowerFirst([...new Set(first.map((one) => one.message))].join(", or "));
  return `${issue.input === undefined ? "is missing; " : ""}expected ${expected.map((type) => nameType(String(type))).join(" or ")}`;
}

function listKeysAt(schema: z.ZodType, path: PropertyKey[]): string[] {
  const root: SchemaNode = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  let nodes: SchemaNode[] = collectShapes(root, root);
  for (const part of path)
    nodes = nodes.flatMap((node) => findChild(node, part)).flatMap((node) => collectShapes(node, root));
  return [...new Set(nodes.flatMap((node) => Object.keys((node.properties as SchemaNode | undefined) ?? {})))];
}

function findChild(node: SchemaNode, part: PropertyKey): SchemaNode[] {
  const properties = node.properties as Record<string, SchemaNode> | undefined;
  const next = typeof part === "number" ? node.items : (properties?.[String(part)] ?? node.additionalProperties);
  return next !== null && typeof next === "object" ? [next as SchemaNode] : [];
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
