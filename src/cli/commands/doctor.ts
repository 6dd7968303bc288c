import { accessSync, constants, existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { Command } from "commander";
import { ParleyError } from "../../contract/error.ts";
import { loadPack, packNames } from "../../packs/registry.ts";
import { describeEndpoints, type EndpointDescription } from "../../players/cast/describe-endpoints.ts";
import type { UserConfig } from "../../runs/user-config.ts";
import { version } from "../../runs/version.ts";
import { isWritable } from "../../store/readable-database.ts";
import type { Io } from "../terminal/io.ts";
import { withStoreOption } from "../setting/options.ts";
import { type Probed, probeModel } from "../doctor/probe-model.ts";
import { openStoreFile, locateStore, loadUserConfig } from "../setting/setting.ts";

type Options = { store?: string; config?: string; online?: string | boolean; cast?: string; json?: boolean };
type Check = { name: string; state: "ok" | "note" | "wrong"; message: string; fix?: string };

/** `parley doctor` */
export function command(io: Io): Command {
  return withStoreOption(
    new Command("doctor").description(
      "Checks node, the store, the configuration, keys and endpoints, and says how to mend each.",
    ),
  )
    .option("--config <file>", "configuration file (default: parley.config.yaml, when there is one)")
    .option("--online <model>", "also make one small call, e.g. --online openai/gpt-5-mini")
    .option("--cast <cast>", "also make one small call to each model of a cast, and say what its endpoint supports")
    .option("--json", "as JSON Lines")
    .addHelpText(
      "after",
      "\nExamples:\n  parley doctor\n  parley doctor --cast openai/gpt-5-mini,judge=ollama/llama3.2     one small call to each",
    )
    .action(async (options: Options) => {
      const { config, check } = checkConfig(io, options);
      const checks = [
        checkNode(),
        check,
        await checkStore(io, options, config),
        await checkPacks(),
        ...checkEndpoints(io, config),
      ];
      const models = [...(typeof options.online === "string" ? [options.online] : []), ...listModels(options.cast)];
      for (const model of models) checks.push(await checkOnline(io, config, model));
      io.out(
        options.json
          ? checks.map((one) => `${JSON.stringify(one)}\n`).join("")
          : `${checks.map(writeCheck).join("\n")}\n`,
      );
      if (checks.some((one) => one.state === "wrong")) io.exit.code = 1;
    });
}

function writeCheck({ name, state, message, fix }: Check): string {
  const mark = { ok: "ok   ", note: "–    ", wrong: "WRONG" }[state];
  return `${mark}  ${name.padEnd(18)}  ${message}${fix === undefined ? "" : `\n       ${" ".repeat(18)}  → ${fix}`}`;
}

function checkNode(): Check {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= 24) return { name: "node", state: "ok", message: `${process.version}, Parley ${version}` };
  return {
    name: "node",
    state: "wrong",
    message: `${process.version} is too old`,
    fix: "install Node 24 or newer, or run through npm, which brings its own",
  };
}

function checkConfig(io: Io, options: Options): { config: UserConfig; check: Check } {
  const name = "configuration";
  try {
    const config = loadUserConfig(io, options);
    const file = options.config ?? (existsSync(resolve(io.cwd, "parley.config.yaml")) ? "parley.config.yaml" : null);
    return { config, check: { name, state: "ok", message: file ?? "no parley.config.yaml here; the defaults apply" } };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return {
      config: {},
      check: { name, state: "wrong", message: error.message, fix: "`parley config schema` shows what is allowed" },
    };
  }
}

async function checkStore(io: Io, options: Options, config: UserConfig): Promise<Check> {
  const folder = locateStore(io, options, config);
  const name = "store";
  try {
    const file = resolve(folder, "parley.db");
    if (!existsSync(file)) {
      accessSync(existsSync(folder) ? folder : resolve(folder, ".."), constants.W_OK);
      if (existsSync(folder) && !statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
      return { name, state: "ok", message: `${file} will be made by the first run` };
    }
    const store = openStoreFile(io, file);
    const runs = (await store.ids()).length;
    await store.close();
    if (isWritable(file)) return { name, state: "ok", message: `${folder}, ${runs} runs` };
    return {
      name,
      state: "note",
      message: `${folder}, ${runs} runs, read-only: they can be shown and checked, none can be made`,
      fix: "make parley.db and its folder writable, or give another with --store",
    };
  } catch (error) {
    return {
      name,
      state: "wrong",
      message: (error as Error).message,
      fix: "make the folder writable, or give another with --store",
    };
  }
}

async function checkPacks(): Promise<Check> {
  const packs = await Promise.all(packNames.map(loadPack));
  return { name: "packs", state: "ok", message: packs.map((pack) => pack.name).join(", ") };
}

function checkEndpoints(io: Io, { endpoints, prices }: UserConfig): Check[] {
  return describeEndpoints({ env: io.env, endpoints, prices }).map((endpoint) => checkEndpoint(endpoint));
}

function checkEndpoint({ name, base_url, key_variables, key_set, problem }: EndpointDescription): Check {
  if (problem !== null) return { name, state: "note", message: "not set up", fix: problem };
  if (key_set) return { name, state: "ok", message: `${base_url}, key set` };
  const key = key_variables.length > 0 ? "no key (none needed)" : "no key needed";
  return { name, state: "note", message: `${base_url}, ${key}; not asked: --online ${name}/MODEL asks it` };
}

/** What would mend a probe that failed; where the message says it already, how to see the rest. */
function adviseFix({ code }: ParleyError): string {
  if (code === "missing_key") return "export the variable in this shell, or name another under `endpoints` (key_env)";
  if (code === "bad_cast" || code === "bad_config") return "write it as PROVIDER/MODEL, e.g. openai/gpt-5-mini";
  return "check that the address is right and reachable, that the key may use this model, and the model's name";
}

/** The models that a cast names, each once; roles do not matter here. */
function listModels(cast = ""): string[] {
  const players = cast.split(",").map((part) => part.slice(part.indexOf("=") + 1).trim());
  return [...new Set(players.filter((player) => player.includes("/") && !player.startsWith("recording/")))];
}

function describeProbe(name: string, probed: Probed): Check {
  const { structuredOutput, replied, streams, seed, usage, ms, tokens, calls } = probed;
  const refused = [
    ...(structuredOutput === "strict" ? [] : ["structured_output: false"]),
    ...(streams ? [] : ["stream: off"]),
    ...(seed === "refused" ? ["seed: false"] : []),
  ];
  const message = [
    `answered ${replied} in ${Math.round(ms)} ms`,
    `schema ${structuredOutput}`,
    `streaming ${streams ? "yes" : "no"}`,
    `seed ${seed}`,
    `usage ${usage ? `told (${tokens} tokens)` : "not told: calls count as the most they can cost"}`,
    ...(calls > 1 ? [`${calls} calls`] : []),
  ].join(", ");
  if (refused.length > 0)
    return { name, state: "note", message, fix: `under \`endpoints\` set ${refused.join(", ")} for it` };
  if (replied === "otherwise")
    return {
      name,
      state: "note",
      message,
      fix: "it does not keep to the schema: expect repairs; a larger model may do better",
    };
  return { name, state: "ok", message };
}

async function checkOnline(io: Io, config: UserConfig, model: string): Promise<Check> {
  try {
    return describeProbe(model, await probeModel(io, config, model));
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return {
      name: model,
      state: "wrong",
      message: error.message,
      fix: adviseFix(error),
    };
  }
}
