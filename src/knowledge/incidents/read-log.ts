import type { Category } from "../../contract/incident.ts";
import type { LogFinding, LogHop, LogTemplate, ParsedLog } from "../../contract/parsed-log.ts";
import { nameEntity, wordData } from "../logs/index.ts";
import {
  type CitedLine,
  hasLevels,
  isHarmless,
  isKnown,
  isTrouble,
  rateEven,
  rateWork,
  type Scene,
  setScene,
  type Statement,
  sumCounts,
} from "./scene.ts";
import { matchNumber } from "./signs.ts";
import { type Features, rateSuspect, shareOut, unknownStrength } from "./weigh.ts";

export const suspectKinds = ["words", "order", "numbers", "calls", "silence"] as const;

/** A possible cause found in the log (root-cause spec §4.6). */
export type Suspect = {
  kind: (typeof suspectKinds)[number];
  category: Category;
  place: string | null;
  says: string;
  words: string;
  /** "cause" if a line states what broke, "symptom" if it only shows that something is wrong. */
  role: "cause" | "symptom" | "change";
  strength: number;
  /** How likely it is the cause, or what is told with it. */
  likely: number;
  from: number | null;
  lines: CitedLine[];
  /** The lines of what is told with it. */
  context: CitedLine[];
  after: string | null;
  follows: string | null;
  resolution: string[];
};

type Traits = { clarity?: number; isSteady?: boolean };

/** A suspect before it is weighed, with what speaks for and against it. */
export type Draft = Omit<Suspect, "strength" | "likely" | "context" | "after" | "follows"> & {
  features: Features;
  about: Statement | null;
  traits: Traits;
};

export type LogReading = {
  onset: number | null;
  suspects: Suspect[];
  calm: number;
  calmLikely: number;
  calmLines: CitedLine[];
  calmSays: string[];
};

const mostSuspects = 12;
const waits = new RegExp(wordData.waits, "i");
const ordered = new RegExp(wordData.ordered, "i");

/** Finds possible causes in a log; order and numbers go before loudness. */
export function readLog(log: ParsedLog): LogReading {
  const scene = setScene(log);
  const weighed = listDrafts(log, scene).map(({ features, about: _about, traits: _traits, ...draft }) => ({
    ...draft,
    ...alone,
    strength: roundStrength(rateSuspect(features)),
  }));
  const calm = rateCalm(log, scene);
  const ranked = group(weighed).toSorted(
    (a, b) =>
      b.strength - a.strength || (a.from ?? 0) - (b.from ?? 0) || (a.lines[0]?.line ?? 0) - (b.lines[0]?.line ?? 0),
  );
  const [calmLikely = 0, ...likely] = shareOut([calm, ...ranked.map(({ strength }) => strength)]);
  const shared = ranked.map((suspect, index) => ({ ...suspect, likely: likely[index] ?? 0 }));
  return {
    onset: scene.onset,
    suspects: shared.slice(0, mostSuspects).map((suspect) => tellInOrder(suspect, shared)),
    calm,
    calmLikely,
    ...citeCalm(scene),
  };
}

const alone = { after: null, follows: null, context: [], likely: 0 };

/** Tells a suspect between the strongest that began before it and the strongest that began later. */
function tellInOrder(suspect: Suspect, ranked: readonly Suspect[]): Suspect {
  const { before, later } = findNeighbours(
    suspect,
    ranked.filter(({ strength }) => strength >= unknownStrength),
  );
  return {
    ...suspect,
    likely: suspect.likely + (before?.likely ?? 0) + (later?.likely ?? 0),
    context: [before, later].flatMap((one) => one?.lines.slice(0, 1) ?? []),
    after: before === undefined ? null : describeDraft(before),
    follows: later === undefined ? null : describeDraft(later),
  };
}

type Placed = Pick<Suspect, "place" | "says" | "words" | "from">;

