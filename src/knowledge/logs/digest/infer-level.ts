import type { Level } from "../schemas/parsed-log.ts";

const fatal = /\b(?:fatal|panic|emergency|critical|crash(?:ed)?|segfault|out of memory|oom-kill\w*|core dumped)\b/i;
const error =
  /\b(?:errors?|err|fail(?:s|ed|ure|ures|ing)?|exceptions?|denied|refused|abort(?:ed|ing)?|cannot|can't|could not|couldn't|unable|invalid|unreachable|timed out|timeout|corrupt(?:ed|ion)?|broken|lost|killed|rejected|no such|not found|no route|no space|deadlock|unexpected(?:ly)?|illegal|severed|terminated abnormally|exited abnormally|break-in)\b|[a-z](?:Exception|Error)\b/i;
const warning =
  /\b(?:warn(?:ing)?|retry(?:ing)?|retries|slow|deprecated|degraded|exceeds?|exceeded|missing|ignor(?:ed|ing)|skipp(?:ed|ing)|dropp(?:ed|ing)|not responding|suspicious)\b/i;
const harmless = /\b(?:no errors?|0 errors?|without errors?|errors?[:=] ?0|errors? corrected|0 fail(?:ed|ures?))\b/i;

/** Infers a level from a message's words where the log has none; null when nothing points to trouble. */
export function inferLevel(message: string): Level | null {
  if (message.length > 1000) return inferLevel(message.slice(0, 1000));
  if (fatal.test(message)) return "FATAL";
  if (error.test(message)) return harmless.test(message) ? null : "ERROR";
  return warning.test(message) ? "WARN" : null;
}
