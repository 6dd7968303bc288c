import { describe, expect, it } from "vitest";
import type { Player } from "../src/engine/player.ts";
import { loadPack } from "../src/packs/registry.ts";
import { expertPlayer } from "../src/players/offline-players.ts";
import { writeExport } from "../src/runs/export/export-run.ts";
import { readRun } from "../src/runs/read-run.ts";
import { startRun } from "../src/runs/start.ts";
import { memoryStore } from "../src/store/sqlite.ts";
import { quarrel } from "./support/quarrel.ts";

/** The bytes of a debate that goes on for so many rounds, in each format. */
async function sizesOf(rounds: number) {
  const pack = await loadPack("question");
  const store = memoryStore();
  const player: Player = quarrel(expertPlayer());
  const config = { max_rounds: rounds, same_answer: false };
  const request = { pack, input: { question: "How long will it take?" }, config, cast: "quarrel" };
  const { runId } = await startRun({ store, castOf: async () => () => player }, request);
  const stored = await readRun(store, runId);
  const size = async (format: "json" | "html") => (await writeExport(store, stored, format)).length;
  const bare = JSON.stringify({ run: stored.run, turns: stored.turns, result: stored.result }).length;
  return {
    turns: stored.turns.length,
    bare,
    json: await size("json"),
    html: await size("html"),
  };
}

describe("what a long debate takes as a file", () => {
  it("grows with its turns, not with their square, and a page is at most three times what was said", async () => {
    const [short, long] = [await sizesOf(8), await sizesOf(64)];
    expect([short.turns, long.turns]).toEqual([24, 192]);
    for (const format of ["json", "html"] as const) expect(long[format] / short[format]).toBeLessThan(8 * 1.1);
    expect(long.html / long.bare).toBeLessThan(3);
  });
});
