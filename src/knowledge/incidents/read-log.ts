import type { Category } from "../../contract/incident.ts";
import type { LogFinding, LogHop, LogTemplate, ParsedLog } from "../../contract/parsed-log.ts";
import { nameEntity, wordData } from "../logs/index.ts";
import {
  type About,
  type CitedLine,
  hasLevels,
  isHarmless,
  isKnown,
  isTrouble,
  listTokens,
  rateEven,
  rateLink,
  rateWork,
  type Scene,
  setScene,
  type Statement,
  sumCounts,
} from "./scene.ts";
import { matchNumber } from "./signs.ts";
import { type Features, rateSuspect } from "./weigh.ts";

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
  from: number | null;
  lines: CitedLine[];
  after: string | null;
  follows: string | null;
  resolution: string[];
};

/** A suspect before it is weighed, with what speaks for and against it. */
export type Draft = Omit<Suspect, "strength"> & { features: Features; about: About; clarity?: number };

export type LogReading = {
  onset: number | null;
  suspects: Suspect[];
  calm: number;
  calmLines: CitedLine[];
  calmSays: string[];
};

const mostSuspects = 12;
const waits = new RegExp(wordData.waits, "i");
const ordered = new RegExp(wordData.ordered, "i");
const nothing = { after: null, follows: null, resolution: [] as string[] };