/** Of suspects in the order of their strength, the first that began before or with one, and the first that began later. */
export function findNeighbours<T extends Placed>(one: T, ranked: readonly T[]): { before?: T; later?: T } {
  const at = one.from;
  if (at === null) return {};
  const timed = ranked.filter((other) => other !== one && other.from !== null);
  return {
    before: timed.find((other) => (other.from ?? 0) <= at + 1000),
    later: timed.find((other) => (other.from ?? 0) > at + 1000),
  };
}

export function describeDraft({ place, says, words }: Placed): string {
  const plain = says === "reports" || says === "shows" || says === "says before the trouble";
  return `${place ?? "an unknown component"}${plain ? "" : ` ${says}`}: ${words}`;
}

function roundStrength(value: number): number {
  return Math.round(1000 * value) / 1000;
}

/** All that may be the cause, each with its features. */
export function listDrafts(log: ParsedLog, scene: Scene = setScene(log)): Draft[] {
  const drafts = [
    ...scene.statements.flatMap((statement) => suspectWords(statement, scene)),
    ...log.findings.flatMap((finding) => suspectFinding(finding, scene)),
    ...(log.hops ?? []).flatMap((hop) => suspectCall(hop, scene)),
    ...(log.reference?.vanished ?? []).slice(0, 5).flatMap((template) => suspectMissing(template, scene)),
  ];
  const joined = yieldToCallees(joinNumbers(drafts), log);
  return joined.map((draft) => ({ ...draft, features: { ...draft.features, ...compare(draft, joined, scene) } }));
}

/** Features that depend on the other suspects: who began earlier, and whose trouble names whom. */
function compare(draft: Draft, drafts: readonly Draft[], scene: Scene): Features {
  const { place, from, about, kind, role, traits } = draft;
  const { lasting, trouble, start, end } = scene;
  const bad = lasting.length > 0 ? lasting : trouble;
  const elsewhere = bad.filter((one) => one.place !== place && one !== about);
  const name = place?.toLowerCase();
  const naming = elsewhere.filter(({ tokens }) => name !== undefined && tokens.has(name));
  // A name that is a common word of the log names nobody.
  const named = ((name ? scene.rateToken(name) : 0) * naming.length) / Math.max(1, elsewhere.length);
  // What is as frequent from first line to last has no beginning.
  if (traits.isSteady) return { named };
  const others = drafts.filter((other) => other !== draft && other.from !== null && !other.traits.isSteady);
  const later = others.filter((other) => from !== null && (other.from ?? 0) > from + 1000);
  const onset = Math.min(...bad.filter((one) => one !== about).map((one) => one.from));
  const gap = from === null || !Number.isFinite(onset) ? 0 : onset - from;
  const isSaid = kind === "words" || kind === "order";
  // A line that states a cause may come after the effects: a leak is reported only when everything is used up.
  const mayBeNear = role === "cause" ? isSaid : isSaid && gap >= -2000;
  const near = Math.exp(-Math.abs(gap) / Math.max(60_000, 0.08 * (end - start)));
  return {
    named,
    early: others.length === 0 ? 0.5 : later.length / others.length,
    near: mayBeNear && Number.isFinite(onset) ? near : 0,
    calm: Number.isFinite(onset) ? 0 : 1,
  };
}

