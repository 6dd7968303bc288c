import type { Category } from "../../contract/incident.ts";
import type { LogFinding, LogHop, LogTemplate, ParsedLog } from "../../contract/parsed-log.ts";
import { nameEntity } from "../logs/index.ts";
import {
  type About,
  type CitedLine,
  isHarmless,
  isTrouble,
  listTokens,
  rateLink,
  type Scene,
  setScene,
  type Statement,
  sumCounts,
} from "./scene.ts";
import { matchNumber } from "./signs.ts";

export const suspectKinds = ["words", "order", "numbers", "calls", "silence"] as const;

/** Something of the log that may be the cause (root-cause spec §4.6). */
export type Suspect = {
  kind: (typeof suspectKinds)[number];
  category: Category;
  place: string | null;
  says: string;
  words: string;
  /** Whether a line states it as what broke, or only shows that something is wrong. */
  role: "cause" | "symptom" | "change";
  strength: number;
  from: number | null;
  lines: CitedLine[];
  after: string | null;
  follows: string | null;
  resolution: string[];
};

export type LogReading = {
  onset: number | null;
  suspects: Suspect[];
  calm: number;
  calmLines: CitedLine[];
  calmSays: string[];
};

const mostSuspects = 12;
const nothing = { after: null, follows: null, resolution: [] as string[] };

/** Reads a log for what may be the cause of its trouble; order and numbers go before loudness. */
export function readLog(log: ParsedLog): LogReading {
  const scene = setScene(log);
  const found = [
    ...scene.statements.flatMap((statement) => suspectWords(statement, scene)),
    ...log.findings.flatMap((finding) => suspectFinding(finding, scene)),
    ...(log.hops ?? []).flatMap((hop) => suspectCall(hop, scene)),
    ...(log.reference?.vanished ?? []).slice(0, 5).flatMap((template) => suspectMissing(template, scene)),
  ];
  const ranked = rank(joinNumbers(group(found)), scene);
  return { onset: scene.onset, suspects: ranked.slice(0, mostSuspects), ...weighCalm(ranked, scene) };
}

function rateOrder(from: number | null, { onset, end }: Scene): number {
  if (onset === null || from === null || from <= onset + 2000) return 1;
  return 1 - 0.45 * Math.min(1, (from - onset) / Math.max(60_000, 0.5 * (end - onset)));
}

function suspectWords(one: Statement, scene: Scene): Suspect[] {
  const { sign, change, level, template } = one;
  if (isHarmless(sign)) return [];
  const before = findAntecedent(one.from, one, scene);
  const base = {
    kind: "words" as const,
    place: one.place,
    words: shorten(one.said),
    from: one.from,
    ...nothing,
    after: before.after,
    lines: [one.line, ...before.lines, ...moreLines(one, scene)],
  };
  const loud = template.spread > 1 ? 1 / Math.sqrt(Math.min(4, template.spread)) : 1;
  const novelty = one.isSteady ? (isSteadyTrouble(one) ? 0.5 : 0.12) : 1;
  if (sign) {
    const weight = sign.role === "cause" ? sign.strength : 0.9 * sign.strength * loud;
    const role = sign.role === "cause" ? ("cause" as const) : ("symptom" as const);
    return [
      {
        ...base,
        category: sign.category,
        says: sign.says,
        role,
        strength: weight * novelty,
        resolution: sign.resolution,
      },
    ];
  }
  const quiet = suspectQuiet(one, scene);
  if (quiet || level < 2) return quiet ? [quiet] : [];
  const weight = (level >= 3 ? 0.42 : 0.3) * loud * novelty * rateOrder(one.from, scene);
  const category = change?.category ?? matchNumber(one.text)?.category ?? "software";
  return [{ ...base, category, says: "reports", role: "symptom", strength: weight }];
}

/** A log may have been failing when it began: an error is no routine because it runs through all of it. */
function isSteadyTrouble(one: Statement): boolean {
  const { change } = one.template;
  return one.isSteady && one.level >= 3 && one.sign?.role === "cause" && change !== "same" && change !== "less";
}

