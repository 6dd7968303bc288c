import type { Level } from "../../../contract/parsed-log.ts";
import { copyText } from "./event.ts";
import { layoutData, wordData } from "./log-data.ts";

const levelOfName = new Map<string, Level>(
  Object.entries(layoutData.levels).flatMap(([level, words]) =>
    words.flatMap((word) =>
      [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)].map(
        (spelling) => [spelling, level as Level] as const,
      ),
    ),
  ),
);

/** The level named by a word or letter of a header; null if none. */
export function readLevel(word: string): Level | null {
  return levelOfName.get(word) ?? null;
}

/** Pino and bunyan write 10 (trace) to 60 (fatal). */
export function readNumericLevel(value: number): Level | null {
  const level = (["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL"] as const)[Math.floor(value / 10) - 1];
  return level ?? null;
}

/** Syslog severities 0 (emergency) to 7 (debug), the low three bits of a priority. */
export function readPriority(priority: number): Level {
  return (["FATAL", "FATAL", "FATAL", "ERROR", "WARN", "INFO", "INFO", "DEBUG"] as const)[priority & 7] ?? "INFO";
}

const stated =
  /^.{0,60}?(?:^|[\s|[<(-])(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|SEVERE|FATAL|CRITICAL)(?=[\]>)|:]|\s+[-:|\w])/;
/** A level at the start of the message, from programs without levels: `warning: …`. */
const begun = /^(debug|info|notice|warning|warn|error|fatal|panic|critical)(?:: |\[)/i;
const [fatal, error, warning, harmless] = (["fatal", "error", "warning", "harmless"] as const).map(
  (name) => new RegExp(wordData.levels[name], "i"),
) as [RegExp, RegExp, RegExp, RegExp];

/** Infers a level if the layout has none: from its first word, else from its words; null without signs of trouble. */
export function inferLevel(message: string): Level | null {
  const text = message.slice(0, 1000);
  const said = (begun.exec(text) ?? stated.exec(text))?.[1];
  if (said !== undefined) return readLevel(said.toUpperCase());
  if (fatal.test(text)) return "FATAL";
  if (error.test(text)) return harmless.test(text) ? null : "ERROR";
  return warning.test(text) ? "WARN" : null;
}

const noComponent = new RegExp(wordData.no_component, "i");
const thread = new RegExp(wordData.threads, "i");
const exception = /(?:Exception|Error|Throwable|Failure)$/;

function remember(judge: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size >= 4096) known.clear();
    const found = judge(name);
    known.set(copyText(name), found);
    return found;
  };
}

/** True for possible component names: not a log level, `NULL`, an exception, a file extension or a number. */
export const isComponentName = remember((name) => {
  if (!/[A-Za-z]/.test(name) || name.length > 200) return false;
  const isLevel = name.length > 1 && readLevel(name) !== null && name.toLowerCase() !== "config";
  return !isLevel && !noComponent.test(name) && !exception.test(name);
});

export function isExceptionName(name: string): boolean {
  return exception.test(name);
}

export const isBracketedComponent = remember(
  (name) => /^[A-Za-z][\w.-]*$/.test(name) && !thread.test(name) && !/^req[-_]/.test(name) && isComponentName(name),
);

const templateHash = "(?=[a-z0-9]*\\d)[a-z0-9]{3,10}|[bcdfghjklmnpqrstvwxz2456789]{8,10}";
const podName = new RegExp(`^(.+?)-(?:(?:${templateHash})-[a-z0-9]{1,5}|\\d+)$`);

/** The workload of a pod: `search` for `search-7c9d6f8b9c-x2x9z`, `db` for `db-0`. */
export function nameWorkload(pod: string): string {
  return podName.exec(pod)?.[1] ?? pod;
}

const endings = new Set(wordData.endings);
const aliases = new Map(
  Object.entries(wordData.aliases).flatMap(([name, forms]) => forms.map((form) => [form, name] as const)),
);

/**
 * The canonical name of a component (root-cause spec §2.5): the last segment of a dotted or slashed name, without
 * anything after `$`, `#` or `@`, a version or a process number. `dfs.DataNode$Xceiver` and
 * `org.apache.hadoop.hdfs.server.datanode.DataNode` are both `DataNode`.
 */
export function nameEntity(name: string): string {
  const whole = name.trim().replace(/\[\d*\]$/, "");
  if (
    /^[\d.:/]+$/.test(whole) ||
    whole.includes(":/") ||
    /^\S+\.(?:com|net|org|io|local|internal|cluster\.local)$/i.test(whole)
  )
    return whole;
  const outer = whole.replace(/(?<=\w)[$#].*$/, "").replace(/@[\w.-]*$/, "");
  const segment = outer
    .split(/[./\\]+/)
    .findLast((part) => /[A-Za-z]{2}/.test(part) && !endings.has(part.toLowerCase()));
  const last = /^[a-z-]+\.[a-z]?\d{1,3}$/.test(outer) ? outer : (segment ?? outer);
  return aliases.get(last.toLowerCase()) ?? last;
}

/** Lower-cased words, so that `data-node`, `data_node` and `DataNode` are one. */
export function keyEntity(name: string): string {
  return nameEntity(name)
    .replace(/[-_.\s]+/g, "")
    .toLowerCase();
}

/** The program whose log a file is: `rates` for `logs/rates.log.gz`. */
export function nameFile(file: string): string {
  return file.replace(/^.*[\\/]/, "").replace(/(?:\.(?:log|txt|out|jsonl?|gz|\d+))+$/i, "");
}

/** A name at the start of a message without a component field: `n3`, `plc.pump-2`. */
export function readLeadingName(message: string): string | null {
  const [, name = ""] = /^([A-Za-z][\w.-]{1,40})(?:\[\d+\])?:? /.exec(message) ?? [];
  return /[\d.-]/.test(name) && !/^\w+\.$/.test(name) ? name : null;
}
