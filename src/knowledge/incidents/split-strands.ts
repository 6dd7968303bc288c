import type { LogEvent, ParsedLog } from "../../contract/parsed-log.ts";
import type { Suspect } from "./read-log.ts";
import type { CitedLine } from "./scene.ts";

export type Strand = { programs: string[]; from: number | null; holds(line: CitedLine): boolean };

const clear = 0.3;
const togetherMs = 120_000;

type Program = { name: string; names: string[]; text: string; from: number | null };

/**
 * Splits trouble by the programs that tell it (root-cause spec §4.8). Programs belong together when one's trouble names
 * the other, both blame the same place, one calls the other, or their trouble began at the same time; where the program of
 * some clear trouble is not known, nothing is split.
 */
export function splitStrands(log: ParsedLog, suspects: readonly Suspect[]): Strand[] {
  const holders = new Map<string, LogEvent>();
  for (const event of log.events)
    for (let line = event.line; line <= (event.last_line ?? event.line); line += 1)
      holders.set(`${event.file} ${line}`, event);
  const eventOf = ({ file, line }: CitedLine) => holders.get(`${file} ${line}`);
  const programOf = (line: CitedLine) => nameProgram(eventOf(line), log);
  const clearOnes = suspects.filter(({ strength, lines }) => strength >= clear && lines.length > 0);
  const troubled = Map.groupBy(clearOnes, ({ lines }) => lines.flatMap((line) => programOf(line) ?? [])[0] ?? "");
  if (troubled.has("")) return [];
  const calls = new Set(
    [...(log.hops ?? []), ...(log.topology ?? [])].map(({ caller, callee }) => `${caller} ${callee}`.toLowerCase()),
  );
  const programs = [...troubled].map(([name, own]): Program => {
    const froms = own.flatMap(({ from }) => from ?? []);
    const texts = own.flatMap(({ lines, words }) => [words, ...lines.map((line) => eventOf(line)?.message ?? "")]);
    const names = [...new Set([name, ...own.flatMap(({ place }) => place ?? [])].map((one) => one.toLowerCase()))];
    return { name, names, text: texts.join("\n").toLowerCase(), from: froms.length > 0 ? Math.min(...froms) : null };
  });
  const groups = joinLinked(programs, (a, b) => isRelated(a, b) || isRelated(b, a) || isCalled(a, b, calls));
  if (groups.length < 2) return [];
  return groups.map((group) => {
    const names = group.map(({ name }) => name);
    const froms = group.flatMap(({ from }) => from ?? []);
    return {
      programs: names,
      from: froms.length > 0 ? Math.min(...froms) : null,
      holds: (line) => names.includes(programOf(line) ?? ""),
    };
  });
}

function isRelated(a: Program, b: Program): boolean {
  if (a.from === null || b.from === null || Math.abs(a.from - b.from) <= togetherMs) return true;
  return (
    a.names.some((name) => b.names.includes(name)) || b.names.some((name) => name.length >= 3 && mentions(a.text, name))
  );
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w-])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`).test(text);
}

function isCalled(a: Program, b: Program, calls: ReadonlySet<string>): boolean {
  return a.names.some((one) => b.names.some((other) => calls.has(`${one} ${other}`) || calls.has(`${other} ${one}`)));
}

function joinLinked<T>(items: readonly T[], isLinked: (a: T, b: T) => boolean): T[][] {
  const groups: T[][] = [];
  for (const item of items) {
    const linked = groups.filter((group) => group.some((other) => isLinked(item, other)));
    for (const one of linked) groups.splice(groups.indexOf(one), 1);
    groups.push([...linked.flat(), item]);
  }
  return groups;
}

function nameProgram(event: LogEvent | undefined, { sources }: ParsedLog): string | null {
  if (event === undefined) return null;
  const { service, component, file } = event;
  if (service !== undefined) return service;
  if (component !== null && /^[a-z][a-z0-9_-]*$/.test(component)) return component;
  if (file === null || sources.length < 2) return null;
  return file.replace(/^.*[\\/]/, "").replace(/\.(?:log|txt|out|jsonl?|gz|\d+)\b.*$/i, "") || null;
}
