import { readFileSync } from "node:fs";
import { hasCode, ParleyError } from "../contract/error.ts";

export const version: string = (
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string }
).version;

export function nameVersions(error: unknown, recordedBy: string): unknown {
  if (!hasCode(error, "drifted")) return error;
  const readBy = recordedBy === version ? "as is this one: its code or prompts were changed" : `this is ${version}`;
  return new ParleyError("drifted", `${error.message}\nIt was recorded by Parley ${recordedBy}; ${readBy}.`, {
    cause: error,
    details: { ...error.details, recordedBy, readBy: version },
  });
}
