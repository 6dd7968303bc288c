import { parseLogs } from "./parse-logs.ts";
import type { ParsedLog } from "../../contract/parsed-log.ts";

/** A case from the text of a log, as if it came on standard input. */
export function parseText(text: string): Promise<ParsedLog> {
  const bytes = new TextEncoder().encode(text);
  const stdin = (async function* () {
    yield bytes;
  })();
  return parseLogs(["-"], { stdin });
}
