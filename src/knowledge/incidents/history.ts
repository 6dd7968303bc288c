import type { CausalPath, History, Incident, Pattern, SimilarIncident } from "../../contract/incident.ts";
import type { ErrorMessage, LogEvent, ParsedLog } from "../../contract/parsed-log.ts";
import { dice } from "../../text/similar.ts";
import { keyEntity } from "../logs/index.ts";
import { readStarterIncidents } from "./library.ts";
import { matchSign } from "./signs.ts";
import { comparable, extractWords, isFrame, isTelling, shortenErrorType, troubleWords } from "./words.ts";

/** Past incidents to search, how much of them to return, and words not to match on. */
export type RetrievalOptions = {
  starter: boolean;
  similar: number;
  paths: number;
  patterns: number;
  exclude_ids: readonly string[];
  exclude_context: readonly Record<string, string>[];
  hide: readonly string[];
};

type Asked = { text: string; words: string[]; error: ErrorMessage | null; knownBy: Set<Incident>; weight: number };
type Phrase = { incident: Incident; words: string[]; weight: number };

/** Matches a log with the starter incidents and the project's own (root-cause spec §3.2), without excluded incidents and hidden words. */
export function askHistory(log: ParsedLog, own: readonly Incident[], options: RetrievalOptions): History {
  const library = openLibrary(own, options);
  const { incidents } = library;
  const asked = ask(log, library, options.hide);
  const entities = log.entities.filter(({ type }) => comparable.has(type)).map(({ name }) => name);
  const similar = findSimilar(library, asked, { entities, seen: seeWords(log, options.hide) });
  return {
    incidents: incidents.length,
    similar_incidents: similar.slice(0, options.similar),
    causal_paths: findCausalPaths(incidents, asked).slice(0, options.paths),
    entity_context: gatherContext(incidents, entities),
    patterns: findPatterns(log, library, options.hide).slice(0, options.patterns),
  };
}

type Library = {
  incidents: Incident[];
  phrases: Map<string, Phrase[]>;
  proofs: Map<Incident, string[][]>;
  idf: Map<string, number>;
  types: Map<string, Incident[]>;
  spoken: Map<Incident, Phrase[]>;
};

const ofAnyProgram =
  /^(?:exception|error|ioexception|runtime(?:exception|error)|throwable|warning|fatal|critical|key|value|type|attribute|index|assertion|os|io|timeout|import|filenotfound|nullpointer|illegal(?:state|argument)|indexoutofbounds|classcast|numberformat|unsupportedoperation|sql|execution|reference|range|syntax|panic|notfound|killed|permissiondenied|connection(?:refused|reset)|brokenpipe)(?:exception|error)?$/;

function openLibrary(own: readonly Incident[], options: RetrievalOptions): Library {
  const byId = new Map(
    [...(options.starter ? readStarterIncidents() : []), ...own].map((incident) => [incident.id, incident]),
  );
  const incidents = [...byId.values()].filter(
    ({ id, context }) =>
      !options.exclude_ids.includes(id) && !options.exclude_context.some((pairs) => hasAll(context, pairs)),
  );
  const spoken = incidents.flatMap((incident) =>
    [...incident.templates, ...incident.errors.map(({ message }) => message)]
      .map((text) => ({ incident, words: extractWords(text, options.hide), weight: 0 }))
      .filter(({ words }) => words.length >= 2),
  );
  const idf = weighWords(spoken, incidents);
  for (const phrase of spoken) phrase.weight = sum(phrase.words.map((word) => idf.get(word) ?? 0));
  const proofs = new Map(
    incidents.map((incident) => [incident, incident.proof.map((text) => extractWords(text, options.hide))]),
  );
  const types = index(incidents, ({ errors }) =>
    errors.map(({ type }) => shortenErrorType(type)).filter((type) => !ofAnyProgram.test(type)),
  );
  return {
    incidents,
    phrases: index(spoken, ({ words }) => words),
    proofs,
    idf,
    types,
    spoken: Map.groupBy(spoken, ({ incident }) => incident),
  };
}

function hasAll(context: Record<string, string>, pairs: Record<string, string>): boolean {
  const wanted = Object.entries(pairs);
  return wanted.length > 0 && wanted.every(([key, value]) => context[key] === value);
}

