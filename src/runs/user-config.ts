import { readFileSync, statSync } from "node:fs";
import * as z from "zod";
import { ParleyError } from "../contract/error.ts";
import { listPackNames } from "../packs/registry.ts";
import { PriceSchema } from "../players/providers.ts";
import { EndpointSchema } from "../players/endpoints.ts";
import { durationMs } from "../text/format.ts";
import { isRecord } from "../text/json.ts";
import { BudgetSettingSchema, checkValue, parseYaml, withSettings } from "./settings.ts";

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
