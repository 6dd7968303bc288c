import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import belongings from "../../data/starts.json" with { type: "json" };
import type { Budget } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import { listPackNames, loadPack } from "../packs/registry.ts";
import { readPlayer } from "../players/cast.ts";
import { checkEndpoints, type DoctorCheck } from "../runs/doctor.ts";
import { parseYaml, settingNames } from "../runs/settings.ts";
import { judgeTrust, trustFile } from "../runs/trust.ts";
import { placeIn, replaceFile } from "../store/replace-file.ts";
import { isRecord } from "../text/json.ts";
import { suggestName } from "../text/similar.ts";
import { defineCommand, parsed, text } from "./command.ts";
import { showExample } from "./demo.ts";
import { describeCheck, listModels, probeModel } from "./doctor.ts";
import { askPerson, type Io, readData } from "./io.ts";
import { parseBudget } from "./options.ts";

const configFile = "parley.config.yaml";

type Belonging = keyof typeof belongings;
const kinds = Object.keys(belongings) as Belonging[];

const isBelonging = (given: string): given is Belonging => Object.hasOwn(belongings, given);

type Plan = { have: Belonging; cast: string; budget?: Budget };

export function command(io: Io): Command {
  return defineCommand({
    name: "new",
    arguments: { "[have]": `what you have: ${kinds.join(", ")}; asked when nothing is given` },
    options: {
      cast: text("<cast>", 'who plays: "expert", "openai/gpt-5-mini", "expert,judge=person"'),
      budget: parsed("<limits>", "limits of every command, e.g. usd=1 or calls=20", parseBudget),
    },
    commands: [
      defineCommand({
        name: "pack",
        arguments: { "<name>": "what it is called, e.g. code-review" },
        action: (_, name: string) => writePack(io, name),
      }),
    ],
    async action({ cast, budget }, have: string | undefined) {
      if (have !== undefined && !isBelonging(have))
        throw new ParleyError("bad_input", `there is no setup for "${have}"${suggestName(have, kinds)}`);
      requireNoConfig(io);
      const isAsked = have === undefined && cast === undefined && budget === undefined;
      if (isAsked) return askAndSetUp(io);
      await setUp(io, { have: have ?? "documents", cast: cast ?? "expert", budget });
    },
  });
}

async function askAndSetUp(io: Io): Promise<void> {
  if (!io.interactive)
    throw new ParleyError(
      "bad_input",
      "there is no terminal to ask at; give `parley new logs`, or `parley new pack NAME`",
    );
  const requireAnswer = <T>(answer: T | null): T => {
    if (answer !== null) return answer;
    throw new ParleyError("bad_input", "nothing was written");
  };
  const ask = async (message: string, usual: string): Promise<string> =>
    requireAnswer(
      await askPerson(io, (clack, common) =>
        clack.text({ message, defaultValue: usual, placeholder: usual, ...common }),
      ),
    );
  const options = [
    ...kinds.map((value) => ({ value, label: belongings[value].label })),
    { value: "pack" as const, label: "a kind of decision of my own: write a pack for it" },
  ];
  const have = requireAnswer(
    await askPerson(io, ({ select }, common) =>
      select<Belonging | "pack">({ message: "What do you have?", options, ...common }),
    ),
  );
  if (have === "pack") return writePack(io, await ask("What is it called?", "code-review"));
  const ready = checkEndpoints(io.env, {}).filter(({ state }) => state === "ok");
  const hint = ready.length > 0 ? `keys are set for ${ready.map(({ name }) => name).join(", ")}` : "no key is set yet";
  const cast = await ask(
    `Who plays? "expert" is free and offline; or a model such as openai/gpt-5-mini (${hint})`,
    "expert",
  );
  const limit = cast === "expert" ? null : await ask("What is the most a command may cost, in USD?", "1");
  await setUp(io, { have, cast, budget: limit === null ? undefined : parseBudget(`usd=${limit}`) });
}

