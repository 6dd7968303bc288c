import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import { isRecord } from "../../text/is-record.ts";

/** The files of recorded debates, each with what it is called in errors; `isList` when a folder of debates was named. */
type Recorded = { debates: { where: string; value: Record<string, unknown> }[]; isList: boolean };

/** Reads a debate from a file or a folder of artifacts, or all debates of a folder. */
export function readRecordedFiles(cwd: string, given: string): Recorded {
  const path = resolve(cwd, given);
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new ParleyError("bad_input", `${given}: there is no such file or folder`);
  if (!found.isDirectory()) return { debates: [{ where: given, value: readFile(path, given) }], isList: false };
  const names = readdirSync(path).toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const inside = names.map((name) => ({ name, path: join(path, name), where: join(given, name) }));
  const isDebate = names.some((name) => /^(?:debate_|critique_)/.test(name));
  if (isDebate) return { debates: [{ where: given, value: readFolder(path, given) }], isList: false };
  const debates = inside.flatMap((one) => {
    if (statSync(one.path).isDirectory()) return [{ where: one.where, value: readFolder(one.path, one.where) }];
    return extname(one.name) === ".json" ? [{ where: one.where, value: readFile(one.path, one.where) }] : [];
  });
  if (debates.length > 0) return { debates, isList: true };
  throw new ParleyError(
    "bad_input",
    `${given}: no recorded debate is here; a debate is a folder with debate_round1_nla.json, … or a JSON file { query, files }`,
  );
}

function readFile(path: string, where: string): Record<string, unknown> {
  const value = parseJson(path, where);
  if (!isRecord(value))
    throw new ParleyError("bad_input", `${where}: a recorded debate is a JSON object { query, files }`);
  return { id: basename(path, extname(path)), ...value };
}

function readFolder(path: string, where: string): Record<string, unknown> {
  const names = readdirSync(path).filter((name) => extname(name) === ".json");
  const files = names.map((name) => [name, parseJson(join(path, name), join(where, name))] as const);
  return { id: basename(path), files: Object.fromEntries(files) };
}

function parseJson(path: string, where: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new ParleyError("bad_input", `${where}: not readable as JSON`, { cause });
  }
}
