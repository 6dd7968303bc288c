import type { Command } from "commander";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod";
import { noCost } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import type { TurnContext } from "../engine/player.ts";
import { renderPrompt } from "../engine/prompt.ts";
import { defineRole } from "../engine/role.ts";
import { loadPack, listPackNames } from "../packs/registry.ts";
import { buildCast, parseCast } from "../players/cast.ts";
import type { CastOptions } from "../players/endpoints.ts";
import { checkEndpoints, checkHeld, type DoctorCheck } from "../runs/doctor.ts";
import { version } from "../runs/read-run.ts";
import { locateKey, makeKey, readKey, type SigningKey } from "../runs/proof.ts";
import { checkValue, makeUserConfigSchema, pickPackSection, type UserConfig } from "../runs/settings.ts";
import { distrustFile, judgeTrust, listTrusted, trustFile } from "../runs/trust.ts";
import { isPostgresAddress } from "../store/store.ts";
import { isWritable } from "../store/replace-file.ts";
import { formatCount } from "../text/format.ts";
import { defineCommand, flag, type Given, text } from "./command.ts";
import type { Io } from "./io.ts";
import { configOption, storeOption } from "./options.ts";
import { knowPacks, loadUserConfig } from "./settings.ts";
import { locateStore, nameStore, openStore } from "./stores.ts";

const options = {
  ...configOption,
  cast: text("<cast>", "also make one small call to each model of a cast, and say what its endpoint supports"),
  json: flag("as JSON Lines"),
  ...storeOption,
};
type Options = Given<typeof options>;

export function command(io: Io): Command {
  return defineCommand({
    name: "doctor",
    options,
    commands: [configCommand(io), trustCommand(io), keysCommand(io)],
    async action(given) {
      await knowPacks(io, given, "trusted");
      const { config, check } = checkConfig(io, given);
      const packs = await Promise.all(listPackNames().map(loadPack));
      const checks: DoctorCheck[] = [
        { name: "node", state: "ok", message: `${process.version}, Parley ${version}` },
        check,
        ...(await checkStore(io, given, config)),
        { name: "packs", state: "ok", message: packs.map((pack) => pack.name).join(", ") },
        ...checkEndpoints(io.env, config),
      ];
      for (const model of listModels(given.cast)) checks.push(await probeModel(io, config, model));
      if (given.json) io.jsonLines(checks);
      else for (const one of checks) io.out(`${describeCheck(one)}\n`);
      if (checks.some((one) => one.state === "wrong")) io.exit.code = 1;
    },
  });
}

export function describeCheck({ name, state, message, fix }: DoctorCheck): string {
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
    const fix =
      error.code === "not_trusted" ? "`parley doctor trust`" : "`parley doctor config --schema` shows what is allowed";
    return { config: {}, check: { name, state: "wrong", message: error.message, fix } };
  }
}

