import type { Level, LogEvent, LogTemplate, ParsedLog } from "../../logs/index.ts";
import type { CitedLine, Finding } from "../clues/finding.ts";
import type { Novelty } from "../clues/measure-novelty.ts";
import { findHost, findSubject } from "../clues/find-host.ts";
import type { Places } from "../clues/create-places.ts";
import { type Sign, matchSigns } from "../clues/match-signs.ts";
import { findTellingLine, isFrame } from "../compare/telling-line.ts";

const mostLines = 6;
/** A symptom that the program itself logs as mere information weighs less. */
const symptomWeight: Partial<Record<Level, number>> = { TRACE: 0.3, DEBUG: 0.3, INFO: 0.5 };

/** A sign this strong settles its category however seldom it shows. */
const settling = 0.7;

type Group = {
  sign: Sign;
  place: string | null;
  lines: CitedLine[];
  templates: Map<string, LogTemplate | null>;
  counts: Map<string, number>;
  weight: number;
};

/** The signs in the lines that were kept and in the templates of everything else, a finding per sign and place. */
export function findSigns(log: ParsedLog, novelty: Novelty, places: Places): Finding[] {
  const groups = new Map<string, Group>();
  const templates = new Map(log.templates.map((template) => [template.id, template]));
  const quoted = new Set<string>();
  for (const event of log.events)
    for (const { sign, cited } of listEventSigns(event)) {
      const template = templates.get(event.template_id) ?? null;
      const group = findGroup(groups, sign, findPlace(sign, cited.quote, event, places));
      group.lines.push(cited);
      group.templates.set(event.template_id, template);
      group.counts.set(event.template_id, (group.counts.get(event.template_id) ?? 0) + 1);
      group.weight = Math.max(group.weight, weighSign(sign, event.level, template, novelty));
      quoted.add(`${sign.id} ${event.template_id}`);
    }
  for (const template of log.templates)
    for (const sign of matchSigns(template.template)) {
      if (quoted.has(`${sign.id} ${template.id}`)) continue;
      const group = findGroup(groups, sign, findPlace(sign, template.sample || template.template, template, places));
      group.templates.set(template.id, template);
      group.counts.set(template.id, template.count);
      group.weight = Math.max(group.weight, weighSign(sign, template.level, template, novelty));
    }
  return [...groups.values()].map(buildFinding).filter(({ strength }) => strength > 0.02);
}

/** The signs of an event's lines. What a stack trace says at its root stands for the whole: the rest is wrapped around it. */
function* listEventSigns(event: LogEvent): Generator<{ sign: Sign; cited: CitedLine }> {
  const lines = event.raw.split("\n");
  const root = findTellingLine(event).offset;
  const named = root > 0 && matchSigns(lines[root] ?? "").some(({ role }) => role === "cause");
  for (const [offset, quote] of lines.entries()) {
    if ((named && offset !== root) || isFrame(quote)) continue;
    for (const sign of matchSigns(quote)) {
      const { file, timestamp } = event;
      yield { sign, cited: { line: event.line + offset, file, quote: quote.trim(), timestamp } };
    }
  }
}

function findGroup(groups: Map<string, Group>, sign: Sign, place: string | null): Group {
  const key = `${sign.id}\n${place ?? ""}`;
  const group = groups.get(key) ?? { sign, place, lines: [], templates: new Map(), counts: new Map(), weight: 0 };
  groups.set(key, group);
  return group;
}

/** Trouble of machines and links sits at the host that the message names; trouble of programs at who logs it. */
function findPlace(sign: Sign, text: string, at: LogEvent | LogTemplate, places: Places): string | null {
  const [own, event] = "raw" in at ? [places.event(at), at] : [places.template(at), places.sampleOf(at)];
  const blamed = sign.role === "symptom" ? places.blamed(text, own) : null;
  if (blamed !== null) return blamed;
  if (sign.category === "hardware") return findSubject(text) ?? findHost(text, sign.peer) ?? places.host(event);
  if (sign.category === "network" && sign.role === "cause" && !sign.peer) return findHost(text) ?? places.host(event);
  if (sign.category === "network") return findHost(text, sign.peer);
  return sign.peer ? (findHost(text, true) ?? own) : own;
}

function weighSign(sign: Sign, level: Level | null, template: LogTemplate | null, novelty: Novelty): number {
  if (sign.role === "routine" || sign.role === "recovery") return 1;
  const known = template === null ? 1 : novelty.ofTemplate(template) * novelty.ofComponent(template);
  const unusual = template === null ? known : known * novelty.ofCourse(template, sign.strength >= settling);
  return unusual * (sign.role === "symptom" && level !== null ? (symptomWeight[level] ?? 1) : 1);
}

function buildFinding({ sign, place, lines, templates, counts, weight }: Group): Finding {
  const count = [...counts].reduce((total, [id, seen]) => total + Math.max(seen, templates.get(id)?.count ?? 0), 0);
  const repeated = sign.role === "symptom" ? Math.min(1.5, 1 + 0.1 * Math.log2(Math.max(1, count))) : 1;
  const times = lines.flatMap(({ timestamp }) => timestamp ?? []);
  const firstSeen = [...templates.values()].flatMap((template) => template?.first_seen ?? []);
  return {
    sign: sign.id,
    category: sign.category,
    role: sign.role,
    strength: Math.min(0.97, sign.strength * weight * repeated),
    place,
    says: sign.says,
    lines: keepFirstAndLast(lines),
    templates: [...templates.keys()],
    count,
    firstMs: times.length + firstSeen.length === 0 ? null : Math.min(...times, ...firstSeen),
    resolution: sign.resolution,
    ...(sign.leads_to.length > 0 && { leadsTo: sign.leads_to }),
  };
}

/** The first lines and the last: how it began and that it went on. */
function keepFirstAndLast(lines: CitedLine[]): CitedLine[] {
  return lines.length <= mostLines ? lines : [...lines.slice(0, mostLines - 1), ...lines.slice(-1)];
}
