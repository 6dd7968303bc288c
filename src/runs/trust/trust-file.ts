import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { findProvider } from "../../players/model/providers.ts";
import { makePrivateFile } from "../../store/make-folder.ts";
import { replaceFile } from "../../store/replace-file.ts";
import { parseSharedSettings, readText, type UserConfig } from "../settings/user-config.ts";
import { findConcerns } from "./find-concerns.ts";
import { locateUserFolder } from "./user-folder.ts";

type Env = Record<string, string | undefined>;

const TrustedSchema = z.strictObject({ file: z.string(), hash: z.string(), at: z.string() });
/** A configuration that its user has read and trusts, as it was then. */
export type Trusted = z.infer<typeof TrustedSchema>;

/** How a configuration stands: what it would do that needs trust, and whether it has it. */
export type Standing = {
  file: string;
  concerns: string[];
  trust: "not needed" | "trusted" | "changed" | "never trusted";
};

/** Throws unless a configuration may do what it says: most may, the others must be trusted as they are. */
export function requireTrust(env: Env, file: string): void {
  if (env.PARLEY_TRUST === "1") return;
  const { trust, concerns } = judgeTrust(env, file);
  if (trust === "not needed" || trust === "trusted") return;
  const why = trust === "changed" ? "has changed since it was trusted" : "is not trusted yet";
  const wants = concerns.map((concern) => `\n  - it ${concern}`).join("");
  throw new ParleyError(
    "not_trusted",
    `${file} ${why}:${wants}\nRead it, then say: parley doctor trust${file.endsWith("/parley.config.yaml") ? "" : ` ${file}`}   (where nobody can: PARLEY_TRUST=1)`,
    { details: { file, concerns } },
  );
}

/** Looks at a configuration; nothing of it is run. */
export function judgeTrust(env: Env, file: string): Standing {
  const text = readText(file);
  const place = realpathSync(file);
  const config = parseSharedSettings(text, file);
  if (findConcerns(config, dirname(file), env).length === 0) return { file: place, concerns: [], trust: "not needed" };
  const concerns = findConcerns(config, dirname(file), withEveryKey(env, config));
  const record = locateRecord(env, place);
  if (!existsSync(record)) return { file: place, concerns, trust: "never trusted" };
  const { file: known, hash } = readRecord(record);
  return { file: place, concerns, trust: known === place && hash === hashText(text) ? "trusted" : "changed" };
}

/** The environment as if every key were set: trust covers those that are set later, so they are told now. */
function withEveryKey(env: Env, { endpoints = [] }: UserConfig): Env {
  const named = endpoints.flatMap(({ name, key_env }) => key_env ?? findProvider(name)?.keyVariables[0] ?? []);
  return { ...env, ...Object.fromEntries(named.map((variable) => [variable, "set"])) };
}

/** Trusts a configuration as it is now; a change of it ends that. */
export function trustFile(env: Env, file: string, now: Date): Trusted {
  const trusted = { file: realpathSync(file), hash: hashText(readText(file)), at: now.toISOString() };
  const record = locateRecord(env, trusted.file);
  makePrivateFile(record);
  replaceFile(record, `${JSON.stringify(trusted)}\n`);
  return trusted;
}

/** Ends the trust in a configuration, also in one that is gone; false when there was none. */
export function distrustFile(env: Env, file: string): boolean {
  const record = locateRecord(env, existsSync(file) ? realpathSync(file) : file);
  if (!existsSync(record)) return false;
  rmSync(record);
  return true;
}

/** Every configuration that is trusted, by its place. */
export function listTrusted(env: Env): Trusted[] {
  const folder = locateRecords(env);
  const records = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
  const trusted = records.map((name) => readRecord(join(folder, name)));
  return trusted.sort((a, b) => (a.file < b.file ? -1 : 1));
}

function readRecord(record: string): Trusted {
  try {
    return TrustedSchema.parse(JSON.parse(readFileSync(record, "utf8")));
  } catch (cause) {
    throw new ParleyError("bad_config", `${record} does not say what is trusted; remove it, and trust that again`, {
      cause,
    });
  }
}

/** One record for each configuration: two that are trusted at the same moment do not meet. */
function locateRecord(env: Env, place: string): string {
  return join(locateRecords(env), `${hashText(place)}.json`);
}

function locateRecords(env: Env): string {
  return join(locateUserFolder(env), "trusted");
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
