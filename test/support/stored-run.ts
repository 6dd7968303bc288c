import type { EntryBody } from "../../src/contract/journal.ts";
import type { Manifest, Run } from "../../src/contract/run.ts";
import type { Outcome } from "../../src/contract/result.ts";
import { noUsage } from "../../src/contract/budget.ts";

export const manifest: Manifest = {
  version: 1,
  parley: "0",
  pack: "toy",
  input: { question: "?" },
  given: {},
  config: {},
  cast: "expert",
  seed: 0,
  budget: {},
  parent: null,
};

/** A run to be stored; what matters to a test is given. */
export function createRun(
  id: string,
  { pack = manifest.pack, input = manifest.input, ...facts }: Partial<Run> & { pack?: string; input?: unknown } = {},
): Run {
  return {
    id,
    manifest: { ...manifest, pack, input },
    caseId: null,
    key: `key-${id}`,
    batch: null,
    status: "running",
    outcome: null,
    createdAt: "2026-01-01T00:00:00.000Z",
    headHash: "",
    entryCount: 0,
    ...facts,
  };
}

/** A reply to the prompt of this hash. */
export function createAttempt(promptHash: string): EntryBody {
  return {
    kind: "attempt",
    turn: { round: 0, step: "s", role: "r" },
    place: 0,
    number: 1,
    player: "p",
    promptHash,
    requestHash: "",
    attempt: { raw: "{}", problems: [], usage: noUsage, finish: null, startedMs: 0, durationMs: 0 },
    spent: { calls: 0, tokens: 0, usd: 0 },
    conclusion: null,
  };
}

/** The last entry of a run that came to this decision. */
export function createEnd(decision: unknown, outcome: Outcome = "decided"): EntryBody {
  return {
    kind: "end",
    elapsedMs: 1,
    lost: { calls: 0, tokens: 0, usd: 0 },
    result: {
      version: 1,
      outcome,
      reasons: [],
      decision,
      quorum: { asked: 0, answered: 0, repaired: 0, mended: 0, abstained: 0 },
      usage: noUsage,
      spend: { calls: 0, tokens: 0, usd: 0, refused: [] },
      promptTokens: { total: 0, prefix: 0 },
      notes: [],
    },
  };
}