/** Finds possible causes in a log; order and numbers go before loudness. */
export function readLog(log: ParsedLog): LogReading {
  const scene = setScene(log);
  const weighed = listDrafts(log, scene).map(({ features, about: _about, clarity: _clarity, ...draft }) => ({
    ...draft,
    strength: roundStrength(rateSuspect(features)),
  }));
  const ranked = group(weighed).toSorted(
    (a, b) =>
      b.strength - a.strength || (a.from ?? 0) - (b.from ?? 0) || (a.lines[0]?.line ?? 0) - (b.lines[0]?.line ?? 0),
  );
  return {
    onset: scene.onset,
    suspects: ranked.slice(0, mostSuspects),
    calm: rateCalm(log, scene),
    ...citeCalm(scene),
  };
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
function compare({ place, from, about, kind, features }: Draft, drafts: readonly Draft[], scene: Scene): Features {
  const { lasting, trouble, start, end } = scene;
  const bad = lasting.length > 0 ? lasting : trouble;
  const elsewhere = bad.filter((one) => one.place !== place && one !== about);
  const name = place?.toLowerCase();
  const naming = elsewhere.filter(({ tokens }) => name !== undefined && tokens.has(name));
  // A name that is a common word of the log names nobody.
  const named = ((name ? scene.rateToken(name) : 0) * naming.length) / Math.max(1, elsewhere.length);
  // What is as frequent from first line to last has no beginning.
  if (features.steady === 1) return { named };
  const others = drafts.filter((other) => other.about !== about && other.from !== null && other.features.steady !== 1);
  const later = others.filter((other) => from !== null && (other.from ?? 0) > from + 1000);
  const onset = Math.min(...bad.filter((one) => one !== about).map((one) => one.from));
  const gap = from === null || !Number.isFinite(onset) ? 0 : onset - from;
  const isSaid = kind === "words" || kind === "order";
  const near = Math.exp(-Math.max(0, gap) / Math.max(60_000, 0.08 * (end - start)));
  const after = Math.min(1, -gap / Math.max(60_000, 0.5 * (end - Math.min(onset, end))));
  return {
    named,
    early: others.length === 0 ? 0.5 : later.length / others.length,
    near: isSaid && gap >= -2000 && Number.isFinite(onset) ? near : 0,
    after_words: kind === "words" && gap < -2000 ? after : 0,
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
  const early = effects.toSorted((a, b) => a.from - b.from).slice(0, 6);
  const before = kind === "order" ? null : findAntecedent(one.from, one, scene);
  const effect = kind === "order" ? findEffect(one, scene) : null;
  const origin = kind === "order" ? findOrigin(one, scene) : null;
  const then = kind === "order" && origin === null ? findNext(one, scene) : null;
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
      lines: [
        one.line,
        ...(before?.lines ?? []),
        ...[origin, then].flatMap((other) => other?.line ?? []),
        ...moreLines(one, scene),
      ],
      after: before?.after ?? (origin && describeStatement(origin)),
      follows: [then, effect].flatMap((other) => (other ? describeStatement(other) : [])).join("; then ") || null,
      resolution: knows?.resolution ?? [],
      about: one,
      features: {
        is_cause: isCause ? 1 : 0,
        error: level >= 3 ? 1 : 0,
        spread: 1 - 1 / Math.sqrt(Math.min(4, Math.max(1, template.spread))),
        steady: one.isSteady ? 1 : 0,
        link: Math.max(0, ...early.map((other) => rateLink(one, other, scene))),
        even: rateEven([one], scene) * Math.min(1, template.count / 8),
        loud: kind === "words" ? Math.min(1, Math.log2(template.count) / 6) : 0,
      },
    },
  ];
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

function describeStatement({ place, said, sign, change }: Statement): string {
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
  const led = [origin, best.other].flatMap((one) => (one && one !== own ? one : []));
  return { after: led.map(describeStatement).join("; then "), lines: led.map(({ line }) => line) };
}

function moreLines({ template, line }: Statement, { log }: Scene): CitedLine[] {
  const own = log.events.filter((event) => event.template_id === template.id && event.line !== line.line);
  return own.slice(0, 2).map((event) => ({ file: event.file, line: event.line }));
}

function suspectFinding(finding: LogFinding, scene: Scene): Draft[] {
  const { kind, component, subject, description, clarity, from, file, line, last_line } = finding;
  const { onset, log } = scene;
  // Without any trouble, more of a message is more work.
  if (kind === "rate" && onset === null) return [];
  const isSilence = kind === "stopped" || kind === "flow";
  const isEffect = kind === "stopped" && clarity < 0.6;
  const said = matchNumber(`${component ?? ""} ${subject} ${description}`);
  const about = describeAbout(finding, scene);
  // It began between two lines: what stands before the second may have led to it.
  const seen = log.events.find((one) => one.file === file && one.line === line)?.timestamp ?? from;
  const before = isEffect ? { after: null, lines: [] } : findAntecedent(seen, about, scene);
  const isWaiting = description.includes("becomes slow") || waits.test(subject);
  // A number that moves with the trouble, or without any, or that waits, shows that something is wrong and not what.
  const isBeforeTrouble = onset !== null && from !== null && onset - from >= 2000;
  const isWith = (kind === "grows" || kind === "steps") && !isBeforeTrouble && before.after === null;
  return [
    {
      kind: isSilence ? "silence" : "numbers",
      category: said?.category ?? (isSilence ? "software" : "resource"),
      place: about.place,
      says: "shows",
      words: description,
      role: isEffect || isWith || isWaiting || kind === "rate" ? "symptom" : "cause",
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
      about,
      clarity,
      features: {
        is_number: isSilence || kind === "rate" ? 0 : 1,
        limit: kind === "limit" || kind === "falls_to_zero" ? 1 : 0,
        waits: isWaiting ? 1 : 0,
      },
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
  return first ? describeStatement(first) : null;
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
      ...nothing,
      resolution,
      about: { place: callee, tokens: new Set() },
      features: { is_number: change === "slower" ? 1 : 0 },
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
      ...nothing,
      resolution: ["Trace one item of work and see where it stops"],
      about: { place: last.place, tokens: new Set() },
      features: {},
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
  const clearness = ({ clarity = 0 }: Draft) => clarity;
  const groups = Map.groupBy(drafts.filter(isNumber), ({ place, role }) => `${place} ${role}`);
  const joined = [...groups.values()].map((own): Draft => {
    const isWaiting = ({ features }: Draft) => features.waits ?? 0;
    const ranked = own.toSorted(
      (a, b) => isWaiting(a) - isWaiting(b) || clearness(b) - clearness(a) || (a.from ?? 0) - (b.from ?? 0),
    );
    const [best, ...rest] = ranked as [Draft, ...Draft[]];
    const others = rest.slice(0, 2);
    return {
      ...best,
      words: [best, ...others].map(({ words }) => words).join("; "),
      lines: [...best.lines, ...others.flatMap(({ lines }) => lines)],
      after: best.after ?? others.find(({ after }) => after !== null)?.after ?? null,
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
  return roundStrength(Math.min(features.calm_full ? 0.15 : 1, calm));
}

/**
 * Evidence that a log shows no fault: trouble spread as evenly as the work, or rare trouble that has passed while the
 * work goes on.
 */
export function describeCalm(log: ParsedLog, scene: Scene = setScene(log)): Features {
  const { trouble, start, end, statements } = scene;
  const isError = (one: Statement) => one.level >= 3 && isTrouble(one) && !one.isSettled;
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
  // Errors that fill a window, or what a component says that reports success too, may have begun before the window.
  const isFull = (own: readonly Statement[], most: number) =>
    hasLevels(log) && sumCounts(own.filter(isError)) > Math.max(20, most * sumCounts(own));
  const places = [...Map.groupBy(statements, ({ place }) => place).values()];
  const even = rateEven(warned, scene) * Math.min(1, sumCounts(warned) / 20);
  const findings = log.findings.filter(({ kind, clarity }) => !["rate", "stopped"].includes(kind) && clarity >= 0.6);
  return {
    calm_ordered: rateOrdered(scene),
    calm_number: findings.length > 0 ? 1 : 0,
    calm_even: even,
    calm_open: count === 0 || hasPassed ? 0 : 1 - even,
    calm_brief: hasPassed ? Math.max(0, 1 - share / 0.06) : 0,
    calm_share: Math.log10(1 + 100 * Math.min(1, share)),
    calm_work: rateWork(scene, scene.onset ?? start),
    calm_full: isFull(statements, 0.15) || places.some((own) => isFull(own, 0.3) && !isFull(own, 0.9)) ? 1 : 0,
  };
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