async function checkStore(io: Io, options: Options, config: UserConfig): Promise<DoctorCheck[]> {
  const name = "store";
  const isShared = isPostgresAddress(nameStore(io, options, config));
  const folder = locateStore(io, options, config);
  const file = resolve(folder, "parley.db");
  try {
    if (!isShared && !existsSync(file)) {
      accessSync(existsSync(folder) ? folder : resolve(folder, ".."), constants.W_OK);
      if (existsSync(folder) && !statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
      return [{ name, state: "ok", message: `${file} will be created by the first run` }];
    }
    const store = await openStore(io, options, config, true);
    const { total } = await store.page({ limit: 1 });
    const held = checkHeld(await store.held());
    await store.close();
    const runs = `${isShared ? store.location : folder}, ${total.exact ? "" : "over "}${formatCount(total.count, "run")}`;
    if (isShared || isWritable(file)) return [{ name, state: "ok", message: runs }, ...held];
    const message = `${runs}, read-only: runs can be shown and verified, but not started`;
    return [
      { name, state: "note", message, fix: "make parley.db and its folder writable, or give another with --store" },
      ...held,
    ];
  } catch (error) {
    const fix = isShared
      ? "check the address in --store or PARLEY_STORE, and `parley store init`"
      : "make the folder writable, or give another with --store";
    return [{ name, state: "wrong", message: (error as Error).message, fix }];
  }
}

export function listModels(cast = ""): string[] {
  const players = cast.split(",").map((part) => part.slice(part.indexOf("=") + 1).trim());
  return [...new Set(players.filter((player) => player.includes("/") && !player.startsWith("recording/")))];
}

function configCommand(io: Io): Command {
  return defineCommand({
    name: "config",
    options: {
      config: text("<file>", "the file (default: parley.config.yaml)"),
      schema: flag("print the JSON schema, every pack's section included"),
    },
    async action(given) {
      await knowPacks(io, given, given.schema ? "trusted" : "all");
      if (given.schema) return io.json(await makeFullSchema());
      const config = loadUserConfig(io, given);
      for (const name of listPackNames())
        checkValue((await loadPack(name)).config, pickPackSection(config, name), `section ${name}`, "bad_config");
      io.out("the configuration is valid\n");
    },
  });
}

async function makeFullSchema(): Promise<unknown> {
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

function trustCommand(io: Io): Command {
  return defineCommand({
    name: "trust",
    arguments: { "[file]": "the configuration (default: parley.config.yaml)" },
    options: { list: flag("list everything that is trusted"), remove: flag("stop trusting it") },
    action({ list, remove }, given: string | undefined) {
      if (list && (remove || given !== undefined))
        throw new ParleyError("bad_input", "--list shows everything that is trusted; give it alone");
      const file = resolve(io.cwd, given ?? "parley.config.yaml");
      if (list) printTrusted(io);
      else if (!remove) trust(io, file);
      else io.out(distrustFile(io.env, file) ? `${file} is no longer trusted\n` : `${file} was not trusted\n`);
    },
  });
}

function trust(io: Io, file: string): void {
  const { concerns, trust: standing } = judgeTrust(io.env, file);
  if (standing === "not needed") return io.out(`${file} needs no trust: nothing in it leaves its folder\n`);
  trustFile(io.env, file, new Date());
  io.out(`${file} is trusted as it is now:\n${concerns.map((concern) => `  - it ${concern}\n`).join("")}`);
}

function printTrusted(io: Io): void {
  const trusted = listTrusted(io.env);
  if (trusted.length === 0) return io.out("nothing is trusted\n");
  for (const { file, at } of trusted) {
    const state = existsSync(file) ? (judgeTrust(io.env, file).trust === "changed" ? "  changed since" : "") : "  gone";
    io.out(`${at.slice(0, 10)}  ${file}${state}\n`);
  }
}

function keysCommand(io: Io): Command {
  const file = locateKey(io.env);
  const print = ({ fingerprint, publicKey }: SigningKey): void =>
    io.out(`fingerprint  ${fingerprint}\npublic key   ${publicKey}\nkept in      ${file}\n`);
  return defineCommand({
    name: "keys",
    action() {
      const key = readKey(file);
      if (key) print(key);
      else io.out(`no signing key yet; \`parley doctor keys new\` makes one in ${file}\n`);
    },
    commands: [
      defineCommand({
        name: "new",
        action: () => print(makeKey(file)),
      }),
    ],
  });
}

const probe = defineRole({
  name: "probe",
  reply: z.strictObject({ reason: z.string(), ok: z.boolean() }),
  prompt: () => ({
    instructions: 'Say in one word why, and that you are ready: {"reason": "ready", "ok": true}.',
    blocks: [],
    own: [],
  }),
});

export async function probeModel(io: Io, config: UserConfig, model: string): Promise<DoctorCheck> {
  const { endpoints, prices } = config;
  const options: CastOptions = { env: io.env, endpoints, prices, retry: { tries: 1 } };
  const started = performance.now();
  let isReported = false;
  try {
    const settings = { maxOutputTokens: 2048, outputCeiling: 2048 };
    const player = buildCast(parseCast(model, ["probe"], options), { ...options, settings })("probe");
    const context = makeContext(io, () => (isReported = true));
    const { reply, usage } = await player.play(probe, {}, context);
    const isAsAsked = fits("text" in reply ? reply.text : "");
    const known = isReported
      ? `reported (${usage.inputTokens + usage.outputTokens} tokens)`
      : "not reported: calls count as the most they can cost";
    const message = `answered ${isAsAsked ? "as asked" : "differently"} in ${Math.round(performance.now() - started)} ms, usage ${known}`;
    if (isAsAsked) return { name: model, state: "ok", message };
    const fix = "it does not follow the schema: expect repairs; a larger model may do better";
    return { name: model, state: "note", message, fix };
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return { name: model, state: "wrong", message: error.message, fix: adviseFix(error) };
  }
}

/** The endpoint setting that turns off each refused feature. */
const refusals = {
  "seed: false": /\bseed\b/i,
  "stream: off": /stream/i,
  "structured_output: false": /response_format|json_schema|structured|grammar/i,
};

function adviseFix({ code, message }: ParleyError): string {
  if (code === "missing_key") return "export the variable in this shell, or name another under `endpoints` (key_env)";
  if (code === "bad_cast" || code === "bad_config") return "write it as PROVIDER/MODEL, e.g. openai/gpt-5-mini";
  const [refused] = Object.entries(refusals).find(([, said]) => said.test(message)) ?? [];
  if (refused !== undefined) return `under \`endpoints\` set ${refused} for it`;
  return "check that the address is right and reachable, that the key may use this model, and the model's name";
}

/** A turn outside any debate; a call is settled only if its usage is known. */
function makeContext(io: Io, onSettled: () => void): TurnContext {
  const prompt = probe.prompt({});
  const rendered = renderPrompt(prompt);
  return {
    key: { round: 0, step: "probe", role: "probe" },
    prompt,
    rendered,
    requestHash: rendered.system,
    seed: 0,
    signal: io.signal,
    repair: null,
    reserve: async () => ({ settle: (spent) => void (spent !== noCost && onSettled()) }),
    onText: () => {},
  };
}

function fits(text: string): boolean {
  try {
    return probe.reply.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
