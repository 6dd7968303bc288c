import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { isNode, LineCounter, parseDocument } from "yaml";
import { ParleyError } from "../../contract/error.ts";
import { explainIssues, pathText } from "../../contract/explain-issues.ts";
import { type Study, StudySchema } from "./study-schema.ts";

/** Reads a study file; what is wrong in it is said with its line. */
export function readStudy(path: string): Study {
  return parseStudy(readText(path), basename(path));
}

/** The study that a YAML text describes; `name` stands for the file in messages. */
export function parseStudy(text: string, name: string): Study {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: true });
  const [broken] = document.errors;
  if (broken) throw new ParleyError("bad_config", `${name}: this is no valid YAML: ${broken.message}`);
  const parsed = StudySchema.safeParse(document.toJS({ maxAliasCount: 100 }), { reportInput: true });
  if (parsed.success) return parsed.data;
  const lineOf = (path: PropertyKey[]): string => {
    for (let depth = path.length; depth > 0; depth--) {
      const node = document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return `:${lines.linePos(node.range[0]).line}`;
    }
    return "";
  };
  const problems = explainIssues(StudySchema, parsed.error).map(({ path, message }) =>
    path.length === 0 ? `${name}: ${message}` : `${name}${lineOf(path)}: ${pathText(path)}: ${message}`,
  );
  throw new ParleyError("bad_config", problems.join("\n"));
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new ParleyError("bad_input", `cannot read the study file ${path}: ${(cause as Error).message}`, { cause });
  }
}
