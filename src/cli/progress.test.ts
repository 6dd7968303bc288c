import { expect, it } from "vitest";
import type { Turn } from "../contract/turn.ts";
import { describeRun, followRun, startRunProgress } from "./progress.ts";
import { describeProgress } from "./run-file.ts";

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
  const count = {
    done: 0,
    total: 2_000,
    reused: 0,
    failed: 0,
    notRun: 0,
    others: new Map<string, number>(),
    firstFailure: null,
    spent: { calls: 0, tokens: 0, usd: 0, used: 0, cached: 0 },
  };
  expect(describeProgress(count, "texts", 0)).toBe("0/2\u202f000 texts · 0.0/s · 0 s");
  const spent = { calls: 400, tokens: 9_000, usd: 0.25, used: 9_000, cached: 0 };
  expect(describeProgress({ ...count, done: 500, reused: 100, failed: 3, spent }, "texts", 40_000)).toBe(
    "500/2\u202f000 texts · 10.0/s · 2 min 30 s left · $0.25 · 3 failed",
  );
});