function weighWords(phrases: readonly Phrase[], incidents: readonly Incident[]): Map<string, number> {
  const causes = new Map<string, Set<string>>();
  for (const { incident, words } of phrases)
    for (const word of words) causes.set(word, (causes.get(word) ?? new Set()).add(causeOf(incident)));
  const all = new Set(incidents.map(causeOf)).size;
  return new Map([...causes].map(([word, held]) => [word, Math.log(1 + all / held.size)]));
}

/** Identifies a cause. The same cause in different words may count as several, but never the reverse. */
function causeOf({ cause, category }: Pick<Incident, "cause" | "category">): string {
  return `${category}: ${extractWords(cause).toSorted().join(" ")}`;
}

const mostTemplates = 2000;

function ask(log: ParsedLog, library: Library, hide: readonly string[]): Asked[] {
  const usual = new Set(
    log.templates.filter(({ change }) => change === "same" || change === "less").map(({ id }) => id),
  );
  const said = log.error_messages.filter((error) => !usual.has(error.template_id ?? "") && isTelling(textOf(error)));
  const silent = log.findings
    .filter(({ kind }) => kind === "stopped")
    .slice(0, 4)
    .map(({ description }) => description);
  const templates = log.templates.filter(({ id }) => !usual.has(id)).slice(0, mostTemplates);
  const telling = templates.filter(
    ({ template, level }) =>
      !isFrame(template) && (troubleWords.test(template) || level === "WARN" || level === "ERROR" || level === "FATAL"),
  );
  const others = templates.filter((template) => !telling.includes(template));
  const prepare = (text: string, error: ErrorMessage | null) => weigh(text, error, library, hide);
  const errors = (said.length > 0 ? said : log.error_messages).map((error) => prepare(textOf(error), error));
  const messages = [...telling.map(({ template }) => template), ...silent].map((text) => prepare(text, null));
  return [
    ...errors,
    ...messages,
    ...others.map(({ template }) => prepare(template, null)).filter(({ knownBy }) => knownBy.size > 0),
  ];
}

const weights = { event: 1, error: 2, entity: 1.5 };

function weigh(text: string, error: ErrorMessage | null, library: Library, hide: readonly string[]): Asked {
  const words = extractWords(text, hide);
  const knownBy = new Set(findContained(words, library).map(({ incident }) => incident));
  if (error) for (const incident of library.types.get(shortenErrorType(error.error_type)) ?? []) knownBy.add(incident);
  const all = new Set(library.incidents.map(causeOf)).size;
  const causes = new Set([...knownBy].map(causeOf)).size;
  return {
    text,
    words,
    error,
    knownBy,
    weight: (error ? weights.error : weights.event) * Math.log(1 + all / (1 + causes)),
  };
}

const enough = 0.75;

function findContained(words: readonly string[], { phrases, idf }: Library): Phrase[] {
  const found = new Map<Phrase, number>();
  for (const word of new Set(words))
    for (const phrase of phrases.get(word) ?? []) found.set(phrase, (found.get(phrase) ?? 0) + (idf.get(word) ?? 0));
  return [...found].filter(([phrase, weight]) => weight >= enough * phrase.weight).map(([phrase]) => phrase);
}

function textOf({ message, cause }: ErrorMessage): string {
  return cause ?? message;
}

function seeWords(log: ParsedLog, hide: readonly string[]): Set<string> {
  const texts = [
    ...log.templates.flatMap(({ template, sample, component }) => [template, sample, component ?? ""]),
    ...log.error_messages.map(textOf),
  ];
  return new Set(texts.flatMap((text) => extractWords(text, hide)));
}

type Seen = { entities: readonly string[]; seen: ReadonlySet<string> };
type Found = { similar: SimilarIncident; incident: Incident };

