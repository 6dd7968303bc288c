import type { SimilarIncident } from "./find-similar-incidents.ts";

/** How far a past incident carries over to the log at hand, and why. */
export type Match = {
  /** 0..1: how sure the cause of then is the cause of now. */
  strength: number;
  /** Whether it settles the matter: confirmed by a person, alike, and clear of every other cause. */
  settles: boolean;
  reason: string;
};

/** A match settles from this similarity on, and when it is this many times that of the best other cause. */
export const settlingSimilarity = 0.3;
export const settlingMargin = 1.5;
/** ... and when at least this share of what was seen then is seen now. */
const settlingCover = 0.3;
/** A single message that both print is little, unless it is most of what is known of that incident. */
const singleCover = 0.6;
/** Past incidents that settle nothing carry at most this much. */
const mostUnsettled = 0.6;
/** What happened to another system carries over less. */
const elsewhere = 0.6;
const anySystem = new Set(["linux", "services", "network", "unknown"]);

/** Whether an incident is of this system: something of it was seen here, or it could have happened anywhere. */
export function isAtHome({ matched, system }: SimilarIncident): boolean {
  return matched.entities.length > 0 || anySystem.has(system);
}

/** Weighs a past incident: how alike it is, how clear of other causes, how much of it is seen here (root-cause spec §4.6). */
export function weighMatch(incident: SimilarIncident): Match {
  const { similarity, next_cause: rival, next_unconfirmed: generic, confidence, covered, source } = incident;
  const confirmed = source !== "starter";
  const settles =
    confirmed &&
    similarity >= settlingSimilarity &&
    similarity >= settlingMargin * rival &&
    similarity >= generic &&
    covered >= (countMatched(incident) > 1 ? settlingCover : singleCover);
  if (settles) {
    const strength = Math.min(0.95, 0.8 + 0.15 * similarity);
    return { strength, settles, reason: `a confirmed incident, similarity ${similarity}, next cause ${rival}` };
  }
  const carries = Math.sqrt(similarity) * 0.9 * confidence * (isAtHome(incident) ? 1 : elsewhere);
  const clear = similarity > Math.max(rival, generic) ? 1 : 0.8;
  return {
    strength: Math.min(mostUnsettled, carries * clear),
    settles,
    reason: `similarity ${similarity}, next cause ${rival}`,
  };
}

function countMatched({ matched }: SimilarIncident): number {
  return new Set([...matched.events, ...matched.errors.map(({ message }) => message)]).size;
}
