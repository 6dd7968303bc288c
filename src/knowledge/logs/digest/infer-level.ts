import { readLevel } from "../header/level.ts";
import type { Level } from "../../../contract/parsed-log.ts";

/** A level that stands near the beginning of the message, in capitals as no sentence has it. */
const stated =
  /^.{0,60}?(?:^|[\s|[<(-])(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|SEVERE|FATAL|CRITICAL)(?=[\]>)|:]|\s+[-:|\w])/;

/** A level that the message begins with, as programs write it that log without levels: `warning: …`. */
const begun = /^(debug|info|notice|warning|warn|error|fatal|panic|critical)(?:: |\[)/i;

const fatal = /\b(?:fatal|panic|emergency|critical|crash(?:ed)?|segfault|out of memory|oom-kill\w*|core dumped)\b/i;
const error =
  /\b(?:errors?|err|fail(?:s|ed|ure|ures|ing)?|exceptions?|denied|refused|abort(?:ed|ing)?|cannot|can't|could not|couldn't|unable|invalid|unreachable|timed out|timeout|corrupt(?:ed|ion)?|broken|lost|killed|rejected|no such|not found|no route|no space|deadlock|unauthorized|forbidden|unavailable|unhealthy|(?:is|are|went|marked|now) down|no \w+ available|unexpected(?:ly)?|illegal|severed|terminated abnormally|exited abnormally|break-in)\b|[a-z](?:Exception|Error)\b/i;
const warning =
  /\b(?:warn(?:ing)?|retry(?:ing)?|retries|slow|deprecated|degraded|exceeds?|exceeded|missing|ignor(?:ed|ing)|skipp(?:ed|ing)|dropp(?:ed|ing)|not responding|suspicious)\b/i;
const harmless = /\b(?:no errors?|0 errors?|without errors?|errors?[:=] ?0|errors? corrected|0 fail(?:ed|ures?))\b/i;

/** Infers a level where the layout has none: the one that the message states, else from its words; null when nothing points to trouble. */
export function inferLevel(message: string): Level | null {
  if (message.length > 1000) return inferLevel(message.slice(0, 1000));
  const said = (begun.exec(message) ?? stated.exec(message))?.[1];
  if (said !== undefined) return readLevel(said.toUpperCase());
  if (fatal.test(message)) return "FATAL";
  if (error.test(message)) return harmless.test(message) ? null : "ERROR";
  return warning.test(message) ? "WARN" : null;
}
