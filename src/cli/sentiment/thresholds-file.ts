import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import { profiles, SentimentConfigSchema } from "../../packs/sentiment/index.ts";
import { isRecord } from "../../text/is-record.ts";
import type { Io } from "../terminal/io.ts";

/** The settings of threshold files (`debate_override_thresholds.json`, `debate_thresholds.json`), each as `key=value`. */
export function readThresholds(io: Io, files: readonly string[], given: readonly string[]): string[] {
  const asked = given.findLast((setting) => setting.startsWith("debate_override.profile="))?.split("=")[1];
  return files.flatMap((file) => listSettings(file, readJson(io, file), asked));
}

const sections = (["debate_override", "debate_thresholds"] as const).map((name) => ({
  name,
  keys: Object.keys(SentimentConfigSchema.parse({})[name]),
}));

/** Thresholds as a flat list, under the name of their section, or one set of them for each profile. */
function listSettings(file: string, values: Record<string, unknown>, asked: string | undefined): string[] {
  const flat = isRecord(values.pipeline) ? values.pipeline : values;
  const named = Object.entries(flat).flatMap(([key, value]): string[] => {
    if (key === "default_profile" || key === "profiles" || Object.hasOwn(profiles, key)) return [];
    if (isRecord(value) && sections.some(({ name }) => name === key)) return listSettings(file, value, asked);
    const section = sections.find(({ keys }) => keys.includes(key));
    if (section) return [`${section.name}.${key}=${JSON.stringify(value)}`];
    const known = sections.flatMap(({ keys }) => keys).join(", ");
    throw new ParleyError("bad_config", `${file}: "${key}" is not a threshold; known are ${known}`);
  });
  return [...listProfile(file, flat, asked), ...named];
}

/** A file with several profiles gives the thresholds of the one that is asked for, else of its `default_profile`, else of t0. */
function listProfile(file: string, values: Record<string, unknown>, asked: string | undefined): string[] {
  const sets = isRecord(values.profiles) ? values.profiles : values;
  if (!Object.keys(profiles).some((name) => isRecord(sets[name]))) return [];
  const profile = asked ?? (typeof values.default_profile === "string" ? values.default_profile : "t0");
  const own = sets[profile];
  if (!isRecord(own)) throw new ParleyError("bad_config", `${file}: it has no profile "${profile}"`);
  return [`debate_override.profile=${profile}`, ...listSettings(file, own, asked)];
}

function readJson(io: Io, file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(resolve(io.cwd, file), "utf8"));
    if (isRecord(value)) return value;
  } catch (cause) {
    throw new ParleyError("bad_config", `${file}: no thresholds can be read: ${(cause as Error).message}`, { cause });
  }
  throw new ParleyError("bad_config", `${file}: thresholds are a JSON object, e.g. {"min_total": 1.6}`);
}
