import type { Level } from "../../../contract/parsed-log.ts";

const names: Record<Level, string> = {
  TRACE: "trace verbose vrb v finest finer .",
  DEBUG: "debug dbg d fine -",
  INFO: "info inf information informational notice note system i config log *",
  WARN: "warn warning wrn w #",
  ERROR: "error err e severe failure fail",
  FATAL: "fatal ftl f critical crit alert emerg emergency panic a",
};

const levelOfName = new Map<string, Level>(
  Object.entries(names).flatMap(([level, words]) =>
    words.split(" ").flatMap((word) => listSpellings(word).map((spelling) => [spelling, level as Level] as const)),
  ),
);

function listSpellings(word: string): string[] {
  return [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)];
}

/** The level that a word or letter of a header names, else null. */
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
