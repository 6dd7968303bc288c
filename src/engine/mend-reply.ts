import * as z from "zod";
import { isRecord } from "../text/json.ts";
import { jsonrepair } from "jsonrepair";

/** A mended value, with each change described as `path: change`. */
export type Mended = { value: unknown; mends: string[] };

type Schema = Record<string, unknown>;
type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

const shapes = new WeakMap<Schema, z.ZodType>();

/**
 * Mends a reply that does not fit its JSON schema, where only one meaning is possible: unknown keys, missing or null
 * lists, missing nullables, numbers and booleans as text, case and spacing of enums, a wrapper around the whole.
 * Ambiguous and valid parts are left alone.
 */
export function mendReply(schema: Schema, given: unknown): Mended {
  const shape = shapes.get(schema) ?? z.fromJSONSchema(schema);
  shapes.set(schema, shape);
  const unwrapped = unwrap(schema, given);
  const { value, mends } = mendIssues(unwrapped.value, shape.safeParse(unwrapped.value).error?.issues ?? [], []);
  return { value, mends: [...unwrapped.mends, ...mends] };
}

/** Unwraps a list of one, or a single key that the schema does not have. */
function unwrap({ properties }: Schema, value: unknown): Mended {
  if (!isRecord(properties)) return { value, mends: [] };
  if (Array.isArray(value) && value.length === 1 && isRecord(value[0]))
    return { value: value[0], mends: ["a list of one that wrapped the reply was removed"] };
  const [[key, inner] = [], ...others] = isRecord(value) ? Object.entries(value) : [];
  if (key === undefined || others.length > 0 || Object.hasOwn(properties, key) || !isRecord(inner))
    return { value, mends: [] };
  return { value: inner, mends: [`the key "${key}" that wrapped the reply was removed`] };
}

/** Mends a value by its issues; `isWhole` is true when none are left. `at` is the path of the value. */
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
    // An unknown key next to a missing one may be a misspelling of it; that is ambiguous.
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

/** The only possible meaning of a wrong value; null if there are several. */
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

/** Chooses the one shape the value can be mended to. With a single shape or null, mends that shape as far as possible. */
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

export type FoundJson = { value: unknown; source: string };

/** Every JSON value in a text: the text itself, or the objects and arrays in it. The work is bounded by the length of the text. */
export function findJson(text: string): FoundJson[] {
  // `trim` also removes a byte order mark.
  const trimmed = text.trim();
  const isTooDeep = trimmed.length > mostDepth && /^[{[]/.test(trimmed) && findMatchingEnd(trimmed, 0) < 0;
  const whole = isTooDeep ? undefined : parse(trimmed);
  if (whole !== undefined) return [{ value: whole, source: trimmed }];
  const found: FoundJson[] = [];
  let work = 64 * trimmed.length + 1_000_000;
  for (let at = findNextOpening(trimmed, 0); at >= 0 && work > 0 && found.length < maxCandidates; ) {
    const end = findMatchingEnd(trimmed, at);
    work -= (end < 0 ? trimmed.length : end) - at;
    const source = trimmed.slice(at, Math.max(at, end));
    const value = parse(source);
    if (value !== undefined) found.push({ value, source });
    at = findNextOpening(trimmed, value === undefined ? at + 1 : end);
  }
  return found;
}

const maxCandidates = 16;

/** The parser's complaint about the first JSON value in a text; null if there is none or it is valid. */
export function findJsonFault(text: string): string | null {
  const start = findNextOpening(text, 0);
  if (start < 0) return null;
  const end = findMatchingEnd(text, start);
  const given = end < 0 ? text.slice(start).trim() : text.slice(start, end);
  try {
    JSON.parse(given);
    return null;
  } catch (error) {
    const { message } = error as SyntaxError;
    return /\d/.test(message) ? message : `${message} after ${given.length} characters: …${given.slice(-40)}`;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function findNextOpening(text: string, from: number): number {
  const rest = text.slice(from).search(/[{[]/);
  return rest < 0 ? -1 : from + rest;
}

/** Deeper values overflow the stack of whatever walks them. */
const mostDepth = 10_000;

/** The index of the closing bracket, skipping strings; -1 if there is none, or the brackets are nested too deep. */
function findMatchingEnd(text: string, start: number): number {
  let depth = 0;
  const marks = /"(?:[^"\\]|\\[^])*(?:"|$)|[{}[\]]/g;
  marks.lastIndex = start;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    const [found = ""] = mark;
    if (found.startsWith('"')) continue;
    depth += found === "{" || found === "[" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
    if (depth > mostDepth) return -1;
  }
  return -1;
}

/** The JSON values of a reply, ignoring thoughts written before them. */
export function findReplyJson(text: string): FoundJson[] {
  const all = findJson(text);
  if (all.length === 0 || all[0]?.source === text.trim()) return all;
  const said = findJson(dropThoughts(text));
  return said.length > 0 ? said : all;
}

const closing = /<\/(?:think|thinking|thought|reasoning|reflection)>/gi;

/** Removes everything up to the last thought; some chat templates leave out the opening tag. */
export function dropThoughts(text: string): string {
  const last = [...text.matchAll(closing)].at(-1);
  return last ? text.slice(last.index + last[0].length) : text;
}

/** Replaces a reply shaped like a tool call (`{"name": …, "arguments": …}`) with its arguments, if only those fit. */
export function unwrapToolCalls(found: FoundJson[], fits: (value: unknown) => boolean): FoundJson[] {
  return found.map((one) => (fits(one.value) ? one : (argumentsOf(one.value).find(({ value }) => fits(value)) ?? one)));
}

const holders = ["arguments", "parameters", "input"] as const;

function argumentsOf(value: unknown): FoundJson[] {
  const call: unknown = isRecord(value) && isRecord(value.function) ? value.function : value;
  if (!isRecord(call) || typeof call.name !== "string") return [];
  return holders.flatMap((holder) => {
    const given = call[holder];
    if (typeof given === "string") return findJson(given).slice(0, 1);
    return isRecord(given) ? [{ value: given, source: JSON.stringify(given) }] : [];
  });
}

/** Finds a key that occurs twice in one object: the text has it more often than the parsed value. */
export function findRepeatedKey(json: string, value: unknown): string | null {
  if (JSON.stringify(value) === json) return null;
  const counts = new Map<string, number>();
  for (const [, string = "", colon] of json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?/g)) {
    const key = colon === undefined ? null : (JSON.parse(string) as string);
    if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const open = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== "object" || one === null) continue;
    for (const [key, inner] of Object.entries(one)) {
      if (!Array.isArray(one)) counts.set(key, (counts.get(key) ?? 0) - 1);
      open.push(inner);
    }
  }
  return [...counts].find(([, left]) => left > 0)?.[0] ?? null;
}

/**
 * Turns JSON as people and models write it (trailing commas, single quotes, comments, raw line breaks) into JSON;
 * null unless the result is one whole object or list with nothing lost.
 */
export function repairJson(text: string): FoundJson | null {
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1;
  if (start < 0 || end <= start || text.length > longestRepair) return null;
  const given = text.slice(start, end);
  if (/(?:^|[[{,\s])(?:\.{3}|…)\s*(?:[,\]}]|$)/m.test(given)) return null;
  try {
    const source = jsonrepair(given);
    // Do not complete a cut-off reply, and do not make two objects into one list.
    return bracketsOf(source) === bracketsOf(given) ? { value: JSON.parse(source) as unknown, source } : null;
  } catch {
    return null;
  }
}

const longestRepair = 200_000;

function bracketsOf(text: string): string {
  return text.replaceAll(/[^{}[\]]+/g, "");
}
