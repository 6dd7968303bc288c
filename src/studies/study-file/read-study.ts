import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import { explainIssues, formatPath } from "../../text/explain-issues.ts";
import { parseYaml } from "../../runs/settings/read-yaml.ts";
import { type Study, StudySchema } from "./study-schema.ts";

/** Reads a study file; what is wrong in it is said with its line. */
export function readStudy(path: string): Study {
  return parseStudy(readText(path), basename(path));
}

/** The study that a YAML text describes; `name` stands for the file in messages. */
export function parseStudy(text: string, name: string): Study {
  const { value, lineOf } = parseYaml(text, name);
  const parsed = StudySchema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const problems = explainIssues(StudySchema, parsed.error).map(({ path, message }) => {
    const line = lineOf(path);
    return path.length === 0
      ? `${name}: ${message}`
      : `${name}${line === null ? "" : `:${line}`}: ${formatPath(path)}: ${message}`;
  });
  throw new ParleyError("bad_config", problems.slice(0, 20).join("\n"));
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new ParleyError("bad_input", `cannot read the study file ${path}: ${(cause as Error).message}`, { cause });
  }
}