function suspectQuiet(one: Statement, scene: Scene): Suspect | null {
  const { onset, lasting } = scene;
  if (onset === null || one.from > onset + 1000 || lasting.includes(one)) return null;
  const { template, change, level } = one;
  const weight = rateBefore(one, onset, scene);
  if (weight === 0) return null;
  const effect = findEffect(one, scene);
  const origin = findOrigin(one, scene);
  const then = origin === null ? findNext(one, scene) : null;
  return {
    kind: "order",
    category: change?.category ?? matchNumber(one.text)?.category ?? (level >= 2 ? "software" : "config"),
    place: one.place,
    says: change ? change.says : "says before the trouble",
    words: shorten(one.said),
    role: change ? "change" : "symptom",
    strength: weight * (template.spread > 1 ? 0.8 : 1),
    from: one.from,
    lines: [one.line, ...(origin ? [origin.line] : []), ...(then ? [then.line] : []), ...moreLines(one, scene)],
    ...nothing,
    after: origin && tell(origin),
    follows: [then, effect].flatMap((other) => (other ? tell(other) : [])).join("; then ") || null,
    resolution: change?.resolution ?? [],
  };
}

function rateBefore(one: Statement, at: number, scene: Scene, about: readonly About[] = []): number {
  const { start, end, lasting, trouble } = scene;
  const { template, change, level, sign } = one;
  if (one.isSteady || one.from > at + 1000 || isHarmless(sign)) return 0;
  const effects = (lasting.length > 0 ? lasting : trouble).filter((other) => other !== one);
  const loudest = Math.max(3, ...effects.map((other) => other.template.count));
  if (template.count > Math.max(3, 0.25 * loudest)) return 0;
  const gap = Math.max(0, at - one.from);
  const near = Math.exp(-gap / Math.max(60_000, 0.08 * (end - start)));
  const early = effects.toSorted((a, b) => a.from - b.from).slice(0, 6);
  const link = Math.max(0, ...[...early, ...about].map((other) => rateLink(one, other, scene)));
  const isNew = (one.from - start) / (end - start) > 0.02;
  return (
    (0.12 + 0.33 * near + 0.25 * link * (0.4 + 0.6 * near) + (change ? 0.12 : 0) + (level >= 2 ? 0.08 : 0)) *
    (isNew ? 1 : 0.75) *
    (template.count <= 3 ? 1 : 0.85) *
    (sign?.role === "symptom" ? 0.6 : 1)
  );
}

function findEffect(one: Statement, scene: Scene): Statement | null {
  const later = (scene.lasting.length > 0 ? scene.lasting : scene.trouble).filter(
    (other) => other !== one && other.from >= one.from,
  );
  const rate = (other: Statement) => rateLink(one, other, scene) + 0.5 * rateSaying(other);
  return later.toSorted((a, b) => rate(b) - rate(a) || a.from - b.from)[0] ?? null;
}

function findNext(one: Statement, scene: Scene): Statement | null {
  const { onset } = scene;
  if (onset === null) return null;
  const rated = listQuiet(onset, scene).filter(({ other }) => other !== one && other.from >= one.from);
  return rated.find(({ weight }) => weight >= 0.4)?.other ?? null;
}

function findOrigin(one: Statement, scene: Scene): Statement | null {
  const earlier = listQuiet(one.from, scene).filter(
    ({ other }) => other !== one && other.from < one.from && rateLink(other, one, scene) >= 0.45,
  );
  return earlier[0]?.other ?? null;
}

