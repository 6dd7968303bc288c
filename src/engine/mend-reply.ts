import * as z from "zod";
import { isRecord } from "../text/json.ts";

/** A value that was mended, and what was done to it: `path: what`, for people. */
export type Mended = { value: unknown; mends: string[] };

type Schema = Record<string, unknown>;
type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

const shapes = new WeakMap<Schema, z.ZodType>();

/**
 * Mends what has one meaning only in a reply that does not fit its JSON schema: unknown keys, missing or null lists, missing
 * nullables, numbers and booleans as text, the case and spacing of enums, and a wrapper around the whole. What has two
 * meanings is left as it is, and so is everything that the schema finds nothing wrong with.
 */
export function mendReply(schema: Schema, given: unknown): Mended {
  const shape = shapes.get(schema) ?? z.fromJSONSchema(schema);
  shapes.set(schema, shape);
  const unwrapped = unwrap(schema, given);
  const { value, mends } = mendIssues(unwrapped.value, shape.safeParse(unwrapped.value).error?.issues ?? [], []);
  return { value, mends: [...unwrapped.mends, ...mends] };
}

/** The reply inside a list of one, or under a single key that the schema does not have. */
function unwrap({ properties }: Schema, value: unknown): Mended {
  if (!isRecord(properties)) return { value, mends: [] };
  if (Array.isArray(value) && value.length === 1 && isRecord(value[0]))
    return { value: value[0], mends: ["a list of one around the reply was taken off"] };
  const [[key, inner] = [], ...others] = isRecord(value) ? Object.entries(value) : [];
  if (key === undefined || others.length > 0 || Object.hasOwn(properties, key) || !isRecord(inner))
    return { value, mends: [] };
  return { value: inner, mends: [`the key "${key}" around the reply was taken off`] };
}

/** Mends a value by what was found wrong with it; `isWhole` says that nothing is left. `at` is where the value stands. */
function mendIssues(given: unknown, issues: readonly Issue[], at: Path): Mended & { isWhole: boolean } {
  if (issues.length === 0) return { value: given, mends: [], isWhole: true };
  const mended = { value: structuredClone(given) };
  const mends: string[] = [];
  const missing = new Set(
    issues.filter(({ path }) => valueAt(given, path) === undefined).map(({ path }) => nameOf(path.slice(0, -1))),
  );
  let isWhole = true;
  for (const issue of issues) {
    const { path } = issue;
    const value = valueAt(given, path);
    // An unknown key beside a missing one may be meant for it: that is not for us to say.
    const isUnclear =
      issue.code === "unrecognized_keys"
        ? missing.has(nameOf(path))
        : value === undefined && issues.some((one) => isUnknownKeyOf(one, path.slice(0, -1)));
    const mend = isUnclear ? null : findMend(value, issue, [...at, ...path]);
    if (mend === null) isWhole = false;
    else {
      mends.push(...mend.mends);
      isWhole &&= mend.isWhole;
      const owner = path.length === 0 ? mended : valueAt(mended.value, path.slice(0, -1));
      (owner as Record<PropertyKey, unknown>)[path.at(-1) ?? "value"] =
        issue.code === "unrecognized_keys" ? withoutKeys(valueAt(mended.value, path), issue.keys) : mend.value;
    }
  }
  return { value: mended.value, mends, isWhole };
}

function isUnknownKeyOf({ code, path }: Issue, owner: Path): boolean {
  return code === "unrecognized_keys" && nameOf(path) === nameOf(owner);
}

function nameOf(path: Path): string {
  return path.map(String).join("\n");
}

function withoutKeys(value: unknown, keys: readonly string[]): unknown {
  return Object.fromEntries(Object.entries(value as object).filter(([key]) => !keys.includes(key)));
}

/** What a value that is wrong in this way can only mean; null when that cannot be told. */
function findMend(value: unknown, issue: Issue, at: Path): (Mended & { isWhole: boolean }) | null {
  const mend = (to: unknown, what: string) => ({ value: to, mends: [`${at.join(".")}: ${what}`], isWhole: true });
  if (issue.code === "unrecognized_keys")
    return {
      value,
      isWhole: true,
      mends: issue.keys.map((key) => `${[...at, key].join(".")}: an unknown key was dropped`),
    };
  if (issue.code === "invalid_union") return mendBranch(value, issue.errors, at);
  const said = typeof value === "string" ? value.trim() : "";
  if (issue.code === "invalid_value") {
    const meant = issue.values.filter((one) => fold(String(one)) === fold(said) && said !== "");
    return meant.length === 1 ? mend(meant[0], `"${String(value)}" was read as "${String(meant[0])}"`) : null;
  }
  if (issue.code !== "invalid_type") return null;
  if (issue.expected === "null" && value === undefined) return mend(null, "missing, taken as null");
  if (issue.expected === "array" && (value === undefined || value === null))
    return mend([], `${value === null ? "null" : "missing"}, taken as an empty list`);
  if (/^(?:number|int)$/.test(issue.expected) && /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(said))
    return mend(Number(said), "a number was given as text");
  if (issue.expected === "boolean" && /^(?:true|false)$/i.test(said))
    return mend(said.toLowerCase() === "true", "true or false was given as text");
  return null;
}

/** Of several shapes the one that a value can be mended to, if there is one; of a single shape or null, the shape as far as it goes. */
function mendBranch(value: unknown, branches: readonly (readonly Issue[])[], at: Path) {
  const isNull = (branch: readonly Issue[]): boolean =>
    branch.some(
      ({ code, path, ...rest }) =>
        code === "invalid_type" && path.length === 0 && "expected" in rest && rest.expected === "null",
    );
  const empty = value === undefined ? branches.filter(isNull) : [];
  const tries = (empty.length > 0 ? empty : branches).map((branch) => mendIssues(value, branch, at));
  const whole = tries.filter((one) => one.isWhole);
  if (whole.length === 1) return whole[0] ?? null;
  const [only, second] = branches.filter((branch) => !isNull(branch));
  return only === undefined || second !== undefined || value === null ? null : mendIssues(value, only, at);
}

function fold(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "_");
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}