function suspectWords(one: Statement, scene: Scene): Draft[] {
  const { sign, change, level, template } = one;
  if (isHarmless(sign) || (one.isSettled && level === 2) || (one.isSteady && level < 2 && sign === null)) return [];
  const soon = Math.max(1000, 0.02 * (scene.end - scene.start));
  const isBefore = scene.onset !== null && one.from <= scene.onset + soon && !scene.lasting.includes(one);
  const isNew = (one.from - scene.start) / (scene.end - scene.start) > 0.02 || template.count <= 3;
  const kind = sign === null && isBefore && !one.isSteady && isNew ? "order" : "words";
  if (kind === "words" && sign === null && level < 2) return [];
  const isCause = sign?.role === "cause";
  const effects = (scene.lasting.length > 0 ? scene.lasting : scene.trouble).filter((other) => other !== one);
  const knows = kind === "order" ? change : sign;
  const category = knows?.category ?? change?.category ?? matchNumber(one.text)?.category;
  return [
    {
      kind,
      category: category ?? (kind === "order" && level < 2 ? "config" : "software"),
      place: one.place,
      says: knows?.says ?? (kind === "order" ? "says before the trouble" : "reports"),
      words: shorten(one.said),
      role: isCause ? "cause" : kind === "order" && change ? "change" : "symptom",
      from: one.from,
      lines: [one.line, ...moreLines(one, scene)],
      resolution: knows?.resolution ?? [],
      traits: { isSteady: one.isSteady },
      about: one,
      features: {
        is_cause: isCause ? (sign?.strength ?? 0) : 0,
        error: level >= 3 ? 1 : 0,
        names: Math.max(0, ...effects.map((other) => rateNaming(one, other, scene))),
        crowd: rateCrowd(one, scene),
        loud: kind === "words" ? Math.min(1, Math.log2(template.count) / 6) : 0,
      },
    },
  ];
}

/** How rare the rarest word is that trouble shares with an earlier statement, besides its place, 0..1. */
function rateNaming({ tokens, place, from }: Statement, other: Statement, { rateToken }: Scene): number {
  if (other.from < from - 1000) return 0;
  const own = new Set([place?.toLowerCase(), ...(place?.toLowerCase().split(".") ?? [])]);
  const shared = [...tokens].filter((token) => other.tokens.has(token) && !own.has(token));
  return Math.max(0, ...shared.map((token) => rateToken(token) ** 2));
}

/** How many new statements of the same place begin together with one, as those of a start do, 0..1. */
function rateCrowd(one: Statement, { statements, start, end }: Scene): number {
  const near = Math.max(5000, 0.005 * (end - start));
  const isNew = (other: Statement) => !other.isSteady && (other.from - start) / (end - start) > 0.02;
  const crowd = statements.filter(
    (other) => other !== one && other.place === one.place && isNew(other) && Math.abs(other.from - one.from) <= near,
  );
  return Math.min(1, Math.log2(1 + crowd.length) / 4);
}

function moreLines({ template, line }: Statement, { log }: Scene): CitedLine[] {
  const own = log.events.filter((event) => event.template_id === template.id && event.line !== line.line);
  return own.slice(0, 2).map((event) => ({ file: event.file, line: event.line }));
}

function suspectFinding(finding: LogFinding, scene: Scene): Draft[] {
  const { kind, component, subject, description, clarity, from, file, line, last_line } = finding;
  const { onset } = scene;
  // Without any trouble, more of a message is more work.
  if (kind === "rate" && onset === null) return [];
  const isSilence = kind === "stopped" || kind === "flow";
  const isEffect = kind === "stopped" && clarity < 0.6;
  const said = matchNumber(`${component ?? ""} ${subject} ${description}`);
  const isWaiting = description.includes("becomes slow") || waits.test(subject);
  // A number that moves with the trouble, or without any, or that waits, shows that something is wrong and not what.
  const isBeforeTrouble = onset !== null && from !== null && onset - from >= 2000;
  const isWith = (kind === "grows" || kind === "steps") && !isBeforeTrouble;
  return [
    {
      kind: isSilence ? "silence" : "numbers",
      category: said?.category ?? (isSilence ? "software" : "resource"),
      place: component === null ? null : nameEntity(component),
      says: "shows",
      words: description,
      role: isEffect || isWith || isWaiting || kind === "rate" ? "symptom" : "cause",
      from,
      lines: [{ file, line }, ...(last_line !== null && last_line !== line ? [{ file, line: last_line }] : [])],
      resolution: said?.resolution ?? [],
      about: null,
      traits: { clarity },
      features: {
        is_number: isSilence || kind === "rate" ? 0 : 1,
        limit: kind === "limit" || kind === "falls_to_zero" ? 1 : 0,
        waits: isWaiting ? 1 : 0,
      },
    },
  ];
}

