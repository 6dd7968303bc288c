import type * as z from "zod";
import { type ErrorCode, ParleyError } from "../../contract/error.ts";
import { explainIssues, formatPath } from "../../text/explain-issues.ts";
import { isRecord } from "../../text/is-record.ts";
import { findUnplain } from "../../text/plain-value.ts";
import { shortenText } from "../../text/short-text.ts";
import { parseYaml } from "./read-yaml.ts";

/** Checks a value from outside against its schema; everything that is wrong is said at once, each with its place. */
export function checkValue<T>(schema: z.ZodType<T>, value: unknown, what: string, code: ErrorCode): T {
  const problem = findUnplain(value);
  if (problem) throw new ParleyError(code, `${what}: ${formatPath(problem.path) || "the value"}: ${problem.message}`);
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const lines = explainIssues(schema, parsed.error).map(({ path, message }) =>
    path.length > 0 ? `${formatPath(path)}: ${message}` : message,
  );
  const text = lines.length === 1 ? ` ${lines[0]}` : `\n  ${lines.slice(0, 20).join("\n  ")}`;
  throw new ParleyError(code, `${what}:${text}`);
}

/** Adds `key.path=value` settings (values are YAML) to a config; later ones win. */
export function withSettings(config: unknown, settings: readonly string[]): Record<string, unknown> {
  const result = structuredClone(requireSettings(config));
  for (const setting of settings) {
    const at = setting.indexOf("=");
    if (at < 1)
      throw new ParleyError("bad_config", `--set ${shortenText(setting)}: write it as key=value, e.g. debate.rounds=2`);
    const keys = setting.slice(0, at).trim().split(".");
    if (keys.some((key) => key === "" || key === "__proto__"))
      throw new ParleyError(
        "bad_config",
        `--set ${shortenText(setting)}: "${shortenText(setting.slice(0, at))}" is not a key`,
      );
    place(result, keys, parseYaml(setting.slice(at + 1), `--set ${shortenText(setting)}`).value);
  }
  return result;
}

function place(target: Record<string, unknown>, keys: string[], value: unknown): void {
  const [key = "", ...rest] = keys;
  if (rest.length === 0) target[key] = value;
  else {
    target[key] = { ...requireSettings(Object.hasOwn(target, key) ? target[key] : null) };
    place(target[key] as Record<string, unknown>, rest, value);
  }
}

function requireSettings(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
