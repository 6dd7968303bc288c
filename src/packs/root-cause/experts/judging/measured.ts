import {
  createPlaces,
  findBadCalls,
  findMedianGap,
  type Hop,
  listHops,
  listTraces,
  type Places,
  type Step,
} from "../../../../knowledge/incidents/index.ts";
import type { LogTemplate, ParsedLog, WatchedRate } from "../../../../knowledge/logs/index.ts";
import type { Trouble } from "./trouble.ts";

/** A step is slow from this long on; one of these many usual steps is as clear as can be. */
const slowMs = 50;
const clearTimes = 100;
const shortSteps = 20;

/** What no line says and the judge measures: calls and steps that take long, messages that are missing, rates that changed. */
export function measureTrouble(log: ParsedLog): Trouble[] {
  return [...measureDelays(log), ...listBadCalls(log), ...listMissing(log), ...listRates(log)];
}

/** Calls that traces show to have become slow, to fail or to have stopped. */
function listBadCalls(log: ParsedLog): Trouble[] {
  return findBadCalls(log).map(({ sign, category, role, strength, place, says, lines, firstMs, count }) => ({
    kind: sign,
    category,
    role: role === "cause" ? ("cause" as const) : ("symptom" as const),
    strength,
    says,
    leadsTo: [],
    places: place === null ? [] : [place.toLowerCase()],
    lines: lines.map(({ file, line }) => ({ file, line, offset: 0 })),
    words: [says],
    firstMs,
    count,
  }));
}

function measureDelays(log: ParsedLog): Trouble[] {
  const traces = listTraces(log);
  const hops = traces.flatMap(listHops);
  const longest = Math.max(0, ...hops.map(({ gapMs }) => gapMs));
  const slowHops = hops.filter(({ gapMs }) => gapMs >= Math.max(slowMs, longest / 2));
  const usual = Math.max(0.5, findMedianGap(hops));
  const clarity = slowHops.length < 2 ? 0 : Math.min(1, findMedianGap(slowHops) / (2 * clearTimes * usual));
  const inside = traces.flat().filter(({ from, to }) => from.component === to.component);
  const slowSteps = listSlowSteps(inside);
  return [
    ...byPlace(slowHops, ({ caller, callee }) => [caller, callee]).map(([place, own]) => {
      const blame = own.reduce((sum, hop) => sum + shareOf(hop, place), 0) / addGaps(slowHops);
      const all = hops.filter(({ caller, callee }) => caller === place || callee === place).length;
      const strength = 0.95 * blame * (own.length / all) ** 0.15 * (1 - Math.exp(-own.length / 1.5)) * clarity;
      return buildDelay(place, own, { category: "network", strength, says: "waits long for its calls" });
    }),
    ...byPlace(slowSteps, ({ from }) => [from.component ?? ""]).flatMap(([place, own]) => {
      if (own.length < 2) return [];
      const strength = 0.6 * (own.length / slowSteps.length) * (1 - Math.exp(-own.length / 2));
      return [buildDelay(place, own, { category: "resource", strength, says: "takes long for its own steps" })];
    }),
  ];
}

/** Of a delay between two services the called side is the likelier cause: the caller's other calls are fast. */
function shareOf({ gapMs, callee }: Hop, place: string): number {
  return gapMs * (callee === place ? 1 : 0.8);
}

function listSlowSteps(steps: Step[]): Step[] {
  const alike = Map.groupBy(steps, ({ from, to }) => `${from.template_id} ${to.template_id}`);
  return [...alike.values()]
    .filter((group) => group.length >= 3)
    .flatMap((group) => {
      const limit = Math.max(slowMs, shortSteps * findMedianGap(group));
      return group.filter(({ gapMs }) => gapMs >= limit);
    });
}

function byPlace<T extends Step>(steps: T[], placesOf: (step: T) => string[]): [string, T[]][] {
  const places = new Set(steps.flatMap(placesOf));
  return [...places].map((place) => [place, steps.filter((step) => placesOf(step).includes(place))]);
}

function buildDelay(place: string, steps: Step[], about: Pick<Trouble, "category" | "strength" | "says">): Trouble {
  const ends = steps.flatMap(({ from, to }) => [from, to]);
  return {
    kind: "delay",
    role: "cause",
    ...about,
    leadsTo: [],
    places: [place.toLowerCase()],
    lines: ends.map(({ file, line }) => ({ file, line, offset: 0 })),
    words: [],
    firstMs: Math.min(...steps.map(({ from }) => from.timestamp ?? 0)),
    count: steps.length,
  };
}

