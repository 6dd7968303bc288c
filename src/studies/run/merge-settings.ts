import { isRecord } from "../../text/is-record.ts";

type Settings = Record<string, unknown>;

/** Settings with others laid over them: objects merge, everything else is replaced. */
export function mergeSettings(base: Settings, over: Settings): Settings {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key];
    merged[key] = isRecord(before) && isRecord(value) ? mergeSettings(before, value) : value;
  }
  return merged;
}
