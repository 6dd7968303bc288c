import type { LogEvent, ParsedLog } from "../../logs/index.ts";

/** Trouble as far as it matters for what belongs together: where it is told, what it is about, and since when. */
export type Sighting = {
  lines: readonly { file: string | null; line: number }[];
  places: readonly string[];
  firstMs: number | null;
  strength: number;
};

/** Trouble of unrelated programs runs in separate strands. */
export type Strands = {
  /** The strand of some trouble or of cited lines; null when it cannot be told apart, and belongs to all. */
  of(sighting: Pick<Sighting, "lines">): number | null;
  /** Each strand's programs and when its trouble began; one strand or none means that there is nothing to separate. */
  list: { programs: string[]; firstMs: number | null }[];
};

/** Weaker trouble is in everybody's log; it neither makes a strand nor links two. */
const clear = 0.3;
/** What begins this near to each other may well have one cause, whoever tells it. */
const togetherMs = 120_000;

/**
 * Splits trouble by the programs that tell it (root-cause spec §4.8). Programs belong together when one's trouble names the
 * other, both blame the same place, one calls the other, or their trouble began at the same time.
 */
export function splitStrands(log: ParsedLog, sightings: readonly Sighting[]): Strands {
  const programOf = locatePrograms(log);
  const troubled = Map.groupBy(
    sightings.filter(({ strength, lines }) => strength >= clear && lines.length > 0),
    (sighting) => findProgram(sighting, programOf) ?? "",
  );
  if (troubled.has("")) return { of: () => null, list: [] };
  const calls = [...(log.hops ?? []), ...(log.topology ?? [])].map(({ caller, callee }) => `${caller} ${callee}`);
  const called = new Set(calls.map((pair) => pair.toLowerCase()));
  const textOf = locateTexts(log);
  const programs = [...troubled].map(([name, own]) => describe(name, own, textOf));
  const groups = group(programs, (a, b) => isRelated(a, b) || isRelated(b, a) || isCalled(a, b, called));
  const strandOf = new Map(groups.flatMap((all, index) => all.map(({ name }) => [name, index] as const)));
  return {
    of: (sighting) => (groups.length < 2 ? null : (strandOf.get(findProgram(sighting, programOf) ?? "") ?? null)),
    list: groups.map((all) => ({
      programs: all.map(({ name }) => name),
      firstMs: findFirst(all.map(({ firstMs }) => firstMs)),
    })),
  };
}

type Program = { name: string; names: string[]; text: string; firstMs: number | null };

function describe(name: string, own: Sighting[], textOf: Locate): Program {
  const places = own.flatMap((sighting) => sighting.places);
  return {
    name,
    names: [...new Set([name, ...places].map((one) => one.toLowerCase()))],
    text: own
      .flatMap(({ lines }) => lines.map(({ file, line }) => textOf(file, line) ?? ""))
      .join("\n")
      .toLowerCase(),
    firstMs: findFirst(own.map(({ firstMs }) => firstMs)),
  };
}

function isRelated(a: Program, b: Program): boolean {
  if (a.firstMs === null || b.firstMs === null || Math.abs(a.firstMs - b.firstMs) <= togetherMs) return true;
  const sharesPlace = a.names.some((name) => b.names.includes(name));
  return sharesPlace || b.names.some((name) => name.length >= 3 && mentions(a.text, name));
}

function mentions(text: string, name: string): boolean {
  const plain = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w-])${plain}(?![\\w-])`).test(text);
}

function isCalled(a: Program, b: Program, calls: ReadonlySet<string>): boolean {
  return a.names.some((one) => b.names.some((other) => calls.has(`${one} ${other}`) || calls.has(`${other} ${one}`)));
}

/** Joins what is related to one another, directly or by way of others. */
function group<T>(items: readonly T[], isLinked: (a: T, b: T) => boolean): T[][] {
  const groups: T[][] = [];
  for (const item of items) {
    const linked = groups.filter((all) => all.some((other) => isLinked(item, other)));
    for (const one of linked) groups.splice(groups.indexOf(one), 1);
    groups.push([...linked.flat(), item]);
  }
  return groups;
}

type Locate = (file: string | null, line: number) => string | null;

/** The program that a line is from; lines inside an event are its. */
function locatePrograms(log: ParsedLog): Locate {
  const known = new Map<string, string | null>();
  for (const event of log.events) {
    const program = nameProgram(event, log);
    for (let line = event.line; line <= (event.last_line ?? event.line); line += 1)
      known.set(`${event.file} ${line}`, program);
  }
  for (const { file, first_line, component } of log.templates) {
    const key = `${file} ${first_line}`;
    if (first_line !== null && !known.has(key)) known.set(key, nameProgram({ file, component }, log));
  }
  return (file, line) => known.get(`${file} ${line}`) ?? null;
}

/** What a line says, without the head that names its own machine and program. */
function locateTexts({ events }: ParsedLog): Locate {
  const known = new Map<string, string>();
  for (const { file, line, message, raw } of events) {
    known.set(`${file} ${line}`, message);
    for (const [index, text] of raw.split("\n").slice(1).entries()) known.set(`${file} ${line + index + 1}`, text);
  }
  return (file, line) => known.get(`${file} ${line}`) ?? null;
}

const plainName = /^[a-z][a-z0-9_-]*$/;

/** The service, or a plain name such as syslog has; a class is a part of the program whose file it is. */
function nameProgram(
  { service, component, file }: Pick<LogEvent, "service" | "component" | "file">,
  { sources }: ParsedLog,
): string | null {
  if (service !== undefined) return service;
  if (component !== null && plainName.test(component)) return component;
  if (file === null || sources.length < 2) return null;
  return file.replace(/^.*[\\/]/, "").replace(/\.(?:log|txt|out|jsonl?|gz|\d+)\b.*$/i, "") || null;
}

function findProgram({ lines }: Pick<Sighting, "lines">, programOf: Locate): string | null {
  for (const { file, line } of lines) {
    const program = programOf(file, line);
    if (program !== null) return program;
  }
  return null;
}

function findFirst(times: readonly (number | null)[]): number | null {
  const known = times.flatMap((time) => time ?? []);
  return known.length === 0 ? null : Math.min(...known);
}
