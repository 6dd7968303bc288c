import type { ParsedLog, WatchedRate } from "../../logs/index.ts";
import type { CitedLine, Finding } from "../clues/finding.ts";
import type { Places } from "../clues/create-places.ts";
import { matchSigns } from "../clues/match-signs.ts";

type Scene = { log: ParsedLog; places: Places };
type Watched = { sign: string; strength: number; says: (rate: WatchedRate) => string };

/** An answer that failed for this share of the requests is an incident, whatever level it was logged at. */
const failingShare = 0.02;
const clearShare = 0.1;

/** What the watched rates show that no line says: requests that began to fail, work that stopped (root-cause spec §2.6). */
export function findRates(log: ParsedLog, places: Places): Finding[] {
  const rates = log.watched ?? [];
  const failing = rates.filter(isFailing);
  const narrow = failing.filter(({ kind }) => kind === "route");
  const stopped = rates.filter((rate) => isStopped(rate) && isWork(rate, log));
  const told = [
    ...(narrow.length > 0 ? narrow : failing).map((rate) => buildFinding(rate, failed(rate), { log, places })),
    ...stopped.map((rate) => buildFinding(rate, silent(stopped.length), { log, places })),
  ];
  return told.toSorted((a, b) => b.strength - a.strength).slice(0, 6);
}

function isFailing({ kind, name, change, share }: WatchedRate): boolean {
  const rising = change === "started" || change === "more";
  return rising && share >= failingShare && (kind === "status" || kind === "route") && /\b5(?:xx|\d\d)\b/.test(name);
}

/** Work that was steady and stopped for good; a component that fell silent says more than one of its messages. */
function isStopped({ kind, change, reference_count }: WatchedRate): boolean {
  return change === "stopped" && reference_count >= 20 && (kind === "component" || kind === "template");
}

const refusal = /\b(?:block(?:ed)?|drop(?:ped)?|den(?:y|ied)|reject(?:ed)?|refused?|attempt|scan|probe|banned)\b/i;

/** What was refused or ignored on purpose is no work that someone misses. */
function isWork({ kind, name }: WatchedRate, { templates }: ParsedLog): boolean {
  const text = kind === "template" ? (templates.find(({ id }) => id === name)?.template ?? "") : "";
  return !refusal.test(text) && !matchSigns(text).some(({ role }) => role === "routine");
}

function failed({ share }: WatchedRate): Watched {
  const strength = Math.min(0.85, 0.5 + (0.35 * share) / clearShare);
  return { sign: "failing_requests", strength, says: ({ description }) => `fails requests: ${description}` };
}

/** The more messages stopped, the less each says of where it began. */
function silent(stopped: number): Watched {
  const strength = 0.6 / Math.sqrt(Math.max(1, stopped));
  return { sign: "stopped_work", strength, says: ({ description }) => `stopped: ${description}` };
}

function buildFinding(rate: WatchedRate, { sign, strength, says }: Watched, { log, places }: Scene): Finding {
  const place = findPlace(rate, log, places);
  const lines = citeRate(rate, log);
  return {
    sign,
    category: "software",
    role: "symptom",
    strength,
    place,
    says: says(rate),
    lines,
    templates: rate.kind === "template" ? [rate.name] : [],
    count: rate.count,
    firstMs: lines[0]?.timestamp ?? rate.from,
    resolution: [`Find out what changed at ${place ?? "this point"} when it began, and read the log of what it calls`],
  };
}

/** Where a watched rate is counted: a component, a route, or whoever prints a template. */
export function findPlace({ kind, name }: WatchedRate, { templates }: ParsedLog, places: Places): string | null {
  if (kind === "component") return name;
  if (kind === "route") return name.replace(/\s+5\S+$/, "");
  const template = templates.find(({ id }) => id === name);
  return template === undefined ? null : places.template(template);
}

/** The line that shows the change, when it was kept. */
function citeRate({ line, file }: WatchedRate, { events }: ParsedLog): CitedLine[] {
  const event = events.find((one) => one.line === line && one.file === file);
  if (!event) return [];
  const { timestamp } = event;
  return [{ line: event.line, file, quote: (event.raw.split("\n")[0] ?? "").trim(), timestamp }];
}
