import { jsonrepair } from "jsonrepair";
import { isRecord } from "../text/json.ts";

/** A value that was mended, and what was done to it: `path: what`, for people. */
export type Mended = { value: unknown; mends: string[] };

type Schema = Record<string, unknown>;
type Path = readonly (string | number)[];

/**
 * Mends what has one meaning only in a reply that does not fit its JSON schema: unknown keys, missing or null lists, missing
 * nullables, numbers and booleans as text, the case and spacing of enums, and a wrapper around the whole. What has two meanings is left as it is.
 */
export function mendReply(schema: Schema, value: unknown): Mended {
  const mender = new Mender(schema);
  const unwrapped = mender.unwrap(value);
  return { value: mender.mend(schema, unwrapped, []), mends: mender.mends };
}

class Mender {
  readonly mends: string[] = [];
  private readonly root: Schema;

  constructor(root: Schema) {
    this.root = root;
  }

  /** The reply inside a list of one, or under a single key that the schema does not have. */
  unwrap(value: unknown): unknown {
    const { type, properties } = this.resolve(this.root);
    if (type !== "object" || !isRecord(properties)) return value;
    if (Array.isArray(value) && value.length === 1 && isRecord(value[0])) {
      this.mends.push("a list of one around the reply was taken off");
      return value[0];
    }
    const [[key, inner] = [], ...others] = isRecord(value) ? Object.entries(value) : [];
    if (key === undefined || others.length > 0 || Object.hasOwn(properties, key) || !isRecord(inner)) return value;
    this.mends.push(`the key "${key}" around the reply was taken off`);
    return inner;
  }

  mend(schema: Schema, value: unknown, path: Path): unknown {
    const node = this.resolve(schema);
    const branches = (node.anyOf ?? node.oneOf) as Schema[] | undefined;
    if (Array.isArray(branches)) return this.mendBranch(branches, value, path);
    const allowed = node.const === undefined ? node.enum : [node.const];
    if (Array.isArray(allowed)) return this.mendEnum(allowed, value, path);
    if (node.type === "object") return isRecord(value) ? this.mendObject(node, value, path) : value;
    if (node.type === "array") return this.mendList(node, value, path);
    if (node.type === "number" || node.type === "integer") return this.mendNumber(value, path);
    if (node.type === "boolean") return this.mendBoolean(value, path);
    return value;
  }