function addGaps(steps: Step[]): number {
  return Math.max(
    1,
    steps.reduce((sum, { gapMs }) => sum + gapMs, 0),
  );
}

const missingShare = 0.1;
const leastExpected = 5;

/** Messages that a component's load lets expect by the reference, and that are missing. */
function listMissing(log: ParsedLog): Trouble[] {
  if (log.reference === null) return [];
  const known = [...log.templates, ...log.reference.vanished].filter(
    ({ reference_count, level }) => (reference_count ?? 0) >= 3 && (level === null || level === "INFO"),
  );
  const missing = [...Map.groupBy(known, ({ component }) => component ?? "")].flatMap(([place, templates]) => {
    const load = findLoad(templates);
    const worst = templates
      .map((template) => ({ place, template, expected: (template.reference_count ?? 0) * load }))
      .filter(({ template, expected }) => expected >= leastExpected && template.count <= missingShare * expected)
      .sort((a, b) => b.expected - a.expected);
    return templates.length >= 2 ? worst.slice(0, 1) : [];
  });
  return missing.map(({ place, template, expected }) => ({
    ...buildCount(template.template, log, place || null),
    kind: "missing",
    strength: (0.45 * (1 - Math.exp(-expected / 8))) / Math.sqrt(missing.length),
    says: `no longer prints "${template.template.trim().slice(0, 80)}"`,
    count: template.count,
  }));
}

function findLoad(templates: LogTemplate[]): number {
  const ratios = templates.map(({ count, reference_count }) => (count + 0.5) / ((reference_count ?? 0) + 0.5));
  return ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 0;
}

/** What was refused on purpose is no work that someone misses. */
const refusal = /\b(?:block|drop|deny|denied|reject|refuse|attempt|scan|ban)\w*\b/i;

/** Requests that began to fail and work that stopped, as far as the log's own counts show it. */
function listRates(log: ParsedLog): Trouble[] {
  const rates = log.watched ?? [];
  const places = createPlaces(log);
  const failing = rates.filter(({ name, change, share }) => isRising(change) && share >= 0.02 && isServerError(name));
  const stopped = rates.filter(
    ({ kind, change, reference_count, description }) =>
      isWork(kind) && change === "stopped" && reference_count >= 20 && !refusal.test(description),
  );
  const build = (rate: WatchedRate, kind: string, strength: number): Trouble => ({
    ...buildCount(rate.description, log, placeOf(rate, log, places)),
    kind,
    strength,
    says: rate.description,
    lines: rate.line === null ? [] : [{ file: rate.file, line: rate.line, offset: 0 }],
    firstMs: rate.from,
    count: rate.count,
  });
  return [
    ...failing.map((rate) => build(rate, "rate", Math.min(0.85, 0.5 + 3.5 * rate.share))),
    ...stopped.map((rate) => build(rate, "silence", 0.6 / Math.sqrt(stopped.length))),
  ];
}

const isRising = (change: WatchedRate["change"]) => change === "started" || change === "more";
const isServerError = (name: string) => /\b5(?:xx|\d\d)\b/.test(name);
const isWork = (kind: WatchedRate["kind"]) => kind === "component" || kind === "template";

function placeOf({ kind, name }: WatchedRate, { templates }: ParsedLog, places: Places): string | null {
  const template = kind === "template" ? templates.find(({ id }) => id === name) : undefined;
  if (kind === "template") return template === undefined ? null : places.template(template);
  return kind === "status" || kind === "level" || kind === "lines" ? null : name.replace(/\s+5\S+$/, "");
}

function buildCount(words: string, log: ParsedLog, place: string | null): Trouble {
  const own = log.events.filter(({ component }) => component !== null && component === place).slice(0, 2);
  return {
    kind: "count",
    category: "software",
    role: "symptom",
    strength: 0,
    says: "",
    leadsTo: [],
    places: place === null ? [] : [place.toLowerCase()],
    lines: own.map(({ file, line }) => ({ file, line, offset: 0 })),
    words: [words.trim()],
    firstMs: null,
    count: 0,
  };
}
