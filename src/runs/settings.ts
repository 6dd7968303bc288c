import { createRequire } from "node:module";
import type { Document, LineCounter } from "yaml";
import * as z from "zod";
import { type Budget, BudgetSchema } from "../contract/budget.ts";
import { type ErrorCode, ParleyError } from "../contract/error.ts";
import { durationMs, findUnplain, shortenText } from "../text/format.ts";
import { explainIssues, formatPath, mostExplained } from "../text/explain-issues.ts";
import { isRecord } from "../text/json.ts";
import { readFileSync, statSync } from "node:fs";
import { listPackNames } from "../packs/registry.ts";
import { PriceSchema } from "../players/providers.ts";
import { EndpointSchema } from "../players/endpoints.ts";

/** Checks a value against its schema; the error lists all problems with their places. */
export function checkValue<T>(schema: z.ZodType<T>, value: unknown, what: string, code: ErrorCode): T {
  const problem = findUnplain(value);
  if (problem) throw new ParleyError(code, `${what}: ${formatPath(problem.path) || "the value"}: ${problem.message}`);
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const lines = explainIssues(schema, parsed.error).map(({ path, message }) =>
    path.length > 0 ? `${formatPath(path)}: ${message}` : message,
  );
  const text = lines.length === 1 ? ` ${lines[0]}` : `\n  ${lines.slice(0, mostExplained).join("\n  ")}`;
  throw new ParleyError(code, `${what}:${text}`);
}

const mostKeys = 20;

export function withSettings(config: unknown, settings: readonly string[]): Record<string, unknown> {
  const result = structuredClone(requireSettings(config));
  for (const setting of settings) {
    const at = setting.indexOf("=");
    if (at < 1)
      throw new ParleyError("bad_config", `--set ${shortenText(setting)}: write it as key=value, e.g. max_rounds=2`);
    const keys = setting.slice(0, at).trim().split(".");
    if (keys.length > mostKeys || keys.some((key) => key === "" || key === "__proto__"))
      throw new ParleyError(
        "bad_config",
        `--set ${shortenText(setting)}: "${shortenText(setting.slice(0, at))}" is not a key`,
      );
    place(result, keys, parseYaml(setting.slice(at + 1), `--set ${shortenText(setting)}`).value);
  }
  return result;
}

function place(target: Record<string, unknown>, keys: string[], value: unknown): void {
  const [key = "", ...rest] = keys;
  if (rest.length === 0) target[key] = value;
  else {
    target[key] = { ...requireSettings(Object.hasOwn(target, key) ? target[key] : null) };
    place(target[key] as Record<string, unknown>, rest, value);
  }
}

function requireSettings(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

type Yaml = { value: unknown; lineOf(path: readonly PropertyKey[]): number | null };

const mostCharacters = 8_000_000;

type Library = typeof import("yaml");
let library: Library | null = null;

function loadLibrary(): Library {
  library ??= createRequire(import.meta.url)("yaml") as Library;
  return library;
}

/** Parses YAML; anything but plain data (loops, alias bombs, unknown tags, repeated keys) is an error with its place. */
export function parseYaml(text: string, what: string): Yaml {
  const fail = (why: string, cause?: unknown) => new ParleyError("bad_config", `${what}: ${why}`, { cause });
  if (text.length > mostCharacters) throw fail(`${text.length} characters are too many; at most ${mostCharacters}`);
  const lines = new (loadLibrary().LineCounter)();
  // The library's own check for unique keys is quadratic and takes minutes for a megabyte of them.
  const document = loadLibrary().parseDocument(text, { lineCounter: lines, logLevel: "error", uniqueKeys: false });
  const [trouble] = [...document.errors, ...document.warnings];
  if (trouble) throw fail(`not valid YAML: ${explainTrouble(trouble)}`, trouble);
  const lineOf = (path: readonly PropertyKey[]): number | null => findLine(document, lines, path);
  const value = readPlainValue(document, lines, fail);
  const problem = findUnplain(value);
  if (problem) throw fail(`${formatPath(problem.path) || "the value"}: ${problem.message}`);
  return { value, lineOf };
}

function explainTrouble({ message }: Error): string {
  return message
    .trim()
    .replace(/^Maximum call stack size exceeded/, "nested too deep")
    .replace(/^Source contains multiple documents; .*\(\)/, "it holds more than one document");
}

type Fail = (why: string, cause?: unknown) => ParleyError;

function readPlainValue(document: Document.Parsed, lines: LineCounter, fail: Fail): unknown {
  try {
    requireUniqueKeys(document, lines);
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch (cause) {
    throw fail(`not valid YAML: ${(cause as Error).message}`, cause);
  }
}

function requireUniqueKeys(document: Document.Parsed, lines: LineCounter): void {
  const { isNode, isScalar, visit } = loadLibrary();
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const name: unknown = isScalar(key) ? key.value : key;
        const line = isNode(key) && key.range ? ` at line ${lines.linePos(key.range[0]).line}` : "";
        if (seen.has(name)) throw new Error(`the key ${shortenText(String(name))} is there twice${line}`);
        seen.add(name);
      }
    },
  });
}

