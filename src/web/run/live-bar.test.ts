import { expect, it } from "vitest";
import { saySpent } from "./live-bar.tsx";

const usage = { calls: 1, inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 };
const say = (players: string[], budget = {}) =>
  saySpent({
    turns: players.map((player) => ({ player, status: "answered", usage })),
    manifest: { budget },
  } as never);

it("turns of programs and recordings are not called calls, those of models are", () => {
  expect(say(["expert", "recording/2b9x1k"])).toBe("2 turns");
  expect(say(["expert", "openai/gpt-5-mini"])).toBe("2 turns · 1 call");
  expect(say(["expert"], { calls: 5 })).toBe("1 turn · 0 of 5 calls");
});