function requireNoConfig(io: Io): void {
  if (existsSync(join(io.cwd, configFile)))
    throw new ParleyError(
      "bad_input",
      `${configFile} already exists; edit it (\`parley doctor config --schema\` shows what it may hold), or remove it first`,
    );
}

async function setUp(io: Io, { have, cast, budget }: Plan): Promise<void> {
  for (const part of cast.split(",")) readPlayer(part.slice(part.indexOf("=") + 1).trim(), { env: io.env });
  const { pack, next } = belongings[have];
  replaceFile(join(io.cwd, configFile), describeConfig(cast, budget, pack));
  io.out(`wrote ${configFile}\n`);
  const checks: DoctorCheck[] = [];
  for (const model of listModels(cast)) checks.push(await probeModel(io, {}, model));
  for (const check of checks) io.out(`${describeCheck(check)}\n`);
  io.out("\nA first case, played by the built-in experts:\n\n");
  await showExample(io, await loadPack(pack));
  const isMissing = checks.some(({ state }) => state === "wrong");
  const check = isMissing ? `  parley doctor --cast ${cast}     checks the model again once that is fixed\n` : "";
  io.out(`Next:\n${check}  ${next}\n  parley serve                    runs and debates in the browser\n`);
}

function describeConfig(cast: string, budget: Budget | undefined, pack: string): string {
  const { wallMs, ...limits } = budget ?? {};
  const amounts = { ...limits, ...(wallMs === undefined ? {} : { time: `${wallMs}ms` }) };
  const entries = Object.entries(amounts).map(([name, amount]) => `${name}: ${amount}`);
  const filled = {
    CAST: JSON.stringify(cast),
    BUDGET: entries.length === 0 ? "# budget: { usd: 1 }" : `budget: { ${entries.join(", ")} }`,
    PACK: pack,
  };
  return readData("config-template.yaml.txt").replaceAll(
    /CAST|BUDGET|PACK/g,
    (name) => filled[name as keyof typeof filled],
  );
}

function writePack(io: Io, name: string): void {
  const folder = "packs";
  requireFreeName(name);
  const path = placeIn(io.cwd, folder);
  const files = { [`${name}.mts`]: "pack-template.mts.txt", [`${name}.test.mts`]: "pack-template.test.mts.txt" };
  for (const file of Object.keys(files))
    if (existsSync(join(path, file)))
      throw new ParleyError("bad_input", `${join(folder, file)} already exists; choose another name, or remove it`);
  for (const [file, template] of Object.entries(files))
    replaceFile(join(path, file), readData(template).replaceAll("NAME", name));
  const known = listPack(io, `./${folder}/${name}.mts`);
  const [pack, test] = Object.keys(files).map((file) => join(folder, file));
  const width = Math.max(configFile.length, test?.length ?? 0) + 2;
  const hasParley = existsSync(join(io.cwd, "node_modules", "parley"));
  io.out(`${pack?.padEnd(width)}the pack: roles, protocol, experts, an example
${test?.padEnd(width)}its test
${configFile.padEnd(width)}${known}

Try it:
  parley demo ${name}
  parley run ${name} "The checkout is down and customers cannot pay."
  parley run ${name} "The checkout is down and customers cannot pay." --cast openai/gpt-5-mini
${hasParley ? "" : "  npm install parley zod      for its test and your editor\n"}  node --test ${test}
`);
}

function requireFreeName(name: string): void {
  if (!/^[a-z][a-z0-9-]*$/.test(name))
    throw new ParleyError("bad_input", `"${name}": a pack's name is lower-case letters, digits and hyphens`);
  if (listPackNames().includes(name)) throw new ParleyError("bad_input", `there is a pack "${name}" already`);
  if (settingNames.includes(name))
    throw new ParleyError("bad_input", `"${name}" is a setting of ${configFile}; choose another name`);
}

function listPack(io: Io, listed: string): string {
  const file = join(io.cwd, configFile);
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