function findLine(document: Document.Parsed, lines: LineCounter, path: readonly PropertyKey[]): number | null {
  for (let depth = path.length; depth > 0; depth--) {
    const node = document.getIn(path.slice(0, depth), true);
    if (loadLibrary().isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return null;
}

export const BudgetSettingSchema = z
  .strictObject({
    ...BudgetSchema.omit({ wallMs: true }).shape,
    time: z
      .string()
      .refine((text) => durationMs(text) !== null, "not a time; write e.g. 90s, 5m or 2h")
      .optional(),
  })
  .transform(({ time, ...budget }): Budget => {
    const wallMs = time === undefined ? null : durationMs(time);
    return wallMs === null ? budget : { ...budget, wallMs };
  });

const PackSettingsSchema = z.record(z.string(), z.unknown()).optional();

/** The second of two endpoints with one name would never be used. */
function rejectTwins(endpoints: { name: string }[], context: z.RefinementCtx): void {
  for (const [index, { name }] of endpoints.entries())
    if (endpoints.findIndex((one) => one.name === name) !== index)
      context.addIssue({ code: "custom", path: [index, "name"], message: `there is already an endpoint "${name}"` });
}

const DurationSchema = z.string().refine((text) => durationMs(text) !== null, "not a time; write e.g. 90s, 5m or 24h");

const ServerSettingsSchema = z.strictObject({
  /** Limit per day (UTC) for all runs together. */
  max_usd_per_day: z.number().nonnegative().optional(),
  max_runs: z.int().min(1).max(256).default(8),
  /** Limit for all debates of one `parley mcp`. */
  max_calls: z.int().positive().default(200),
  /** MCP clients may see every run, not only their own. */
  mcp_all_runs: z.boolean().default(false),
  /** Hides the decision of an escalated run until the reviewer has answered. */
  blind_review: z.boolean().default(false),
  resume_interrupted: z.boolean().default(true),
  grace: DurationSchema.optional(),
});

export function readServerSettings({ server }: UserConfig, set: readonly string[]) {
  return checkValue(ServerSettingsSchema, withSettings(server, set), "server", "bad_config");
}

const SharedSettingsSchema = z.strictObject({
  cast: z.string().min(1).optional(),
  seed: z.int().optional(),
  budget: BudgetSettingSchema.optional(),
  budget_per_case: BudgetSettingSchema.optional(),
  store: z
    .string()
    .refine((folder) => folder.trim() !== "" && !folder.includes("\0"), "not the name of a folder")
    .optional(),
  durability: z.enum(["process", "power"]).optional(),
  endpoints: z.array(EndpointSchema).superRefine(rejectTwins).optional(),
  prices: z.record(z.string(), PriceSchema).optional(),
  reviewers: z
    .record(
      z.string().regex(/^(?!operator)[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/iu, "not a valid name for a reviewer"),
      z.union([z.string().min(16), z.strictObject({ token_env: z.string().min(1) })]),
    )
    .optional(),
  server: ServerSettingsSchema.partial().optional(),
  packs: z.array(z.string().min(1)).optional(),
});
export type UserConfig = z.infer<typeof SharedSettingsSchema>;

export const settingNames = Object.keys(SharedSettingsSchema.shape);

export function makeUserConfigSchema(): z.ZodType<UserConfig> {
  const sections = Object.fromEntries(listPackNames().map((name) => [name, PackSettingsSchema]));
  return z.strictObject({ ...SharedSettingsSchema.shape, ...sections });
}

export function readUserConfig(file: string, text = readText(file)): UserConfig {
  const value = liftToSections(file, parseYaml(text, file).value ?? {});
  return checkValue(makeUserConfigSchema(), value, file, "bad_config");
}

const homes: Record<string, RegExp> = {
  sentiment: /^(pipeline|enable_\w+|debate|debate_override|debate_thresholds|neutral_policy|memory)$/,
};

function liftToSections(file: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  const lifted: Record<string, unknown> = {};
  const sections: Record<string, Record<string, unknown>> = {};
  for (const [key, own] of Object.entries(value)) {
    const home = Object.keys(homes).find((name) => homes[name]?.test(key));
    if (home === undefined || listPackNames().includes(key)) lifted[key] = own;
    else sections[home] = { ...sections[home], [key]: own };
  }
  for (const [home, own] of Object.entries(sections)) {
    const given = isRecord(lifted[home]) ? lifted[home] : {};
    const twice = Object.keys(own).find((key) => key in given);
    if (twice !== undefined)
      throw new ParleyError(
        "bad_config",
        `${file}: "${twice}" is set at the top and under "${home}:"; keep one of them`,
      );
    lifted[home] = { ...given, ...own };
  }
  return lifted;
}

export function parseSharedSettings(text: string, file: string): UserConfig {
  const value = parseYaml(text, file).value ?? {};
  return checkValue(SharedSettingsSchema.loose(), value, file, "bad_config");
}

const mostBytes = 1_000_000;

/** Reads a configuration file. Pipes and devices are not opened, since reading one may never end. */
export function readText(file: string): string {
  try {
    const stats = statSync(file);
    if (!stats.isFile() && !stats.isDirectory()) throw new Error("it is not a plain file");
    if (stats.size > mostBytes) throw new Error(`it is larger than ${mostBytes / 1e6} MB`);
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "";
    const why = reasons[code] ?? `it cannot be read: ${(cause as Error).message}`;
    throw new ParleyError("bad_config", `${file}: ${why}`, { cause });
  }
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such file",
  EISDIR: "that is a folder",
  ERR_ENCODING_INVALID_ENCODED_DATA: "it is not UTF-8 text; save it as UTF-8",
};

export function pickPackSection(config: UserConfig, pack: string): unknown {
  return (config as Record<string, unknown>)[pack] ?? {};
}