  private mendObject(node: Schema, value: Record<string, unknown>, path: Path): unknown {
    const properties = (node.properties ?? {}) as Record<string, Schema>;
    const isWhole = Object.keys(properties).every((key) => value[key] !== undefined);
    // An unknown key beside a missing one may be meant for it: that is not for us to say.
    if (!isWhole && Object.keys(value).some((key) => !Object.hasOwn(properties, key))) return value;
    const mended: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) {
      const part = Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (part) mended[key] = inner === undefined ? inner : this.mend(part, inner, [...path, key]);
      else if (node.additionalProperties === false) this.note([...path, key], "an unknown key was dropped");
      else if (isRecord(node.additionalProperties))
        mended[key] = this.mend(node.additionalProperties, inner, [...path, key]);
      else mended[key] = inner;
    }
    for (const [key, part] of Object.entries(properties)) {
      if (mended[key] !== undefined) continue;
      if (this.takesNull(part)) {
        this.note([...path, key], "missing, taken as null");
        mended[key] = null;
      } else if (this.resolve(part).type === "array") {
        this.note([...path, key], "missing, taken as an empty list");
        mended[key] = [];
      }
    }
    return mended;
  }

  private mendList(node: Schema, value: unknown, path: Path): unknown {
    if (value === null) {
      this.note(path, "null, taken as an empty list");
      return [];
    }
    const { items } = node;
    if (!Array.isArray(value) || !isRecord(items)) return value;
    return value.map((item, index) => this.mend(items, item, [...path, index]));
  }

  private mendNumber(value: unknown, path: Path): unknown {
    if (typeof value !== "string" || !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(value.trim())) return value;
    this.note(path, "a number was given as text");
    return Number(value);
  }

  private mendBoolean(value: unknown, path: Path): unknown {
    const said = typeof value === "string" ? value.trim().toLowerCase() : "";
    if (said !== "true" && said !== "false") return value;
    this.note(path, "true or false was given as text");
    return said === "true";
  }

  private mendEnum(allowed: unknown[], value: unknown, path: Path): unknown {
    if (allowed.includes(value)) return value;
    const meant = allowed.filter((one) => typeof one === "string" && typeof value === "string" && isSame(one, value));
    if (meant.length === 1) {
      this.note(path, `"${String(value)}" was read as "${String(meant[0])}"`);
      return meant[0];
    }
    return allowed.every((one) => typeof one === "number") ? this.mendNumber(value, path) : value;
  }

  /** Of several shapes the one that fits, as it is or mended; none when that could be two. */
  private mendBranch(branches: Schema[], value: unknown, path: Path): unknown {
    if (branches.some((branch) => this.fits(branch, value))) return value;
    const tries = branches.flatMap((branch) => {
      const own = new Mender(this.root);
      const mended = own.mend(branch, value, path);
      return this.fits(branch, mended) ? [{ mended, mends: own.mends }] : [];
    });
    const [only, second] = tries;
    if (only === undefined || second !== undefined) return this.mendOnly(branches, value, path);
    this.mends.push(...only.mends);
    return only.mended;
  }

  /** A single shape or null: the shape is mended as far as possible, so that the remaining problems are about it. */
  private mendOnly(branches: Schema[], value: unknown, path: Path): unknown {
    const [only, second] = branches.filter((branch) => this.resolve(branch).type !== "null");
    return only === undefined || second !== undefined || value === null ? value : this.mend(only, value, path);
  }

  /** Whether a value has the shape of a schema; limits are left to whoever parses it. */
  private fits(schema: Schema, value: unknown): boolean {
    const node = this.resolve(schema);
    const branches = (node.anyOf ?? node.oneOf) as Schema[] | undefined;
    if (Array.isArray(branches)) return branches.some((branch) => this.fits(branch, value));
    if (node.const !== undefined) return node.const === value;
    if (Array.isArray(node.enum)) return node.enum.includes(value);
    if (node.type === "null") return value === null;
    if (node.type === "array")
      return (
        Array.isArray(value) && (!isRecord(node.items) || value.every((item) => this.fits(node.items as Schema, item)))
      );
    if (node.type === "object") return isRecord(value) && this.fitsObject(node, value);
    if (node.type === "integer") return Number.isInteger(value);
    return node.type === undefined || typeof value === node.type;
  }

  private fitsObject(node: Schema, value: Record<string, unknown>): boolean {
    const properties = (node.properties ?? {}) as Record<string, Schema>;
    const required = Array.isArray(node.required) ? (node.required as string[]) : [];
    if (required.some((key) => value[key] === undefined)) return false;
    return Object.entries(value).every(([key, inner]) => {
      const part = Object.hasOwn(properties, key) ? properties[key] : undefined;
      return part ? this.fits(part, inner) : node.additionalProperties !== false;
    });
  }

  private takesNull(schema: Schema): boolean {
    return this.fits(schema, null);
  }

  private resolve(schema: Schema): Schema {
    const name = typeof schema.$ref === "string" ? /^#\/\$defs\/(.+)$/.exec(schema.$ref)?.[1] : undefined;
    if (schema.$ref === "#") return this.root;
    const found = name === undefined ? undefined : (this.root.$defs as Record<string, Schema> | undefined)?.[name];
    if (found) return this.resolve(found);
    return Array.isArray(schema.type) ? { anyOf: schema.type.map((type: unknown) => ({ ...schema, type })) } : schema;
  }

  private note(path: Path, what: string): void {
    this.mends.push(`${path.join(".")}: ${what}`);
  }
}

function isSame(a: string, b: string): boolean {
  const fold = (text: string): string =>
    text
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_-]+/g, "_");
  return fold(a) === fold(b);
}

/**
 * JSON as people and models write it (trailing commas, single quotes, comments, raw line breaks in strings) as JSON; null when
 * that is not one whole object or list, or when something was left out of it.
 */
export function repairJson(text: string): { value: unknown; source: string } | null {
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]")) + 1;
  if (start < 0 || end <= start || text.length > longestRepair) return null;
  const source = text.slice(start, end);
  if (!isWhole(source) || /(?:^|[[{,\s])(?:\.{3}|…)\s*(?:[,\]}]|$)/m.test(source)) return null;
  try {
    const mended = jsonrepair(source);
    return { value: JSON.parse(mended) as unknown, source: mended };
  } catch {
    return null;
  }
}

const longestRepair = 200_000;

/** Whether every bracket outside strings closes, the first one last: what was cut off is not completed, and two objects are not one. */
function isWhole(source: string): boolean {
  const open: string[] = [];
  let quote: string | null = null;
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at] as string;
    if (quote !== null) {
      if (sign === "\\") at += 1;
      else if (sign === quote && endsString(source, at)) quote = null;
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === "/" && source[at + 1] === "/") at = endOf(source, "\n", at);
    else if (sign === "/" && source[at + 1] === "*") at = endOf(source, "*/", at) + 1;
    else if (sign === "{" || sign === "[") open.push(sign === "{" ? "}" : "]");
    else if (sign === "}" || sign === "]") {
      if (open.pop() !== sign) return false;
      if (open.length === 0) return at === source.length - 1;
    }
  }
  return false;
}

/** A quote ends its string when a sign of JSON follows; an apostrophe inside a word does not. */
function endsString(source: string, at: number): boolean {
  return source[at] === '"' || /^\s*(?:[,:\]}]|$)/.test(source.slice(at + 1, at + 40));
}

function endOf(source: string, sign: string, from: number): number {
  const found = source.indexOf(sign, from + 2);
  return found < 0 ? source.length : found;
}
