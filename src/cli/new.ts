import { Command } from "commander";
import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { ParleyError } from "../contract/error.ts";
import { listPackNames } from "../packs/registry.ts";
import { parseYaml } from "../runs/settings/read-yaml.ts";
import { settingNames } from "../runs/settings/user-config.ts";
import { judgeTrust, trustFile } from "../runs/trust/trust-file.ts";
import { replaceFile } from "../store/replace-file.ts";
import { isRecord } from "../text/is-record.ts";
import type { Io } from "./io.ts";

/** `parley new pack NAME` */
export function command(io: Io): Command {
  const create = new Command("new").description("Writes the beginning of something of your own.");
  create
    .command("pack")
    .description("writes a small working pack with its test, and lists it in parley.config.yaml")
    .argument("<name>", "what it is called, e.g. code-review")
    .option("--folder <folder>", "where its files go", "packs")
    .action((name: string, { folder }: { folder: string }) => writePack(io, name, folder));
  return create.addHelpText("after", "\nExample:\n  parley new pack code-review");
}

const readTemplate = (name: string): string => readFileSync(new URL(`../../data/${name}`, import.meta.url), "utf8");

/** Writes a pack and its test, and makes it known to the project; nothing that is there is replaced. */
export function writePack(io: Io, name: string, folder: string): void {
  requireFreeName(name);
  const path = resolve(io.cwd, folder);
  const files = { [`${name}.ts`]: "pack-template.ts.txt", [`${name}.test.ts`]: "pack-template.test.ts.txt" };
  for (const file of Object.keys(files))
    if (existsSync(join(path, file)))
      throw new ParleyError("bad_input", `${join(folder, file)} is there already; choose another name, or remove it`);
  for (const [file, template] of Object.entries(files))
    replaceFile(join(path, file), readTemplate(template).replaceAll("NAME", name));
  const listed = `./${relative(io.cwd, join(path, `${name}.ts`)).replaceAll("\\", "/")}`;
  const known = listPack(io, listed);
  const [pack, test] = Object.keys(files).map((file) => join(folder, file));
  const width = Math.max("parley.config.yaml".length, test?.length ?? 0) + 2;
  io.out(`${pack?.padEnd(width)}the pack: roles, protocol, experts, an example
${test?.padEnd(width)}its test
${"parley.config.yaml".padEnd(width)}${known}

Try it:
  parley demo --pack ${name}
  parley run ${name} '{"text": "Customers cannot log in."}'
  parley run ${name} '{"text": "Customers cannot log in."}' --cast openai/gpt-5-mini
  node --test ${test}      with parley and zod installed here: npm install parley zod
`);
}

function requireFreeName(name: string): void {
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw new ParleyError("bad_input", `"${name}": a pack's name is lower-case letters, digits and hyphens`);
  if (listPackNames().includes(name)) throw new ParleyError("bad_input", `there is a pack "${name}" already`);
  if (settingNames.includes(name))
    throw new ParleyError("bad_input", `"${name}" is a setting of parley.config.yaml; choose another name`);
}

/** Lists the pack in parley.config.yaml: makes the file, or adds to it where that needs no rewriting. */
function listPack(io: Io, listed: string): string {
  const file = join(io.cwd, "parley.config.yaml");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const value = parseYaml(text, file).value;
  if (isRecord(value) && value.packs !== undefined) return `has a list of packs; add to it yourself:  - ${listed}`;
  const standing = text === "" ? "not needed" : judgeTrust(io.env, file).trust;
  replaceFile(file, `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}packs:\n  - ${listed}\n`);
  if (standing !== "not needed" && standing !== "trusted")
    return "lists it; read the rest of it, then: parley doctor trust";
  trustFile(io.env, file, new Date());
  return "lists it, so that every command knows it, and is trusted as it is now";
}
