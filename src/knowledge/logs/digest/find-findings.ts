import type { LogFinding } from "../../../contract/parsed-log.ts";
import type { KeptEvent } from "../event/event.ts";
import { wordData } from "../event/log-data.ts";
import { listSeries, listSubjects, partVoice, type Series, type Voice } from "./voices.ts";

export type Scene = {
  firstMs: number;
  lastMs: number;
  textOf(shape: number): string;
  nameOf(voice: Voice): string | null;
};

export type Shown = { finding: LogFinding; events: KeptEvent[] };
type Found = Pick<LogFinding, "kind" | "subject" | "description" | "before" | "after" | "clarity" | "from"> & {
  events: KeptEvent[];
};

const leastSamples = 8;
const mostFindings = 60;

/** Findings from numbers and counts (root-cause spec §2.6), clearest first. */
export function findFindings(voices: readonly Voice[], scene: Scene): Shown[] {
  const found = groupLike(voices, scene).flatMap((group) => {
    const named = nameSubjects(group, scene);
    const parts = named.flatMap(partVoice);
    const find = (list: readonly Voice[]) => {
      const series = new Map(list.map((voice) => [voice, listSeries(voice)]));
      return list.flatMap((voice) => findNumbers(voice, series, scene).map((one) => place(one, voice, scene)));
    };
    const odd = find(parts);
    // What moves in all parts alike moved in the whole.
    const numbers = odd.length > 0 || parts.length === named.length ? odd : find(named);
    const rates = parts.flatMap((voice) => {
      const found = findBusier(voice, scene);
      return found === null ? [] : [place(found, voice, scene)];
    });
    return [...numbers, ...rates, ...findSilent(group, scene)];
  });
  const best = new Map<string, Shown>();
  const order = (a: LogFinding, b: LogFinding) =>
    b.clarity - a.clarity || (a.from ?? 0) - (b.from ?? 0) || a.line - b.line;
  for (const one of found.toSorted((a, b) => order(a.finding, b.finding))) {
    const { kind, component, subject } = one.finding;
    const key = `${kind} ${component} ${subject}`;
    if (!best.has(key)) best.set(key, one);
  }
  return [...best.values()].slice(0, mostFindings);
}

const wordsOf = (voice: Voice, scene: Scene) => scene.textOf(voice.shape).split(" ");

/** Groups of voices that print the same numbers in the same words but one or two, as each of many queues does. */
function groupLike(voices: readonly Voice[], scene: Scene): Voice[][] {
  const groups: { words: string[]; members: Voice[] }[] = [];
  const byKey = new Map<string, typeof groups>();
  for (const voice of voices) {
    const words = wordsOf(voice, scene);
    const key = `${voice.status} ${words.length} ${voice.names.map(({ name }) => name).join(" ")}`;
    const known = byKey.get(key) ?? [];
    byKey.set(key, known);
    const isLike = (other: readonly string[]) => words.filter((word, at) => word !== other[at]).length;
    const most = voice.names.length > 0 && words.length > 2 ? 2 : 0;
    const group = known.find((one) => isLike(one.words) <= most);
    if (group !== undefined) group.members.push(voice);
    else {
      const added = { words, members: [voice] };
      known.push(added);
      groups.push(added);
    }
  }
  return groups.map(({ members }) => members);
}