function listQuiet(at: number, scene: Scene, about: readonly About[] = []): { other: Statement; weight: number }[] {
  return scene.statements
    .filter((other) => other.from < at + 1000 && !scene.lasting.includes(other))
    .map((other) => ({ other, weight: rateBefore(other, at, scene, about) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight || a.other.from - b.other.from);
}

function tell({ place, said, sign, change }: Statement): string {
  const says = change?.says ?? (sign?.role === "cause" ? sign.says : null);
  return `${place ?? "an unknown component"}${says === null ? "" : ` ${says}`}: ${shorten(said)}`;
}

function rateSaying({ sign }: Statement): number {
  return sign === null ? 0.3 : sign.role === "cause" ? sign.strength : 0.2;
}

function findAntecedent(at: number | null, own: About, scene: Scene): Pick<Suspect, "after" | "lines"> {
  if (at === null) return { after: null, lines: [] };
  const [best] = listQuiet(at, scene, [own]).filter(({ other, weight }) => other !== own && weight >= 0.35);
  if (best === undefined) return { after: null, lines: [] };
  const origin = findOrigin(best.other, scene);
  const told = [origin, best.other].flatMap((one) => (one && one !== own ? one : []));
  return { after: told.map(tell).join("; then "), lines: told.map(({ line }) => line) };
}

function moreLines({ template, line }: Statement, { log }: Scene): CitedLine[] {
  const own = log.events.filter((event) => event.template_id === template.id && event.line !== line.line);
  return own.slice(0, 2).map((event) => ({ file: event.file, line: event.line }));
}

const numberWeights: Record<LogFinding["kind"], number> = {
  grows: 0.9,
  steps: 0.9,
  limit: 0.95,
  leaves_zero: 0.9,
  falls_to_zero: 0.95,
  stopped: 0.75,
  flow: 0.8,
};

function suspectFinding(finding: LogFinding, scene: Scene): Suspect[] {
  const { kind, component, subject, description, clarity, from, file, line, last_line } = finding;
  const { onset, start, end } = scene;
  const isSilence = kind === "stopped" || kind === "flow";
  const isEffect = kind === "stopped" && clarity < 0.6;
  const order = rateOrder(from, scene);
  const isEarly = onset !== null && from !== null && onset - from > Math.max(30_000, 0.03 * (end - start));
  const weight =
    numberWeights[kind] *
    clarity *
    (order < 1 ? 0.75 * order : isEarly ? 1.15 : 1) *
    (isEffect ? (onset === null ? 0.3 : 0.6) : 1);
  const said = matchNumber(`${component ?? ""} ${subject} ${description}`);
  const about = describeAbout(finding, scene);
  const before = isEffect ? { after: null, lines: [] } : findAntecedent(from, about, scene);
  const isWith =
    (kind === "grows" || kind === "steps") &&
    onset !== null &&
    from !== null &&
    onset - from < 2000 &&
    before.after === null;
  return [
    {
      kind: isSilence ? "silence" : "numbers",
      category: said?.category ?? (isSilence ? "software" : "resource"),
      place: about.place,
      says: "shows",
      words: description,
      role: isEffect || isWith || subject === "5xx" ? "symptom" : "cause",
      strength: Math.min(0.95, weight),
      from,
      lines: [
        { file, line },
        ...before.lines,
        ...(last_line !== null && last_line !== line ? [{ file, line: last_line }] : []),
      ],
      ...nothing,
      after: before.after,
      follows: findFollowing(finding, scene),
      resolution: said?.resolution ?? [],
    },
  ];
}

function describeAbout({ component, description, file, line }: LogFinding, { log }: Scene): About {
  const event = log.events.find((one) => one.file === file && one.line === line);
  const place = component === null ? null : nameEntity(component);
  return { place, tokens: listTokens(`${description} ${event?.message ?? ""}`) };
}

function findFollowing({ from }: LogFinding, { lasting, trouble }: Scene): string | null {
  const later = (lasting.length > 0 ? lasting : trouble).filter((one) => from !== null && one.from >= from);
  const [first] = later.toSorted((a, b) => rateSaying(b) - rateSaying(a) || a.from - b.from);
  return first ? tell(first) : null;
}

function suspectCall(hop: LogHop, { log }: Scene): Suspect[] {
  const { change, caller, callee, median_ms, reference_median_ms, error_count, count, from, line, file } = hop;
  if (change === null || change === "same" || change === "new") return [];
  const isDeeper = (log.hops ?? []).some((other) => other.caller === callee && other.change === change);
  const words =
    change === "slower"
      ? `calls from ${caller} take ${median_ms} ms, ${reference_median_ms} ms before`
      : change === "failing"
        ? `${error_count} of ${count} calls from ${caller} fail`
        : `calls from ${caller} have stopped`;
  const says =
    change === "slower" ? "has become slow" : change === "failing" ? "fails when it is called" : "is no longer called";
  const strength = (change === "slower" ? 0.75 : change === "failing" ? 0.55 : 0.35) * (isDeeper ? 0.5 : 1);
  const resolution = [`Look at ${callee} itself from then on: its own log, its load and what was changed there`];
  return [
    {
      kind: "calls",
      category: "software",
      place: callee,
      says,
      words,
      role: "symptom",
      strength,
      from: from ?? null,
      lines: line === null ? [] : [{ file, line }],
      ...nothing,
      resolution,
    },
  ];
}

/** What a healthy reference says often and this log never does, though who says it is there. */
function suspectMissing({ template, component, reference_count }: LogTemplate, { log, statements }: Scene): Suspect[] {
  const expected = ((reference_count ?? 0) * log.totals.events) / Math.max(1, log.reference?.events ?? 1);
  const own = statements.filter((one) => one.template.component === component);
  const [last] = own.toSorted((a, b) => b.template.count - a.template.count);
  if (expected < 20 || last === undefined) return [];
  return [
    {
      kind: "silence",
      category: "software",
      place: last.place,
      says: "shows",
      words: `never says "${template.slice(0, 120)}", which a healthy run says about ${Math.round(expected)} times`,
      role: "cause",
      strength: 0.6,
      from: null,
      lines: [last.line],
      ...nothing,
      resolution: ["Follow one piece of work and see where it ends"],
    },
  ];
}

function group(suspects: readonly Suspect[]): Suspect[] {
  const groups = Map.groupBy(suspects, ({ kind, category, place, says, words }) =>
    says === "reports" || kind !== "words" ? `${kind} ${place} ${words}` : `${category} ${place} ${says}`,
  );
  return [...groups.values()].map((same) => {
    const [best, ...rest] = same.toSorted((a, b) => b.strength - a.strength) as [Suspect, ...Suspect[]];
    const froms = same.flatMap(({ from }) => from ?? []);
    return {
      ...best,
      from: froms.length > 0 ? Math.min(...froms) : null,
      lines: [...best.lines, ...rest.flatMap(({ lines }) => lines)].slice(0, 6),
      after: best.after ?? rest.find(({ after }) => after !== null)?.after ?? null,
    };
  });
}

function joinNumbers(suspects: readonly Suspect[]): Suspect[] {
  const isNumber = ({ kind, strength }: Suspect) => kind === "numbers" && strength >= 0.4;
  const order = (a: Suspect, b: Suspect) => b.strength - a.strength || (a.from ?? 0) - (b.from ?? 0);
  const groups = Map.groupBy(suspects.filter(isNumber), ({ place, role }) => `${place} ${role}`);
  const joined = [...groups.values()].map((own): Suspect => {
    const [best, ...rest] = own.toSorted(order) as [Suspect, ...Suspect[]];
    const others = rest.slice(0, 2);
    return {
      ...best,
      words: [best, ...others].map(({ words }) => words).join("; "),
      lines: [...best.lines, ...others.flatMap(({ lines }) => lines)],
      after: best.after ?? others.find(({ after }) => after !== null)?.after ?? null,
    };
  });
  return [...suspects.filter((one) => !isNumber(one)), ...joined];
}

function rank(suspects: readonly Suspect[], scene: Scene): Suspect[] {
  const { log } = scene;
  const calls = [...(log.hops ?? []), ...(log.topology ?? [])];
  const weighed = suspects.map((one) => {
    const isPreceded =
      one.kind === "words" &&
      suspects.some(
        ({ kind, strength, from, place }) =>
          (kind === "numbers" || (kind === "order" && place !== one.place)) &&
          strength >= 0.5 &&
          from !== null &&
          from < (one.from ?? 0),
      );
    const isComplainedOf =
      one.kind === "silence" &&
      calls.some(({ caller, callee }) => callee === one.place && suspects.some((other) => other.place === caller));
    return {
      ...one,
      strength: Math.round(1000 * one.strength * (isPreceded ? 0.75 : 1) * (isComplainedOf ? 1.8 : 1)) / 1000,
    };
  });
  const passed = hasEnded(scene) ? 0.6 : 1;
  return weighed
    .map((one) => ({
      ...one,
      strength: one.kind === "words" || one.kind === "order" ? one.strength * passed : one.strength,
    }))
    .filter(({ strength }) => strength >= 0.05)
    .toSorted(
      (a, b) =>
        b.strength - a.strength || (a.from ?? 0) - (b.from ?? 0) || (a.lines[0]?.line ?? 0) - (b.lines[0]?.line ?? 0),
    );
}

function hasEnded({ trouble, lasting, statements, start, end, log }: Scene): boolean {
  const last = Math.max(start, ...trouble.map((one) => one.last));
  const count = sumCounts(trouble);
  return (
    lasting.length === 0 &&
    log.totals.events >= 40 &&
    count <= Math.max(5, 0.03 * log.totals.events) &&
    !statements.some(isSteadyTrouble) &&
    (end - last) / (end - start) > 0.15
  );
}

function weighCalm(
  suspects: readonly Suspect[],
  { log, trouble, lasting, start, end, statements }: Scene,
): Pick<LogReading, "calm" | "calmLines" | "calmSays"> {
  const settled = statements.filter(({ sign }) => isHarmless(sign));
  const calmLines = settled.slice(0, 4).map(({ line }) => line);
  const calmSays = [...new Set(settled.map(({ sign }) => sign?.says ?? ""))].slice(0, 3);
  const events = Math.max(1, log.totals.events);
  const bad = [...trouble, ...statements.filter(isSteadyTrouble)];
  const count = sumCounts(bad);
  const last = Math.max(start, ...bad.map((one) => one.last));
  const hasPassed = (end - last) / (end - start) > 0.15;
  const isSmall = events < 40 && count > 0;
  const moved = Math.max(
    0,
    ...suspects.filter(({ kind }) => kind !== "words" && kind !== "order").map(({ strength }) => strength),
  );
  const steady = statements.some(isSteadyTrouble);
  let calm = 0.9;
  if (count > 0) calm = 0.15;
  const isFew = count <= Math.max(5, 0.03 * events);
  if (count > 0 && lasting.length === 0 && !steady) calm = isFew ? (hasPassed ? 0.8 : 0.6) : 0.4;
  if (isSmall) calm *= 0.4;
  calm *= 1 - 0.8 * moved;
  // Errors that fill a window, or what a component says that reports success too, may have begun before the window.
  const isError = (one: Statement) => one.level >= 3 && isTrouble(one) && !one.isSettled;
  const isFull = (own: readonly Statement[], share: number) =>
    sumCounts(own.filter(isError)) > Math.max(20, share * sumCounts(own));
  const places = [...Map.groupBy(statements, ({ place }) => place).values()];
  if (isFull(statements, 0.15) || places.some((own) => isFull(own, 0.3) && !isFull(own, 0.9)))
    calm = Math.min(calm, 0.15);
  // Who compares with a healthy period has a reason to.
  if (log.reference) calm *= 0.6;
  return { calm: Math.round(100 * calm) / 100, calmLines, calmSays };
}

const longest = 200;

function shorten(text: string): string {
  const plain = text
    .replace(/^\s*(?:(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b[:\s]+)+/, "")
    .replace(/\s+/g, " ")
    .trim();
  return plain.length <= longest ? plain : `${plain.slice(0, longest - 1)}…`;
}
