import * as z from "zod";
import { dice } from "../../../text/dice.ts";
import { extractWords } from "../compare/extract-words.ts";
import { CategorySchema, type Incident, incidentSources } from "../schemas/incident.ts";
import type { Matcher } from "../compare/create-matcher.ts";
import type { Query } from "../compare/build-query.ts";

/** A past incident that looks like the observed one, with what matched (root-cause spec §3.2). */
export const SimilarIncidentSchema = z.strictObject({
  incident_id: z.string(),
  title: z.string().default(""),
  system: z.string().default("unknown"),
  similarity: z.number().min(0).max(1),
  /** The share of what is known of that incident that is seen here as well. */
  covered: z.number().min(0).max(1).default(0),
  /**
   * How alike the most similar incident of another cause is: a match that is not clear of it says little. What people
   * confirmed is held against what people confirmed.
   */
  next_cause: z.number().min(0).max(1).default(0),
  /** How alike the most similar incident is that nobody confirmed; 0 for such incidents themselves. */
  next_unconfirmed: z.number().min(0).max(1).default(0),
  source: z.enum(incidentSources).default("import"),
  category: CategorySchema,
  cause: z.string(),
  confidence: z.number().default(0.7),
  symptoms: z.array(z.string()).default([]),
  resolution: z.array(z.string()).default([]),
  matched: z
    .strictObject({
      events: z.array(z.string()).default([]),
      errors: z
        .array(z.strictObject({ error_type: z.string(), message: z.string(), line: z.int().positive() }))
        .default([]),
      entities: z.array(z.string()).default([]),
    })
    .prefault({}),
});
export type SimilarIncident = z.infer<typeof SimilarIncidentSchema>;

/** The weights of the specification: an error says more than an entity, an entity more than an event. */
export const matchWeights = { event: 1, error: 2, entity: 1.5 } as const;

type Weighted<T> = { item: T; weight: number; knownBy: Set<Incident> };

/**
 * Incidents by Σ w·idf(matched) / Σ w·idf(query), so 0..1; equal ones by id (root-cause spec §3.2). Templates that are neither
 * salient nor known to any incident are not part of the query: routine lines must not dilute it.
 */
export function findSimilarIncidents(
  incidents: readonly Incident[],
  query: Query,
  matcher: Matcher,
): SimilarIncident[] {
  const weigh = createWeigher(incidents.length);
  const templates = query.templates
    .map((item) => weigh(item, matchWeights.event, matcher.findByTemplate(item)))
    .filter(({ item, knownBy }) => item.salient || knownBy.size > 0);
  const errors = query.errors.map((item) => weigh(item, matchWeights.error, new Set(matcher.findByError(item).keys())));
  const entities = query.entities
    .map((item) => weigh(item, matchWeights.entity, matcher.findByEntity(item)))
    .filter(({ knownBy }) => knownBy.size > 0);
  const whole = sum([...templates, ...errors, ...entities]);
  const found = incidents
    .map((incident) => ({
      incident,
      events: templates.filter(({ knownBy }) => knownBy.has(incident)),
      errors: errors.filter(({ knownBy }) => knownBy.has(incident)),
      entities: entities.filter(({ knownBy }) => knownBy.has(incident)),
    }))
    .filter(({ events, errors }) => events.length + errors.length > 0)
    .map(({ incident, events, errors, entities }) => ({
      shared: new Map([...events, ...errors].map(({ item, weight }) => [item.text, weight])),
      similar: describe(incident, sum([...events, ...errors, ...entities]) / whole, {
        events: events.map(({ item }) => item.text),
        errors: errors.map(({ item }) => ({ error_type: item.observed, message: item.text, line: item.line })),
        entities: entities.map(({ item }) => item.name),
      }),
    }))
    .filter(({ similar }) => similar.similarity > 0)
    .sort(({ similar: a }, { similar: b }) => b.similarity - a.similarity || (a.incident_id < b.incident_id ? -1 : 1));
  return found.map((one) => ({ ...one.similar, ...rateNext(one, found) }));
}

/** Two causes are one when their words are this much alike, or when this much of what both know of the log is the same. */
const sameWords = 0.75;
const sameTrouble = 0.7;

type Found = { similar: SimilarIncident; shared: Map<string, number> };
type Next = Pick<SimilarIncident, "next_cause" | "next_unconfirmed">;

/** Similarities fall, so the first of another cause is the most alike one. */
function rateNext(one: Found, found: readonly Found[]): Next {
  const rivals = found.filter((other) => !isSameCause(one, other));
  const isConfirmed = ({ similar }: Found) => similar.source !== "starter";
  const confirmed = rivals.find(isConfirmed)?.similar.similarity ?? 0;
  const unconfirmed = rivals.find((other) => !isConfirmed(other))?.similar.similarity ?? 0;
  if (!isConfirmed(one)) return { next_cause: Math.max(confirmed, unconfirmed), next_unconfirmed: 0 };
  return { next_cause: confirmed, next_unconfirmed: unconfirmed };
}

/** People tell one cause in many words; incidents of one kind that know nearly all of a log, and the same of it, are not told apart by it. */
function isSameCause(a: Found, b: Found): boolean {
  if (a.similar.category !== b.similar.category) return false;
  if (dice(new Set(extractWords(a.similar.cause)), new Set(extractWords(b.similar.cause))) >= sameWords) return true;
  if (!isNearlyWhole(a.similar) || !isNearlyWhole(b.similar)) return false;
  const common = [...a.shared].filter(([text]) => b.shared.has(text)).map(([, weight]) => ({ weight }));
  const most = Math.max(sum([...a.shared.values()].map(toWeight)), sum([...b.shared.values()].map(toWeight)));
  return sum(common) >= sameTrouble * most;
}

/** Whether most of this log is known to an incident and most of that incident is seen here. */
function isNearlyWhole({ similarity, covered }: SimilarIncident): boolean {
  return similarity >= nearlyWhole && covered >= nearlyWhole;
}

const nearlyWhole = 0.6;

function toWeight(weight: number): { weight: number } {
  return { weight };
}

function createWeigher(incidents: number) {
  return <T>(item: T, weight: number, knownBy: Set<Incident>): Weighted<T> => {
    return { item, weight: weight * Math.log(1 + incidents / (1 + knownBy.size)), knownBy };
  };
}

function describe(incident: Incident, similarity: number, matched: SimilarIncident["matched"]): SimilarIncident {
  const { id, title, system, category, cause, confidence, symptoms, resolution } = incident;
  const rounded = Math.round(similarity * 1000) / 1000;
  const seen = matched.events.length + matched.errors.length;
  const known = incident.templates.length + incident.errors.length;
  return {
    incident_id: id,
    title,
    system,
    similarity: rounded,
    covered: Math.round(Math.min(1, seen / Math.max(1, known)) * 100) / 100,
    next_cause: 0,
    next_unconfirmed: 0,
    source: incident.source,
    category,
    cause,
    confidence,
    symptoms,
    resolution,
    matched,
  };
}

function sum(items: { weight: number }[]): number {
  return items.reduce((total, { weight }) => total + weight, 0);
}
