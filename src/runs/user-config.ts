import { readFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod";
import { BudgetSchema } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import { packNames } from "../packs/registry.ts";
import { EndpointSchema } from "../players/cast/cast-options.ts";
import { PriceSchema } from "../players/prices.ts";
import { checked } from "./read-settings.ts";

/** A pack's own settings; the pack checks them when it is used. */
const PackSettingsSchema = z.record(z.string(), z.unknown()).optional();

/** `parley.config.yaml`: how to run, and a section a pack. */
export const UserConfigSchema = z.strictObject({
  cast: z.string().optional(),
  seed: z.int().optional(),
  budget: BudgetSchema.optional(),
  store: z.string().optional(),
  endpoints: z.array(EndpointSchema).optional(),
  prices: z.record(z.string(), PriceSchema).optional(),
  ...Object.fromEntries(packNames.map((name) => [name, PackSettingsSchema])),
});
export type UserConfig = z.infer<typeof UserConfigSchema>;

/** Reads a configuration file; a typo is an error with its place and a suggestion. */
export function readUserConfig(file: string): UserConfig {
  return checked(UserConfigSchema, readYaml(file) ?? {}, file, "bad_config");
}

/** Reads a YAML (or JSON) file. */
export function readYaml(file: string): unknown {
  try {
    return parse(readFileSync(file, "utf8"), { prettyErrors: true });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    const why =
      code === "ENOENT"
        ? "there is no such file"
        : code === "EISDIR"
          ? "that is a folder"
          : `not valid YAML: ${(cause as Error).message}`;
    throw new ParleyError("bad_config", `${file}: ${why}`, { cause });
  }
}

/** The section of a pack. */
export function packSection(config: UserConfig, pack: string): unknown {
  return (config as Record<string, unknown>)[pack] ?? {};
}