/** Names what each voice of a group is about by the words in which it differs from the others. */
function nameSubjects(group: readonly Voice[], scene: Scene): Voice[] {
  const texts = group.map((voice) => wordsOf(voice, scene));
  return group.map((voice, index) => {
    const own = (texts[index] ?? []).filter((word, at) => texts.some((other) => other[at] !== word));
    const words = own
      .filter((word) => /[A-Za-z]{2}/.test(word))
      .map((word) => word.replace(/^[\w."]+[=:](?=.)|["',{}]/g, ""));
    return { ...voice, subject: words.length > 0 ? words.join(" ").slice(0, 60) : sharedSubject(voice) };
  });
}

/** What all messages of a voice name, besides who says them. */
function sharedSubject({ samples, component, host }: Voice): string | null {
  const [first, ...rest] = samples.map(({ event }) => listSubjects(event));
  const isAbout = (name: string) => !`${component} ${host}`.includes(name) && rest.every((own) => own.includes(name));
  return samples.length < leastSamples ? null : (first?.find(isAbout) ?? null);
}

function place({ events, ...facts }: Found, voice: Voice, scene: Scene): Shown {
  const [first] = events;
  const about = voice.subject === null ? "" : `${voice.subject} `;
  const found = { ...facts, subject: `${about}${facts.subject}`, description: `${about}${facts.description}` };
  const where = { component: scene.nameOf(voice), file: first?.file ?? null, line: first?.line ?? 1 };
  return { finding: { ...found, ...where, last_line: events.at(-1)?.line ?? null }, events };
}

function findNumbers(voice: Voice, all: ReadonlyMap<Voice, Series[]>, scene: Scene): Found[] {
  const own = all.get(voice) ?? [];
  return own.flatMap((series, index) => {
    if (series.at.length < leastSamples) return [];
    const limit = findLimit(series, own);
    if (limit === null && isIdentity(series)) return [];
    const peers = [...all].flatMap(([other, list]) => (other === voice ? [] : (list[index] ?? [])));
    const left = voice.leftZero[index]?.event ?? null;
    const found = limit ?? findZero(series, left, scene) ?? findStep(series, peers) ?? findDrift(series, peers, scene);
    return found === null ? [] : [found];
  });
}

const identities = new RegExp(wordData.identities, "i");
const sizesOf = new RegExp(wordData.sizes, "i");
const held = new RegExp(wordData.held, "i");

function isIdentity({ name, value, unit }: Series): boolean {
  const isWhole = value.every(Number.isInteger);
  const isCounter = isWhole && value.every((one, index) => index === 0 || one > (value[index - 1] ?? one));
  if (identities.test(name.trim()) && unit === "" && isWhole && value[0] !== 0) return true;
  const isStatus = isWhole && unit === "" && value.every((one) => one >= 100 && one < 600) && new Set(value).size <= 8;
  if (isStatus) return true;
  if (!isCounter) return false;
  const steps = value.slice(1).map((one, index) => one - (value[index] ?? 0));
  if (sizesOf.test(unit)) return Math.max(...steps) === 1;
  return Math.max(...steps) <= 1.05 * Math.min(...steps) || (unit === "" && identities.test(name.trim()));
}

/** `used=max`, `n of n`, 100 %: a number that rises to the limit next to it, and stays there. */
function findLimit(series: Series, all: readonly Series[]): Found | null {
  const { value } = series;
  const limit = limitOf(series, all);
  if (limit === null) return null;
  const reached = value.findIndex((one) => one >= 0.995 * limit);
  const stays = reached > 0 && value.slice(reached).every((one) => one >= 0.9 * limit);
  if (!stays || Math.min(...value.slice(0, reached)) > 0.95 * limit || Math.max(...value) > 1.005 * limit) return null;
  const described = `${series.name} reaches its limit: ${formatValue(value[0] ?? 0)} at first, ${formatValue(limit)}${printUnit(series)} of ${formatValue(limit)}${printUnit(series)} in the end`;
  return buildFound("limit", series, reached, described, [value[0] ?? 0, limit], 0.9);
}

/** A constant number in the same line that is named as a limit or follows "of". */
function limitOf(series: Series, all: readonly Series[]): number | null {
  const { unit, name } = series;
  if (/^%$|percent|pct/i.test(unit)) return 100;
  const next = all[all.indexOf(series) + 1];
  const fixed = all.filter(({ value: [cap = 0, ...rest] }) => cap >= 4 && rest.every((one) => one === cap));
  const isCap = (one: Series) =>
    /max|limit|cap|size|quota|of$|total/i.test(one.name) ||
    (one === next && (/of$/i.test(name) || /\bof\b/i.test(unit)));
  const caps = fixed.filter((one) => one !== series && one.value.length === series.value.length && isCap(one));
  return (caps.find((one) => one === next) ?? caps[0])?.value[0] ?? null;
}

/** A number that was long zero and no longer is, or never was and then stays zero. */
function findZero(series: Series, left: KeptEvent | null, { firstMs, lastMs }: Scene): Found | null {
  const { value, at } = series;
  const first = value.findIndex((one) => one !== 0);
  if (first >= leastSamples / 2 && (at[first] ?? 0) - firstMs >= 0.08 * (lastMs - firstMs)) {
    const rest = value.slice(first);
    if (rest.length >= 4 && rest.filter((one) => one === 0).length <= 0.1 * rest.length) {
      const described = `${series.name} rises from zero and does not return: ${formatValue(value.at(-1) ?? 0)}${printUnit(series)} in the end`;
      const one = buildFound("leaves_zero", series, first, described, [0, value.at(-1) ?? 0], 0.8);
      return left === null ? one : { ...one, from: left.timestamp, events: [left, ...one.events.slice(1)] };
    }
  }
  const lastUsed = value.findLastIndex((one) => one !== 0);
  const before = value.slice(0, lastUsed + 1);
  const zeros = value.length - before.length;
  if (zeros < 4 || before.length < leastSamples / 2 || before.includes(0)) return null;
  const described = `${series.name} falls to zero and stays there: ${formatValue(median(before))}${printUnit(series)} before`;
  return buildFound("falls_to_zero", series, lastUsed + 1, described, [median(before), 0], 0.85);
}

function findStep(series: Series, peers: readonly Series[]): Found | null {
  const { value } = series;
  if (isClimbing(value)) return null;
  let best: { at: number; low: number; high: number } | null = null;
  for (let at = 4; at <= value.length - 4; at += 1) {
    const [before, after] = [value.slice(0, at), value.slice(at)];
    const [low, high] = [median(before), median(after)];
    const scatter = Math.max(spread(before), spread(after) / 4, Math.abs(low) * 0.02, 1e-9);
    const isApart =
      after.filter((one) => (high > low ? one > quantile(before, 0.98) : one < quantile(before, 0.02))).length >=
      0.9 * after.length;
    const factor = high > low ? high / Math.max(low, 1e-9) : low / Math.max(high, 1e-9);
    const rise = Math.abs(high - low);
    if (!isApart || rise < 2 || factor < (peers.length >= 2 ? 1.6 : 3)) continue;
    const isSteady = rise >= 6 * scatter && spread(after) <= 0.5 * rise;
    if (isSteady && (best === null || Math.abs(high - low) > Math.abs(best.high - best.low))) best = { at, low, high };
  }
  if (best === null || peers.filter((peer) => findStep(peer, []) !== null).length > peers.length / 2) return null;
  const measure = best.high > best.low ? nameMeasure(series, "steps") : `${series.name} steps`;
  const described = `${measure} from ${formatValue(best.low)} to ${formatValue(best.high)}${printUnit(series)} and stays there`;
  const clarity = (best.high > best.low ? 0.8 : 0.5) + (peers.length >= 2 ? 0.1 : 0);
  return buildFound("steps", series, findLeaving(value, best.at), described, [best.low, best.high], clarity);
}

/** Where a number that ends in another range left its first one for good. */
function findLeaving(value: readonly number[], step: number): number {
  const usual = value.slice(0, Math.max(4, Math.floor(step / 2)));
  const [least, most] = [Math.min(...usual), Math.max(...usual)];
  const slack = 0.5 * (most - least);
  const back = value.findLastIndex((one, index) => index < step && one >= least - slack && one <= most + slack);
  return Math.min(step, back + 1);
}

/**
 * A number that grows or falls without returning. One that grows from first to last line is a counter, unless it is a
 * size or a time, or its peers do not grow.
 */
function findDrift(whole: Series, peers: readonly Series[], scene: Scene): Found | null {
  return findOneWay(whole, peers, scene, false) ?? findOneWay(whole, peers, scene, true);
}

function findOneWay(
  whole: Series,
  peers: readonly Series[],
  { firstMs, lastMs }: Scene,
  isFalling: boolean,
): Found | null {
  const turned = isFalling ? whole.value.map((one) => -one) : whole.value;
  const until = findRestart(turned);
  const [moved, own] = [turned.slice(0, until), whole.value.slice(0, until)];
  const { at, unit, name } = whole;
  const parts = [0, 1, 2, 3].map((part) => quarter(moved, part));
  const rises = moved.slice(1).filter((one, index) => one >= (moved[index] ?? 0)).length / (moved.length - 1);
  const isRising = parts.every(
    (one, index) => index === 0 || one > (parts[index - 1] ?? one) || (index < 3 && one === parts[0]),
  );
  const base = Math.min(...moved.slice(0, 4));
  const reach = Math.max(...moved) - base;
  const end = median(moved.slice(-3));
  const sizes = [quarter(own, 0), quarter(own, 3)].map((one) => Math.max(Math.abs(one), 1e-9));
  const [first = 0, last = 0] = sizes;
  // A level in decibels or below zero that moves away from zero grows too.
  const factor = isFalling && own.some((one) => one >= 0) ? first / last : last / first;
  const isOdd = isApart(whole, peers);
  if (!isRising || end - base < 0.85 * reach || rises < 0.6) return null;
  if (factor < (isFalling ? 3 : 1.5) && !isOdd) return null;
  const onset = moved.findIndex(
    (one, index) =>
      index > 0 && one - base > 0.03 * reach && moved.slice(index).every((later) => later - base > 0.02 * reach),
  );
  const flat = onset > 0 ? ((at[onset] ?? firstMs) - firstMs) / Math.max(1, lastMs - firstMs) : 0;
  const isSize = !isFalling && (sizesOf.test(unit) || held.test(name)) && factor >= 3;
  const isProgress = isClimbing(turned) && (!isSize || unit === "%");
  if (!isOdd && (isProgress || (!isSize && flat < 0.12))) return null;
  const [begin, stop] = isFalling ? [-base, -end] : [base, end];
  const ends = until === turned.length ? "in the end" : "before it starts over";
  const does = isFalling ? `${name} falls without return` : nameMeasure(whole, "grows without return");
  const described = `${does}: ${formatValue(begin)} at first, ${formatValue(stop)}${printUnit(whole)} ${ends}`;
  const clarity = 0.55 + (isOdd ? 0.2 : 0) + (flat >= 0.12 ? 0.1 : 0) + (factor >= 10 ? 0.1 : 0);
  const cut = { ...whole, at: at.slice(0, until), value: own, events: whole.events.slice(0, until) };
  return buildFound("grows", cut, Math.max(0, onset), described, [begin, stop], Math.min(0.95, clarity));
}

function quarter(values: readonly number[], part: number): number {
  return median(values.slice(Math.floor((part * values.length) / 4), Math.floor(((part + 1) * values.length) / 4)));
}

/** True for a number that leaves the range in which all of its at least two peers stay. */
function isApart({ value }: Series, peers: readonly Series[]): boolean {
  const held = peers.filter((peer) => peer.value.length >= 4);
  const [begin, end] = [value.slice(0, Math.max(4, Math.floor(value.length / 4))), median(value.slice(-3))];
  const usual = [...held.flatMap((peer) => peer.value), ...begin].toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [usual[0], usual.at(-1)];
  const away = Math.max(end - high, low - end);
  return held.length >= 2 && away > Math.max(2 * (high - low), 0.1 * Math.abs(median(begin)));
}

function isClimbing(value: readonly number[]): boolean {
  return value.every((one, index) => index === 0 || one > (value[index - 1] ?? one));
}

/** Where a number that returns after its top to less than half of its way starts over. */
function findRestart(value: readonly number[]): number {
  const base = Math.min(...value.slice(0, 4));
  const top = value.indexOf(Math.max(...value));
  const rest = value.slice(top + 1);
  const isOver = rest.every((one) => one - base <= 0.5 * ((value[top] ?? 0) - base));
  return top < leastSamples || rest.length === 0 || !isOver ? value.length : top + 1;
}

const times = /^(?:ms|us|s|sec|seconds)$/i;
const clocks = /clock|offset|skew|drift|wall|uptime|age|ttl|interval/i;

function nameMeasure({ name, unit }: Series, does: string): string {
  return times.test(unit) && !clocks.test(name) ? `becomes slow: ${name} ${does}` : `${name} ${does}`;
}

function findSilent(group: readonly Voice[], scene: Scene): Shown[] {
  const regular = group.filter(
    ({ count, isTrouble, firstMs, lastMs, status }) =>
      count >= 10 && !isTrouble && firstMs !== null && lastMs !== null && (status ?? 2) < 4,
  );
  const gaps = regular.map((voice) => ({
    voice,
    silence: scene.lastMs - (voice.lastMs ?? 0),
    distance: ((voice.lastMs ?? 0) - (voice.firstMs ?? 0)) / (voice.count - 1),
    longest: Math.max(...voice.samples.map(({ at }, index) => at - (voice.samples[index - 1]?.at ?? at))),
  }));
  const silent = gaps.filter(
    ({ voice, silence, distance, longest }) =>
      silence > 12 * Math.max(1, distance) &&
      silence > 2 * longest &&
      silence > 0.15 * ((voice.lastMs ?? 0) - (voice.firstMs ?? 0)),
  );
  const isSingled = regular.length >= 3 && silent.length <= regular.length / 3;
  return silent.map(({ voice, silence }) => {
    const text = scene.textOf(voice.shape).slice(0, 100);
    const others = isSingled ? `, while ${regular.length - silent.length} others go on` : "";
    const description = `no longer says "${text}": the last was ${Math.round(silence / 1000)} s before the end${others}`;
    const events = voice.samples.slice(-1).map(({ event }) => event);
    const found: Found = {
      kind: "stopped",
      subject: text,
      description,
      before: voice.count,
      after: 0,
      clarity: isSingled ? 0.85 : 0.45,
      from: voice.lastMs,
      events,
    };
    return place(found, voice, scene);
  });
}

const leastOften = 4;
/** How much likelier than an even rate, as a logarithm. */
const leastLikely = 12;

/** A message without trouble that is said ever so often from some time on: somebody asks for much more, or for something new. */
function findBusier(voice: Voice, { firstMs, lastMs, textOf }: Scene): Found | null {
  const { samples, every, isTrouble, shape } = voice;
  if (isTrouble || samples.length < 16 || samples.some(({ event }) => event.level === "WARN")) return null;
  const rate = (count: number, from: number, to: number) => (every * count) / Math.max(1, to - from);
  let best: { at: number; before: number; after: number; fit: number } | null = null;
  for (const [at, { at: from }] of samples.entries()) {
    const rest = samples.length - at;
    if (rest < 8 || from - firstMs < 0.08 * (lastMs - firstMs)) continue;
    const [before, after] = [rate(at, firstMs, from), rate(rest, from, lastMs)];
    const fit = rest * Math.log(after) + (at === 0 ? 0 : at * Math.log(before));
    if (after >= leastOften * before && (best === null || fit > best.fit)) best = { at, before, after, fit };
  }
  const even = samples.length * Math.log(rate(samples.length, firstMs, lastMs));
  if (best === null || best.fit - even < leastLikely) return null;
  const text = textOf(shape).slice(0, 100);
  const [before, after] = [60_000 * best.before, 60_000 * best.after];
  const described =
    best.at === 0
      ? `begins to say "${text}" ${formatValue(after)} times a minute`
      : `says "${text}" ${formatValue(after)} times a minute, ${formatValue(before)} before`;
  const events = [samples[best.at], samples.at(-1)].flatMap((sample) => sample?.event ?? []);
  const clarity = after >= 2 * leastOften * before ? 0.7 : 0.55;
  const from = samples[best.at]?.at ?? null;
  return { kind: "rate", subject: text, description: described, before, after, clarity, from, events };
}

function buildFound(
  kind: LogFinding["kind"],
  series: Series,
  index: number,
  description: string,
  [before, after]: [number, number],
  clarity: number,
): Found {
  const at = Math.min(index, series.at.length - 1);
  const events = [series.events[at], series.events.at(-1)].flatMap((event) => event ?? []);
  return {
    kind,
    subject: series.name,
    description,
    before,
    after,
    clarity,
    // It began between two samples, nobody knows when.
    from: series.at[at] === undefined ? null : ((series.at[at - 1] ?? series.at[at]) + series.at[at]) / 2,
    events,
  };
}

function printUnit({ unit }: Series): string {
  return unit === "" || unit === "of" ? "" : unit === "%" ? " %" : ` ${unit}`;
}

function formatValue(value: number): string {
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString("en") : String(Math.round(value * 100) / 100);
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function spread(values: readonly number[]): number {
  return quantile(values, 0.75) - quantile(values, 0.25);
}
