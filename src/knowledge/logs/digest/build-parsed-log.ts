import { nameFile } from "../event/names.ts";
import type { MinedTemplate, MinedTemplates } from "./template-miner.ts";
import {
  type ErrorMessage,
  levels,
  type LogEvent,
  type LogSource,
  type LogTemplate,
  type LogTotals,
  type ParsedLog,
} from "../../../contract/parsed-log.ts";
import type { KeptEvent } from "../event/event.ts";
import type { LogDigest } from "./log-digest.ts";
import { type Candidate, type Chosen, chooseSalient } from "./choose-salient.ts";
import { findCommonLevel, joinFacts, createFacts, type ShapeFacts } from "./shape-facts.ts";
import { findFindings, type Shown } from "./find-findings.ts";
import type { Voice } from "./voices.ts";
import { buildTimeline, type TemplateNames } from "./timeline.ts";

export type DigestLimits = { budgetTokens: number; maxTemplates: number; maxEntities: number; maxErrors: number };

const mostShown = 20;

type Known = { template: LogTemplate; facts: ShapeFacts };

/** Builds the parsed log: chosen events, templates, entities, errors, timeline, and counts of the rest. */
export function buildParsedLog(
  digest: LogDigest,
  sources: LogSource[],
  reading: Pick<LogTotals, "blank_lines" | "continuation_lines">,
  options: DigestLimits & { reference: string | null },
): ParsedLog {
  const mined = digest.finish();
  const voices = countVoices(digest, mined.templateOf);
  const known = mined.templates.map((template, index) => describe(template, index, digest, voices[index]));
  const present = known.filter(({ template }) => template.count > 0).sort(compareCounts);
  const names = nameTemplates(mined, known);
  const shown = listFindings(digest, names);
  const hops = digest.calls.list(digest.referenceCalls);
  const telling = [
    ...shown.slice(0, mostShown).flatMap(({ events }) => events),
    ...hops.flatMap(({ event }) => event ?? []),
  ];
  const candidates = listCandidates(digest, mined, known, telling);
  const chosen = chooseSalient(candidates, options.budgetTokens, digest.events);
  const errors = listErrors(present);
  const entities = digest.entities.listTop(options.maxEntities);
  const templates = keepTemplates(present, chosen, options.maxTemplates);
  return {
    sources,
    events: chosen.map(buildEvent),
    templates,
    entities,
    error_messages: errors.slice(0, options.maxErrors),
    timeline: buildTimeline(digest, names),
    reference:
      options.reference === null ? null : buildReference(options.reference, digest, known, options.maxTemplates),
    findings: shown.map(({ finding }) => finding),
    hops: hops.map(({ hop }) => hop),
    totals: {
      files: sources.length,
      bytes: sources.reduce((sum, source) => sum + source.bytes, 0),
      lines: sources.reduce((sum, source) => sum + source.lines, 0),
      ...reading,
      events: digest.events,
      outside_window: digest.outsideWindow,
      events_by_level: countLevels(digest.byLevel),
      kept_events: chosen.length,
      left_out_events: digest.events - chosen.length,
      templates: present.length,
      first_timestamp: digest.firstTimestamp,
      last_timestamp: digest.lastTimestamp,
    },
  };
}

function describe(
  mined: MinedTemplate<ShapeFacts>,
  index: number,
  digest: LogDigest,
  voices: Spread | undefined,
): Known {
  const facts = createFacts();
  for (const shape of mined.shapes) joinFacts(facts, shape.data);
  const counts = { count: facts.count, referenceCount: facts.referenceCount };
  const totals = { events: digest.events, referenceEvents: digest.referenceEvents };
  const compared = digest.referenceEvents > 0;
  const template: LogTemplate = {
    id: `T${index + 1}`,
    template: mined.template,
    count: facts.count,
    level: findCommonLevel(facts),
    component: facts.component,
    sample: facts.first?.message ?? mined.sample,
    file: facts.first?.file ?? null,
    first_line: facts.first?.line ?? null,
    last_line: facts.last.line || null,
    first_seen: facts.first?.timestamp ?? null,
    last_seen: facts.last.timestamp,
    spread: voices?.speakers.size ?? 1,
    ...(voices && { pace: voices.pace }),
    reference_count: compared ? facts.referenceCount : null,
    change: compared ? compareRates({ ...counts, ...totals }) : null,
  };
  return { template, facts };
}

function compareCounts(a: Known, b: Known): number {
  return b.template.count - a.template.count || (a.facts.first?.order ?? 0) - (b.facts.first?.order ?? 0);
}

function nameTemplates(mined: MinedTemplates<ShapeFacts>, known: readonly Known[]) {
  const at = (shape: number) => known[mined.templateOf(shape)]?.template;
  return { idOf: (shape: number) => at(shape)?.id ?? "", textOf: (shape: number) => at(shape)?.template ?? "" };
}

function listCandidates(
  digest: LogDigest,
  mined: MinedTemplates<ShapeFacts>,
  known: readonly Known[],
  telling: readonly KeptEvent[],
): Candidate[] {
  const events = new Map<number, KeptEvent>();
  for (const { facts } of known) for (const event of facts.kept) events.set(event.order, event);
  const first = digest.firstError;
  for (const event of [...telling, ...(first ? [first] : [])]) events.set(event.order, event);
  const shown = new Set(telling.map(({ order }) => order));
  const repeats = new Map<LogTemplate, number>();
  return [...events.values()]
    .sort((a, b) => a.order - b.order)
    .flatMap((event) => {
      const template = known[mined.templateOf(event.shape)]?.template;
      if (template === undefined) return [];
      const repeat = repeats.get(template) ?? 0;
      repeats.set(template, repeat + 1);
      const isFirstError = event.order === first?.order;
      return [{ event, template, repeat, isFirstError, isTelling: shown.has(event.order) }];
    });
}

