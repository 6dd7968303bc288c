import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Debate } from "../src/engine/debate.ts";
import type { AnyPack } from "../src/engine/pack.ts";
import type { Cast, Player } from "../src/engine/player.ts";
import { expertPlayer } from "../src/players/offline-players.ts";
import { replayRecording } from "../src/runs/redecide.ts";
import { readRun, type StoredRun } from "../src/runs/read-run.ts";
import { startRun } from "../src/runs/start.ts";
import { memoryStore } from "../src/store/sqlite.ts";
import { newFolder, runCli } from "./support/cli.ts";
import { numberRole, playerOf, toyPack } from "./support/toy.ts";

const toy: AnyPack = toyPack;

/** The toy with another instruction: every turn is asked something else. */
const reworded: AnyPack = {
  ...toy,
  protocol(debate, input, config) {
    const askAll: Debate["askAll"] = (step, roles, give) => debate.askAll(step, roles.map(reword) as never, give);
    return toyPack.protocol({ ...debate, askAll }, input as never, config as never);
  },
};

function reword(role: { name: string }) {
  const own = numberRole(role.name);
  return { ...own, prompt: (input: never) => ({ ...own.prompt(input), instructions: "Say one number as JSON." }) };
}

async function record(player: Player): Promise<StoredRun> {
  const store = memoryStore();
  const cast: Cast = () => player;
  const request = { pack: toy, input: { question: "How many?" }, cast: "test", config: { rounds: 1 } };
  const { runId } = await startRun({ store, castOf: async () => cast }, request);
  return readRun(store, runId);
}

describe("a recorded run, replayed", () => {
  it("with the same pack is the same, without a call", async () => {
    const replayed = await replayRecording(toy, await record(playerOf(() => ({ value: 4 }))));
    expect(replayed).toMatchObject({ status: "same", asked: [] });
  });

  it("flips when a rule decides otherwise, and names it", async () => {
    const doubled: AnyPack = {
      ...toy,
      async protocol(debate, input, config) {
        const verdict = await toyPack.protocol(debate, input as never, config as never);
        debate.note("doubling", { by: 2 });
        return { ...verdict, decision: { heard: [], ...verdict.decision, sum: (verdict.decision?.sum ?? 0) * 2 } };
      },
    };
    const replayed = await replayRecording(doubled, await record(playerOf(() => ({ value: 4 }))));
    expect(replayed).toMatchObject({
      status: "flipped",
      flips: [{ name: "sum", before: "12", after: "24" }],
    });
    expect(replayed.rules.join()).toContain("doubling");
  });

  it("whose model is asked something else needs a call, which is not made", async () => {
    const stored = await record(playerOf(() => '{"value": 4}'));
    expect(await replayRecording(reworded, stored)).toMatchObject({ status: "needs_calls" });
  });

  it("whose program is asked something else is played again, for nothing", async () => {
    const replayed = await replayRecording(reworded, await record(expertPlayer()));
    expect(replayed).toMatchObject({ status: "same" });
    expect(replayed.asked).toHaveLength(3);
  });

  it("that the pack of today no longer takes is said to be refused", async () => {
    const strict = { ...toy, input: toy.input.refine(() => false, "no") };
    expect(await replayRecording(strict, await record(expertPlayer()))).toMatchObject({
      status: "refused",
    });
  });
});

describe("parley redecide --check", () => {
  it("replays a store and a folder of proofs alike, also with other settings", async () => {
    const cwd = newFolder();
    await runCli(["sentiment", "The pasta was great but the waiter was rude."], { cwd });
    await runCli(["ask", "Why was it closed?"], { cwd });
    const ids = (await runCli(["runs"], { cwd })).out
      .trim()
      .split("\n")
      .map((line) => line.split(/\s/)[0] ?? "");
    const store = await runCli(["redecide", "--check", "."], { cwd });
    expect([store.code, store.out]).toEqual([0, "2 runs replayed · 0 flipped · no call was made\n"]);
    const stricter = ["redecide", "--check", ".", "--pack", "question", "--set", "act_above=1"];
    expect((await runCli(stricter, { cwd })).out).toMatch(/1 runs replayed/);
    mkdirSync(join(cwd, "proofs"));
    for (const id of ids) await runCli(["export", id, "--proof", `proofs/${id}.json`], { cwd });
    expect((await runCli(["redecide", "--check", "proofs"], { cwd })).out).toBe(store.out);
    writeFileSync(join(cwd, "proofs", "x.json"), "{}");
    const broken = await runCli(["redecide", "--check", "proofs"], { cwd });
    expect([broken.code, broken.err]).toEqual([2, expect.stringContaining("x.json cannot be read")]);
  });

  it("a folder without runs, or that is not there, is an error that says what to give", async () => {
    expect((await runCli(["redecide", "--check", "."])).err).toContain("holds no runs");
    expect((await runCli(["redecide", "--check", "nosuch"])).err).toContain("does not exist");
  });
});
