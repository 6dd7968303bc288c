import { Command } from "commander";
import * as z from "zod";
import { loadPack, listPackNames } from "../../packs/registry.ts";
import { checkValue } from "../../runs/settings/read-settings.ts";
import { pickPackSection, makeUserConfigSchema } from "../../runs/settings/user-config.ts";
import type { Io } from "../terminal/io.ts";
import { loadUserConfig } from "../setting/setting.ts";

/** `parley config schema | check` */
export function command(io: Io): Command {
  const config = new Command("config").description(
    "The configuration file: parley.config.yaml, or the one given with --config.",
  );
  config
    .command("schema")
    .description("prints its JSON schema, every pack's section included")
    .action(async () => io.out(`${JSON.stringify(await writeFullSchema(), null, 2)}\n`));
  config
    .command("check")
    .description("checks the file and every section of it")
    .option("--config <file>", "the file (default: parley.config.yaml)")
    .action(async (options: { config?: string }) => {
      const given = loadUserConfig(io, options);
      for (const name of listPackNames())
        checkValue((await loadPack(name)).config, pickPackSection(given, name), `section ${name}`, "bad_config");
      io.out("the configuration is good\n");
    });
  return config;
}

async function writeFullSchema(): Promise<unknown> {
  const schema = z.toJSONSchema(makeUserConfigSchema(), { io: "input", unrepresentable: "any" });
  for (const name of listPackNames()) {
    const { $schema: _, ...section } = z.toJSONSchema((await loadPack(name)).config, {
      io: "input",
      unrepresentable: "any",
    });
    if (schema.properties) schema.properties[name] = section;
  }
  return schema;
}