function buildEvent({ candidate: { event, template }, why }: Chosen): LogEvent {
  return {
    id: `e${event.order + 1}`,
    file: event.file,
    line: event.line,
    ...(event.lastLine > event.line ? { last_line: event.lastLine } : {}),
    timestamp: event.timestamp,
    level: event.level ?? template.level,
    component: event.component,
    ...(event.service !== null && { service: event.service }),
    ...(event.host !== null && { host: event.host }),
    ...(event.trace !== null && { trace: event.trace }),
    ...(event.took !== null && { took_ms: event.took }),
    ...(event.status !== null && { status: event.status }),
    ...(event.cause !== null && { cause: event.cause }),
    template_id: template.id,
    message: event.message,
    raw: event.raw,
    why,
  };
}

function listErrors(present: readonly Known[]): ErrorMessage[] {
  return present
    .flatMap(({ template, facts }) =>
      facts.errors.map(({ type, message, count, event }): { order: number; error: ErrorMessage } => ({
        order: event.order,
        error: {
          error_type: type,
          message,
          component: event.component,
          file: event.file,
          line: event.line,
          template_id: template.id,
          level: event.level ?? template.level,
          timestamp: event.timestamp,
          count: facts.errors.length === 1 && facts.errorCount > 0 ? facts.errorCount : count,
          ...(event.cause !== null && { cause: event.cause }),
        },
      })),
    )
    .sort((a, b) => a.order - b.order)
    .map(({ error }) => error);
}

function keepTemplates(present: readonly Known[], chosen: readonly Chosen[], limit: number): LogTemplate[] {
  const shown = new Set(chosen.map(({ candidate }) => candidate.template));
  return present.filter(({ template }, rank) => rank < limit || shown.has(template)).map(({ template }) => template);
}

/** `UNKNOWN` counts events without a level. */
function countLevels(byLevel: LogDigest["byLevel"]): Record<string, number> {
  const named = byLevel.map((count, index): [string, number] => [levels[index] ?? "UNKNOWN", count]);
  return Object.fromEntries(named.filter(([, count]) => count > 0));
}

function buildReference(
  name: string,
  digest: LogDigest,
  known: readonly Known[],
  limit: number,
): ParsedLog["reference"] {
  const vanished = known
    .filter(({ template }) => template.count === 0)
    .map(({ template }) => template)
    .sort((a, b) => (b.reference_count ?? 0) - (a.reference_count ?? 0))
    .slice(0, limit);
  return { name, events: digest.referenceEvents, vanished };
}

function listFindings(digest: LogDigest, names: TemplateNames): Shown[] {
  const { firstTimestamp: firstMs, lastTimestamp: lastMs } = digest;
  if (firstMs === null || lastMs === null || lastMs <= firstMs) return [];
  const voices = digest.voices.list();
  const hosts = new Map<string | null, Set<string | null>>();
  for (const { component, host } of voices) hosts.set(component, (hosts.get(component) ?? new Set()).add(host));
  const files = new Set(voices.map(({ file }) => file)).size;
  const nameOf = ({ component, host, file }: Voice) => {
    const own = (hosts.get(component)?.size ?? 0) > 1 ? host : (component ?? host);
    return own ?? (file !== null && files > 1 ? nameFile(file) : null);
  };
  const scene = { firstMs, lastMs, textOf: names.textOf, nameOf };
  const flows = digest.calls.listBrokenFlows(names.textOf).map((finding) => ({ finding, events: [] }));
  return [...findFindings(voices, scene), ...flows];
}

type Spread = { speakers: Set<string>; pace: number[] };

/** Who says each template, and how many times in each tenth of the log's time. */
function countVoices(digest: LogDigest, templateOf: (shape: number) => number): Spread[] {
  const { firstTimestamp: start, lastTimestamp: end } = digest;
  const counted: Spread[] = [];
  for (const { shape, component, host, samples, every } of digest.voices.list()) {
    const { speakers, pace } = (counted[templateOf(shape)] ??= {
      speakers: new Set(),
      pace: Array<number>(10).fill(0),
    });
    speakers.add(`${component}@${host}`);
    for (const { at } of samples) {
      const tenth = Math.min(9, Math.floor((10 * (at - (start ?? at))) / Math.max(1, (end ?? at) - (start ?? at))));
      pace[tenth] = (pace[tenth] ?? 0) + every;
    }
  }
  return counted;
}

type Occurrence = { count: number; events: number; referenceCount: number; referenceEvents: number };

/**
 * Compares a template's rate with the reference (root-cause spec §2.6): new, vanished, at least twice as frequent or
 * rare while more than three deviations off, or the same.
 */
function compareRates({
  count,
  events,
  referenceCount,
  referenceEvents,
}: Occurrence): NonNullable<LogTemplate["change"]> {
  if (referenceCount === 0) return "new";
  if (count === 0) return "vanished";
  const expected = (referenceCount * events) / Math.max(1, referenceEvents);
  const deviation = Math.sqrt(expected + (expected * events) / Math.max(1, referenceEvents));
  if (count >= 2 * expected && count - expected > 3 * deviation) return "more";
  return 2 * count <= expected && expected - count > 3 * deviation ? "less" : "same";
}