function suspectCall(hop: LogHop, { log }: Scene): Draft[] {
  const { change, caller, callee, median_ms, reference_median_ms, error_count, count, from, line, file } = hop;
  if (change === null || change === "same" || change === "new") return [];
  // A caller gives way to the service it calls.
  if ((log.hops ?? []).some((other) => other.caller === callee && other.change === change)) return [];
  const [says, words] = {
    slower: ["has become slow", `calls from ${caller} take ${median_ms} ms, ${reference_median_ms} ms before`],
    failing: ["fails when it is called", `${error_count} of ${count} calls from ${caller} fail`],
    stopped: ["is no longer called", `calls from ${caller} have stopped`],
  }[change] as [string, string];
  const resolution = [`Look at ${callee} from then on: its log, its load and recent changes`];
  return [
    {
      kind: "calls",
      category: "software",
      place: callee,
      says,
      words,
      role: "symptom",
      from: from ?? null,
      lines: line === null ? [] : [{ file, line }],
      resolution,
      about: null,
      features: { is_number: change === "slower" ? 1 : 0 },
      traits: {},
    },
  ];
}

/** Messages frequent in the healthy reference but missing here, although their component is present. */
function suspectMissing({ template, component, reference_count }: LogTemplate, { log, statements }: Scene): Draft[] {
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
      from: null,
      lines: [last.line],
      resolution: ["Trace one item of work and see where it stops"],
      about: null,
      features: {},
      traits: {},
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
    };
  });
}

/** Drops callers that fall silent when their callee does, and numbers that grow slow at either end of a slow call. */
function yieldToCallees(drafts: readonly Draft[], { hops = [] }: ParsedLog): Draft[] {
  const silent = new Set(drafts.filter(({ kind }) => kind === "silence").map(({ place }) => place));
  const calls = hops.filter(({ callee }) => silent.has(callee));
  const waiting = new Set(calls.map(({ caller }) => caller));
  const slow = hops.filter(({ change }) => change === "slower");
  const slowed = new Set(slow.flatMap(({ caller, callee }) => [caller, callee]));
  const yields = ({ kind, place, words }: Draft) =>
    place !== null &&
    ((kind === "silence" && waiting.has(place)) ||
      (kind === "numbers" && words.includes("becomes slow") && slowed.has(place)));
  return drafts.filter((draft) => !yields(draft));
}

/** Numbers of one place that move together are one suspect, told by its clearest. */
function joinNumbers(drafts: readonly Draft[]): Draft[] {
  const isNumber = ({ kind, features }: Draft) => kind === "numbers" && features.is_number === 1;
  const clearness = ({ traits }: Draft) => traits.clarity ?? 0;
  const groups = Map.groupBy(drafts.filter(isNumber), ({ place, role }) => `${place} ${role}`);
  const joined = [...groups.values()].map((own): Draft => {
    const ranked = own.toSorted(
      (a, b) =>
        (a.features.waits ?? 0) - (b.features.waits ?? 0) ||
        clearness(b) - clearness(a) ||
        (a.from ?? 0) - (b.from ?? 0),
    );
    const [best, ...rest] = ranked as [Draft, ...Draft[]];
    const others = rest.slice(0, 2);
    return {
      ...best,
      words: [best, ...others].map(({ words }) => words).join("; "),
      lines: [...best.lines, ...others.flatMap(({ lines }) => lines)],
    };
  });
  return [...drafts.filter((one) => !isNumber(one)), ...joined];
}

