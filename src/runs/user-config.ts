import { readFileSync } from "node:fs";
import * as z from "zod";
import { BudgetSettingSchema } from "./budget-setting.ts";
import { ParleyError } from "../contract/error.ts";
import { packNames } from "../packs/registry.ts";
import { EndpointSchema } from "../players/cast/cast-options.ts";
import { PriceSchema } from "../players/calls/prices.ts";
import { isRecord } from "../text/is-record.ts";
import { checkValue } from "./read-settings.ts";
import { parseYaml } from "./read-yaml.ts";

/** A pack's own settings; the pack checks them when it is used. */
const PackSettingsSchema = z.record(z.string(), z.unknown()).optional();

/** Of two endpoints with one name the second would never be used. */
function rejectTwins(endpoints: { name: string }[], context: z.RefinementCtx): void {
  for (const [index, { name }] of endpoints.entries())
    if (endpoints.findIndex((one) => one.name === name) !== index)
      context.addIssue({ code: "custom", path: [index, "name"], message: `there is already an endpoint "${name}"` });
}

/** `parley.config.yaml`: how to run, and a section for each pack. */
export const UserConfigSchema = z.strictObject({
  cast: z.string().min(1).optional(),
  seed: z.int().optional(),
  budget: BudgetSettingSchema.optional(),
  store: z
    .string()
    .refine((folder) => folder.trim() !== "" && !folder.includes("\0"), "not the name of a folder")
    .optional(),
  endpoints: z.array(EndpointSchema).superRefine(rejectTwins).optional(),
  prices: z.record(z.string(), PriceSchema).optional(),
  ...Object.fromEntries(packNames.map((name) => [name, PackSettingsSchema])),
});
export type UserConfig = z.infer<typeof UserConfigSchema>;

/** Reads a configuration file; a typo is an error with its place and a suggestion. */
export function readUserConfig(file: string): UserConfig {
  const value = parseYaml(readText(file), file).value ?? {};
  rejectMisplaced(file, value);
  return checkValue(UserConfigSchema, value, file, "bad_config");
}

/** Settings that documents of a pack show at the top of a file; here they stand in the section of the pack. */
const homes: Partial<Record<(typeof packNames)[number], RegExp>> = {
  sentiment: /^(pipeline|enable_\w+|debate|debate_override|debate_thresholds|neutral_policy|ev_weights|settle|memory)$/,
};

function rejectMisplaced(file: string, value: unknown): void {
  for (const key of isRecord(value) ? Object.keys(value) : []) {
    const home = packNames.find((name) => homes[name]?.test(key));
    if (home)
      throw new ParleyError(
        "bad_config",
        `${file}: "${key}" is a setting of the ${home} pack; write it, indented, under "${home}:"`,
      );
  }
}

function readText(file: string): string {
  try {
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

/** The section of a pack. */
export function pickPackSection(config: UserConfig, pack: string): unknown {
  return (config as Record<string, unknown>)[pack] ?? {};
}
