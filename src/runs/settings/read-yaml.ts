import { createRequire } from "node:module";
import type { Document, LineCounter } from "yaml";
import { ParleyError } from "../../contract/error.ts";
import { formatPath } from "../../text/explain-issues.ts";
import { findUnplain } from "../../text/plain-value.ts";

/** A YAML (or JSON) text as plain data, and where in the text a value stands. */
export type Yaml = { value: unknown; lineOf(path: readonly PropertyKey[]): number | null };

const mostCharacters = 8_000_000;

type Library = typeof import("yaml");
let library: Library | null = null;

/** The YAML library, loaded when the first text is read: most commands read none. */
function loadLibrary(): Library {
  library ??= createRequire(import.meta.url)("yaml") as Library;
  return library;
}

/** Reads a YAML text; what is no plain data (loops, alias bombs, unknown tags, keys given twice) is an error with its place. */
export function parseYaml(text: string, what: string): Yaml {
  const fail = (why: string, cause?: unknown) => new ParleyError("bad_config", `${what}: ${why}`, { cause });
  if (text.length > mostCharacters) throw fail(`${text.length} characters are too many; at most ${mostCharacters}`);
  const lines = new (loadLibrary().LineCounter)();
  const document = loadLibrary().parseDocument(text, { lineCounter: lines, prettyErrors: true, logLevel: "silent" });
  const [trouble] = [...document.errors, ...document.warnings];
  if (trouble) throw fail(`not valid YAML: ${explainTrouble(trouble)}`, trouble);
  const lineOf = (path: readonly PropertyKey[]): number | null => findLine(document, lines, path);
  const key = findStrangeKey(document);
  if (key !== null) throw fail(`not valid YAML: a key must be a word, line ${lines.linePos(key).line}`);
  const value = readPlainValue(document, fail);
  const problem = findUnplain(value);
  if (problem) throw fail(`${formatPath(problem.path) || "the value"}: ${problem.message}`);
  return { value, lineOf };
}

function explainTrouble({ message }: Error): string {
  return message.trim().replace(/^Maximum call stack size exceeded/, "nested too deep");
}

function readPlainValue(document: Document.Parsed, fail: (why: string, cause?: unknown) => ParleyError): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch (cause) {
    throw fail(`not valid YAML: ${(cause as Error).message}`, cause);
  }
}

/** Where a key stands that is a list, a map, or nothing. */
function findStrangeKey(document: Document.Parsed): number | null {
  const { isNode, isScalar, visit } = loadLibrary();
  let at: number | null = null;
  visit(document, {
    Pair(_, { key }) {
      if (isScalar(key) && key.value !== null) return undefined;
      at = isNode(key) ? (key.range?.[0] ?? 0) : 0;
      return visit.BREAK;
    },
  });
  return at;
}

/** The line of the deepest part of a path that is there. */
function findLine(document: Document.Parsed, lines: LineCounter, path: readonly PropertyKey[]): number | null {
  for (let depth = path.length; depth > 0; depth--) {
    const node = document.getIn(path.slice(0, depth), true);
    if (loadLibrary().isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return null;
}
