import { accessSync, constants, existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { Command } from "commander";
import type { DoctorCheck } from "../../contract/api/index.ts";
import { ParleyError } from "../../contract/error.ts";
import { checkEndpoints, checkHeld, checkNode, checkPacks } from "../../runs/doctor.ts";
import type { UserConfig } from "../../runs/settings/user-config.ts";
import { isWritable } from "../../store/readable-file.ts";
import type { Io } from "../terminal/io.ts";
import { withStoreOption } from "../setting/options.ts";
import { type Probed, probeModel } from "../doctor/probe-model.ts";
import { isPostgresAddress } from "../../store/postgres-address.ts";
import { loadUserConfig, locateStore, nameStore, openExistingStore, openStoreFile } from "../setting/setting.ts";

type Options = { store?: string; config?: string; online?: string | boolean; cast?: string; json?: boolean };

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
        ...(await checkStore(io, options, config)),
        await checkPacks(),
        ...checkEndpoints(io.env, config),
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

function writeCheck({ name, state, message, fix }: DoctorCheck): string {
  const mark = { ok: "ok   ", note: "–    ", wrong: "WRONG" }[state];
  return `${mark}  ${name.padEnd(18)}  ${message}${fix === undefined ? "" : `\n       ${" ".repeat(18)}  → ${fix}`}`;
}

function checkConfig(io: Io, options: Options): { config: UserConfig; check: DoctorCheck } {
  const name = "configuration";
  try {
    const config = loadUserConfig(io, options);
    const file = options.config ?? (existsSync(resolve(io.cwd, "parley.config.yaml")) ? "parley.config.yaml" : null);
    return { config, check: { name, state: "ok", message: file ?? "no parley.config.yaml here; the defaults apply" } };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    const fix = error.code === "not_trusted" ? "`parley trust`" : "`parley config schema` shows what is allowed";
    return { config: {}, check: { name, state: "wrong", message: error.message, fix } };
  }
}

async function checkStore(io: Io, options: Options, config: UserConfig): Promise<DoctorCheck[]> {
  const folder = locateStore(io, options, config);
  const name = "store";
  if (isPostgresAddress(nameStore(io, options, config))) return checkSharedStore(io, options, config);
  try {
    const file = resolve(folder, "parley.db");
    if (!existsSync(file)) {
      accessSync(existsSync(folder) ? folder : resolve(folder, ".."), constants.W_OK);
      if (existsSync(folder) && !statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
      return [{ name, state: "ok", message: `${file} will be made by the first run` }];
    }
    const store = openStoreFile(io, file);
    const runs = (await store.ids()).length;
    const held = checkHeld(await store.held());
    await store.close();
    if (isWritable(file)) return [{ name, state: "ok", message: `${folder}, ${runs} runs` }, ...held];
    const message = `${folder}, ${runs} runs, read-only: they can be shown and checked, none can be made`;
    const fix = "make parley.db and its folder writable, or give another with --store";
    return [{ name, state: "note", message, fix }, ...held];
  } catch (error) {
    const fix = "make the folder writable, or give another with --store";
    return [{ name, state: "wrong", message: (error as Error).message, fix }];
  }
}

async function checkSharedStore(io: Io, options: Options, config: UserConfig): Promise<DoctorCheck[]> {
  const name = "store";
  try {
    const store = await openExistingStore(io, options, config);
    const { total } = await store.page({ limit: 1 });
    const held = checkHeld(await store.held());
    await store.close();
    return [
      { name, state: "ok", message: `${store.location}, ${total.exact ? total.count : `over ${total.count}`} runs` },
      ...held,
    ];
  } catch (error) {
    const fix = "check the address in --store or PARLEY_STORE, and `parley store migrate`";
    return [{ name, state: "wrong", message: (error as Error).message, fix }];
  }
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

function describeProbe(name: string, probed: Probed): DoctorCheck {
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

async function checkOnline(io: Io, config: UserConfig, model: string): Promise<DoctorCheck> {
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
