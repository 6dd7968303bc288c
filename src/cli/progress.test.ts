import { expect, it } from "vitest";
import type { Turn } from "../contract/turn.ts";
import { describeRun, describeWork, followRun, startRunProgress } from "./progress.ts";

it("a run's line says who speaks, the time, and the spend", () => {
  const run = startRunProgress();
  const key = { round: 1, step: "opening", role: "skeptic" };
  followRun(run, { type: "round_started", round: 1 });
  followRun(run, { type: "turn_started", key, player: "m" });
  expect(describeRun(run, 2_400)).toBe("round 1 · skeptic speaking · 0 turns done · 2 s");
  const usage = { calls: 1, inputTokens: 900, outputTokens: 100, cachedTokens: 0, reasoningTokens: 0, costUsd: 0.0123 };
  followRun(run, { type: "turn", replayed: false, turn: { key, usage } as Turn });
  expect(describeRun(run, 61_000)).toBe("round 1 · 1 turn done · 61 s · $0.0123");
});

it("a batch's line says how much is done, how fast, how long it still takes, the spend and the failures", () => {
  const work = { done: 0, before: 0, total: 2_000, failed: 0, tokens: 0, costUsd: 0 };
  expect(describeWork(work, "texts", 0)).toBe("0/2\u202f000 texts · 0.0/s · 0 s");
  const later = { ...work, done: 500, before: 100, failed: 3, tokens: 9_000, costUsd: 0.25 };
  expect(describeWork(later, "texts", 40_000)).toBe(
    "500/2\u202f000 texts · 10.0/s · 2 min 30 s left · $0.25 · 3 failed",
  );
});