/** Incidents by Σ w·idf(matched) / Σ w·idf(query), 0..1; ties by id. */
function findSimilar(library: Library, asked: readonly Asked[], { entities, seen }: Seen): SimilarIncident[] {
  const { incidents } = library;
  const named = entities
    .map((name) => ({
      name,
      knownBy: incidents.filter((incident) =>
        incident.entities.some((entity) => keyEntity(entity.name) === keyEntity(name)),
      ),
    }))
    .filter(({ knownBy }) => knownBy.length > 0);
  const entityWeight = ({ knownBy }: (typeof named)[number]) =>
    weights.entity * Math.log(1 + incidents.length / (1 + knownBy.length));
  const whole = Math.max(1e-9, sum(asked.map(({ weight }) => weight)) + sum(named.map(entityWeight)));
  const found = incidents.flatMap((incident): Found[] => {
    const matched = asked.filter(({ knownBy }) => knownBy.has(incident));
    if (matched.length === 0) return [];
    const shared = named.filter(({ knownBy }) => knownBy.includes(incident));
    const similarity = (sum(matched.map(({ weight }) => weight)) + sum(shared.map(entityWeight))) / whole;
    const known = incident.templates.length + incident.errors.length;
    const errors = matched.flatMap(({ error, text }) =>
      error ? [{ error_type: error.error_type, message: text, line: error.line }] : [],
    );
    const { id, title, system, category, cause, confidence, symptoms, resolution, source } = incident;
    const covered = Math.min(1, matched.length / Math.max(1, known));
    const similar = {
      incident_id: id,
      title,
      system,
      similarity: Math.round(1000 * Math.min(1, similarity)) / 1000,
      covered: Math.round(100 * covered) / 100,
      next_cause: 0,
      proven:
        isProofSeen(incident, library, asked, seen) ||
        (incident.proof.length === 0 && Math.min(similarity, covered) >= alike && !hasOtherCause(asked, incident)),
      source,
      category,
      cause,
      confidence,
      symptoms,
      resolution,
      matched: {
        events: matched.filter(({ error }) => error === null).map(({ text }) => text),
        errors,
        entities: shared.map(({ name }) => name),
      },
    };
    return [{ similar, incident }];
  });
  found.sort(
    ({ similar: a }, { similar: b }) => b.similarity - a.similarity || (a.incident_id < b.incident_id ? -1 : 1),
  );
  return found.map((one) => ({
    ...one.similar,
    next_cause: found.find((other) => !isSameCause(one.incident, other.incident, library))?.similar.similarity ?? 0,
  }));
}

const alike = 0.75;
const clearCause = 0.6;

function hasOtherCause(asked: readonly Asked[], incident: Incident): boolean {
  return asked.some(({ text, knownBy }) => {
    const sign = knownBy.has(incident) ? null : matchSign(text);
    return sign?.role === "cause" && sign.strength >= clearCause;
  });
}

function isSameCause(a: Incident, b: Incident, library: Library): boolean {
  if (a === b) return true;
  if (a.category !== b.category) return false;
  if (dice(new Set(extractWords(a.cause)), new Set(extractWords(b.cause))) >= 0.6) return true;
  const proves = (one: Incident, other: Incident) =>
    (library.proofs.get(one) ?? []).every((words) => knowsWords(other, words, library));
  return proves(a, b) && proves(b, a) && Math.min(shareKnown(a, b, library), shareKnown(b, a, library)) >= alike;
}

function knowsWords(incident: Incident, words: readonly string[], library: Library): boolean {
  return findContained(words, library).some((phrase) => phrase.incident === incident);
}

function shareKnown(one: Incident, other: Incident, library: Library): number {
  const own = library.spoken.get(one) ?? [];
  const shared = own.filter(({ words }) => knowsWords(other, words, library));
  return sum(shared.map(({ weight }) => weight)) / Math.max(1e-9, sum(own.map(({ weight }) => weight)));
}

function isProofSeen(
  incident: Incident,
  { proofs, idf }: Library,
  asked: readonly Asked[],
  seen: ReadonlySet<string>,
): boolean {
  const weightOf = (words: readonly string[]) => sum(words.map((word) => idf.get(word) ?? 3));
  const own = proofs.get(incident) ?? [];
  if (own.length > 0)
    return own.some((words) =>
      asked.some((one) => weightOf(words.filter((word) => one.words.includes(word))) >= enough * weightOf(words)),
    );
  const words = extractWords(incident.cause);
  return weightOf(words.filter((word) => seen.has(word))) >= 0.5 * weightOf(words);
}

const longestChain = 5;
type Walk = { steps: string[]; confidence: number; delay: number; incidents: string[] };

