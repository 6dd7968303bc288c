import type { LogTemplate } from "../../../contract/parsed-log.ts";
import type { KeptEvent } from "../event/event.ts";
import { isBad } from "./shape-facts.ts";

export type Candidate = {
  event: KeptEvent;
  template: LogTemplate;
  repeat: number;
  isFirstError: boolean;
  isTelling: boolean;
};

export type Chosen = { candidate: Candidate; why: string[]; score: number };

const charsPerToken = 4;

/**
 * Chooses events for prompts (root-cause spec §2.4): errors, the first of all, rare and new templates,
 * best first within the token budget. The result is in log order.
 */
export function chooseSalient(candidates: readonly Candidate[], budgetTokens: number, events: number): Chosen[] {
  const scored = candidates
    .map((candidate) => score(candidate, events))
    .sort((a, b) => b.score - a.score || a.candidate.event.order - b.candidate.event.order);
  const chosen: Chosen[] = [];
  let left = budgetTokens;
  for (const item of scored) {
    const cost = Math.ceil(item.candidate.event.raw.length / charsPerToken) + 8;
    if (cost > left) continue;
    left -= cost;
    chosen.push(item);
  }
  return chosen.sort((a, b) => a.candidate.event.order - b.candidate.event.order);
}

function score(candidate: Candidate, events: number): Chosen {
  const { template, event } = candidate;
  const level = event.level ?? template.level;
  const rarity = Math.log10(Math.max(1, events) / Math.max(1, template.count));
  const parts: [number, string][] = [
    [isBad(level) ? 4 : level === "WARN" ? 2 : 0, `level ${level ?? ""}`],
    [candidate.isFirstError ? 6 : 0, "the first error"],
    [
      template.change === "new" ? 3 : template.change === "more" ? 2 : 0,
      `${template.change ?? ""} against the reference`,
    ],
    [candidate.isTelling ? 6 * (1 + candidate.repeat) : 0, "its number changed"],
    [Math.min(3, rarity), rarity >= 2 ? `rare: ${template.count} of ${events}` : ""],
  ];
  const why = parts.filter(([weight, reason]) => weight > 0 && reason !== "").map(([, reason]) => reason);
  const total = parts.reduce((sum, [weight]) => sum + weight, 0);
  return { candidate, why: why.length > 0 ? why : ["sample of its template"], score: total / (1 + candidate.repeat) };
}