function citeCalm({ statements }: Scene): Pick<LogReading, "calmLines" | "calmSays"> {
  const settled = statements.filter(({ sign }) => isHarmless(sign));
  return {
    calmLines: settled.slice(0, 4).map(({ line }) => line),
    calmSays: [...new Set(settled.map(({ sign }) => sign?.says ?? ""))].slice(0, 3),
  };
}

const fewEvents = 20;

/** How far the log is one without a fault, 0..1: never if errors fill it. */
function rateCalm(log: ParsedLog, scene: Scene): number {
  const features = describeCalm(log, scene);
  // Someone who compares with a healthy period has a reason to.
  // A few lines show nothing either way.
  const calm = rateSuspect(features) * (log.reference ? 0.6 : 1) * Math.min(1, log.totals.events / fewEvents);
  return roundStrength(Math.min(isFull(log, scene) ? 0.15 : 1, calm));
}

/**
 * Evidence that a log shows no fault: trouble spread as evenly as the work, or rare trouble that has passed while the
 * work goes on.
 */
export function describeCalm(log: ParsedLog, scene: Scene = setScene(log)): Features {
  const { trouble, start, end, statements } = scene;
  // An error that states a cause counts, though it may come at any time.
  const stated = statements.filter((one) => one.isSteady && isError(one) && one.sign?.role === "cause");
  const bad = [...trouble, ...stated.filter(({ template }) => !isKnown(template))];
  const count = sumCounts(bad);
  const share = count / Math.max(1, log.totals.events);
  const last = Math.max(start, ...bad.map((one) => one.last));
  const hasPassed = count > 0 && (end - last) / (end - start) > 0.15;
  const warned = statements.filter(
    (one) => (isTrouble(one) || (one.level === 2 && !isHarmless(one.sign))) && !one.isSettled && !isKnown(one.template),
  );
  const even = rateEven(warned, scene) * Math.min(1, sumCounts(warned) / 20);
  return {
    calm_ordered: rateOrdered(scene),
    calm_even: even,
    calm_open: count === 0 || hasPassed ? 0 : 1 - even,
    calm_brief: hasPassed ? Math.max(0, 1 - share / 0.06) : 0,
    calm_share: Math.log10(1 + 100 * Math.min(1, share)),
    calm_work: rateWork(scene, scene.onset ?? start),
  };
}

function isError(one: Statement): boolean {
  return one.level >= 3 && isTrouble(one) && !one.isSettled;
}

/** Errors that fill a window, or what a component says that reports success too, may have begun before the window. */
function isFull(log: ParsedLog, { statements }: Scene): boolean {
  const exceeds = (own: readonly Statement[], most: number) =>
    hasLevels(log) && sumCounts(own.filter(isError)) > Math.max(20, most * sumCounts(own));
  const places = [...Map.groupBy(statements, ({ place }) => place).values()];
  return exceeds(statements, 0.15) || places.some((own) => exceeds(own, 0.3) && !exceeds(own, 0.9));
}

/** The share of trouble that came after someone announced or ordered work, if all of it was over before the log ends. */
function rateOrdered(scene: Scene): number {
  const { start, end, statements, trouble } = scene;
  const announced = statements.filter((one) => one.level < 2 && one.template.count <= 4 && ordered.test(one.said));
  const began = Math.min(...announced.map(({ from }) => from));
  const staged = trouble.filter(({ from }) => from >= began - 1000);
  const last = Math.max(began, ...staged.map((one) => one.last));
  if (staged.length === 0 || end - last < 0.03 * (end - start)) return 0;
  return (rateWork(scene, last) * sumCounts(staged)) / Math.max(1, sumCounts(trouble));
}

const longest = 200;

function shorten(text: string): string {
  const plain = text
    .replace(/^\s*(?:(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b[:\s]+)+/, "")
    .replace(/\s+/g, " ")
    .trim();
  return plain.length <= longest ? plain : `${plain.slice(0, longest - 1)}…`;
}