function findCausalPaths(incidents: readonly Incident[], asked: readonly Asked[]): CausalPath[] {
  const links = incidents.flatMap(({ id, chain }) => chain.map((link) => ({ ...link, incident: id })));
  const byEffect = index(links, ({ effect }) => [effect.toLowerCase()]);
  const walkBack = (walk: Walk): Walk[] => {
    const causes = walk.steps.length > longestChain ? [] : (byEffect.get(walk.steps[0]?.toLowerCase() ?? "") ?? []);
    const known = walk.steps.map((step) => step.toLowerCase());
    const longer = causes
      .filter(({ cause }) => !known.includes(cause.toLowerCase()))
      .flatMap(({ cause, confidence, delay_seconds, incident }) =>
        walkBack({
          steps: [cause, ...walk.steps],
          confidence: walk.confidence * confidence,
          delay: walk.delay + delay_seconds,
          incidents: [...new Set([incident, ...walk.incidents])],
        }),
      );
    return longer.length > 0 ? longer : walk.steps.length > 1 ? [walk] : [];
  };
  const paths = listEnds(asked).flatMap(({ ends, error }) =>
    ends
      .flatMap((end) => walkBack({ steps: [end], confidence: 1, delay: 0, incidents: [] }))
      .map(({ steps, confidence, delay, incidents: ids }) => ({
        steps,
        hops: steps.length - 1,
        confidence: Math.round(confidence * 1000) / 1000,
        delay_seconds: delay,
        incident_ids: ids,
        error_type: error.error_type,
        line: error.line,
      })),
  );
  const unique = new Map(paths.toReversed().map((path) => [path.steps.join("\n"), path]));
  return [...unique.values()].toSorted(
    (a, b) => b.confidence - a.confidence || a.hops - b.hops || (a.steps.join("\n") < b.steps.join("\n") ? -1 : 1),
  );
}

function listEnds(asked: readonly Asked[]): { ends: string[]; error: ErrorMessage }[] {
  return asked.flatMap(({ error, knownBy, words }) => {
    if (error === null) return [];
    const known = [...knownBy].flatMap(({ errors }) =>
      errors.filter(
        ({ type, message }) =>
          shortenErrorType(type) === shortenErrorType(error.error_type) ||
          extractWords(message).every((word) => words.includes(word)),
      ),
    );
    const ends = known.flatMap(({ type, message }) => (message === "" ? [type] : [type, message]));
    return [{ ends: [...new Set(ends)], error }];
  });
}

function gatherContext(incidents: readonly Incident[], names: readonly string[]): History["entity_context"] {
  const past = (name: string) =>
    incidents.filter(({ entities }) => entities.some((entity) => keyEntity(entity.name) === keyEntity(name)));
  const known = [...new Set(names)].map((name) => ({ name, past: past(name) })).filter((one) => one.past.length > 0);
  const listed = known.toSorted((a, b) => b.past.length - a.past.length || (a.name < b.name ? -1 : 1)).slice(0, 8);
  return Object.fromEntries(
    listed.map((one) => [
      one.name,
      one.past.slice(0, 3).map(({ id, category, cause }) => ({ incident_id: id, category, cause })),
    ]),
  );
}

function findPatterns(log: ParsedLog, library: Library, hide: readonly string[]): Pattern[] {
  const texts = new Map(log.templates.map(({ id, template }) => [id, template]));
  const found = new Map<string, { ids: string[]; lines: number[] }>();
  for (const [index, error] of log.events.entries()) {
    if (error.level !== "ERROR" && error.level !== "FATAL") continue;
    const before = listBefore(log.events, index);
    for (let size = 1; size <= before.length; size += 1) {
      const ids = [...before.slice(-size), error].map(({ template_id }) => template_id);
      const entry = found.get(ids.join(" ")) ?? { ids, lines: [] };
      entry.lines.push(error.line);
      found.set(ids.join(" "), entry);
    }
  }
  return [...found.values()]
    .filter(({ lines }) => lines.length >= 2)
    .toSorted(
      (a, b) => b.lines.length - a.lines.length || b.ids.length - a.ids.length || (a.lines[0] ?? 0) - (b.lines[0] ?? 0),
    )
    .slice(0, 20)
    .map(({ ids, lines }) => {
      const pattern = ids.map((id) => texts.get(id) ?? id);
      const known = pattern.flatMap((text) =>
        findContained(extractWords(text, hide), library).map(({ incident }) => incident.id),
      );
      return {
        pattern,
        frequency: lines.length,
        lines: lines.slice(0, 5),
        incident_ids: [...new Set(known)].slice(0, 5),
      };
    });
}

function listBefore(events: readonly LogEvent[], index: number): LogEvent[] {
  const before: LogEvent[] = [];
  for (let back = index - 1; back >= 0 && before.length < 2; back -= 1) {
    const event = events[back];
    if (!event || event.file !== events[index]?.file) break;
    if (event.template_id !== (before[0] ?? events[index])?.template_id) before.unshift(event);
  }
  return before;
}

function index<T>(items: readonly T[], keysOf: (item: T) => string[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const item of items)
    for (const key of new Set(keysOf(item))) (found.get(key) ?? found.set(key, []).get(key))?.push(item);
  return found;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
