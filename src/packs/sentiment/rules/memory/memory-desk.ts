import type { SentimentConfig } from "../../config/resolve-config.ts";
import type { MemoryLine } from "../../schemas/role-inputs.ts";
import type { MemoryTrace } from "../../schemas/debate-output.ts";
import type { Episode } from "../../schemas/memory.ts";
import type { Polarity } from "../../schemas/stage1.ts";
import type { AspectMatcher } from "../tuples/aspect-matcher.ts";
import { type DebateSoFar, observeDeadlock, isDeadlocked } from "./deadlock-observations.ts";

/** Decides, turn by turn, whether a speaker is shown memory, and keeps the trace of it. */
export type MemoryDesk = {
  /** The memory block of the next turn, or null. */
  before(turn: string, so: DebateSoFar): MemoryLine[] | null;
  trace(): MemoryTrace;
};

/** Opens the desk on the episodes that were retrieved; C1 retrieves nothing, C2_silent never shows (sentiment spec §3). */
export function openMemoryDesk(
  retrieved: readonly Episode[],
  memory: SentimentConfig["memory"],
  injection: SentimentConfig["debate"]["injection"],
): MemoryDesk {
  const { condition } = memory;
  const trace: MemoryTrace = {
    condition,
    retrieved_ids: condition === "C1" ? [] : retrieved.map((episode) => episode.id),
    injected: [],
    injected_before: [],
    observations: [],
  };
  const maySpeak = () =>
    condition === "C2" &&
    retrieved.length > 0 &&
    (injection.allow_multiple_injections || trace.injected_before.length === 0);
  return {
    before(turn, so) {
      if (condition === "C1") return null;
      const observed = observeDeadlock(so);
      trace.observations.push({ before: turn, observed });
      if (!maySpeak() || !triggers[injection.trigger](observed)) return null;
      trace.injected_before.push(turn);
      trace.injected = [...retrieved];
      return retrieved.map(({ principle, advice, aspect_group }) => ({ principle, advice, aspect_group }));
    },
    trace: () => trace,
  };
}

const triggers = { deadlock_obs2of4: isDeadlocked };

/** Tells whether memory that was shown to a speaker advises against a polarity for an aspect (gate step 9b, sentiment spec §6). */
export function createMemoryAdvice(injected: readonly Episode[], matcher: AspectMatcher) {
  return (aspect: string, polarity: Polarity): boolean => {
    const group = matcher.group(aspect) ?? "other";
    return injected.some(
      (episode) => episode.aspect_group === group && episode.advice !== null && episode.advice !== polarity,
    );
  };
}
