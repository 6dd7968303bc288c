import { describe, expect, it } from "vitest";
import { quarrel } from "../../test/support/quarrel.ts";
import { loadPack } from "../packs/registry.ts";
import { expertPlayer } from "../players/offline-players.ts";
import { memoryStore } from "../store/memory-store.ts";
import { readRun } from "./read-run.ts";
import { startRun } from "./start.ts";
import { explainNoChange, explainUntried, findWhatWouldChange } from "./what-would-change.ts";

async function quarrelFor(rounds: number) {
  const pack = await loadPack("question");
  const store = memoryStore();
  const player = quarrel(expertPlayer());
  const config = { max_rounds: rounds, same_answer: false };
  const request = { pack, input: { question: "How long will it take?" }, config, cast: "quarrel" };
  const { runId } = await startRun({ store, castOf: async () => () => player }, request);
  return { pack, stored: await readRun(store, runId) };
}

describe("how much is replayed to find what would change a decision", () => {
  it("a long debate is replayed within the bound, and what was left untried is named", async () => {
    const { pack, stored } = await quarrelFor(16);
    const bounded = await findWhatWouldChange(pack, stored, 200);
    const whole = await findWhatWouldChange(pack, stored);
    expect(whole.untried).toEqual([]);
    expect(bounded.untried.length).toBeGreaterThan(0);
    expect(explainUntried(bounded)).toContain(bounded.untried[0]);
    expect(await findWhatWouldChange(pack, stored, 200)).toEqual(bounded);
  });

  it("without a turn to replay, every setting is left untried and none is said to change nothing", async () => {
    const { pack, stored } = await quarrelFor(2);
    const none = await findWhatWouldChange(pack, stored, 0);
    expect(none).toMatchObject({ tried: 0, levers: [] });
    expect(explainNoChange(none)).toContain("too long to replay");
  });
});
