import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import { escapeXml, writeJunit } from "../src/cli/redecide-check.ts";
import type { Debate } from "../src/engine/debate.ts";
import type { AnyPack } from "../src/engine/pack.ts";
import type { Cast, Player } from "../src/engine/player.ts";
import { expertPlayer } from "../src/players/index.ts";
import { replayRecording } from "../src/runs/check-recordings.ts";
import { readRun, type StoredRun } from "../src/runs/read-run.ts";
import { startRun } from "../src/runs/start.ts";
import { memoryStore } from "../src/store/memory-store.ts";
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
    const replayed = await replayRecording(toy, await record(playerOf(() => ({ value: 4 }))), { live: null });
    expect(replayed).toMatchObject({ status: "same", calls: 0, asked: [] });
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
    const replayed = await replayRecording(doubled, await record(playerOf(() => ({ value: 4 }))), { live: null });
    expect(replayed).toMatchObject({
      status: "flipped",
      flips: [{ name: "sum", before: "12", after: "24" }],
      calls: 0,
    });
    expect(replayed.rules.join()).toContain("doubling");
  });

  it("whose model is asked something else needs calls; where they are allowed it is asked, and only then", async () => {
    const stored = await record(playerOf(() => '{"value": 4}'));
    const refused = await replayRecording(reworded, stored, { live: null });
    expect(refused).toMatchObject({ status: "needs_calls", calls: 0 });
    const five = playerOf(() => '{"value": 5}');
    const allowed = await replayRecording(reworded, stored, { live: () => five });
    expect(allowed).toMatchObject({ status: "flipped", calls: 3, flips: [{ before: "12", after: "15" }] });
    expect(allowed.asked).toHaveLength(3);
  });

  it("whose program is asked something else is played again, for nothing", async () => {
    const replayed = await replayRecording(reworded, await record(expertPlayer()), { live: null });
    expect(replayed).toMatchObject({ status: "same", calls: 0 });
    expect(replayed.asked).toHaveLength(3);
  });

  it("that the pack of today no longer takes is said to be refused", async () => {
    const strict = { ...toy, input: toy.input.refine(() => false, "no") };
    expect(await replayRecording(strict, await record(expertPlayer()), { live: null })).toMatchObject({
      status: "refused",
    });
  });
});

describe("parley redecide --check", () => {
  it("replays a store and a folder of proofs alike, and writes JUnit", async () => {
    const cwd = newFolder();
    await runCli(["sentiment", "The pasta was great but the waiter was rude."], { cwd });
    await runCli(["ask", "Why was it closed?"], { cwd });
    const ids = (await runCli(["runs"], { cwd })).out
      .trim()
      .split("\n")
      .map((line) => line.split(/\s/)[0] ?? "");
    const store = await runCli(["redecide", "--check", ".", "--junit", "ci.xml"], { cwd });
    expect([store.code, store.out]).toEqual([0, "2 runs replayed · 0 flipped · no call was made\n"]);
    const xml = readFileSync(join(cwd, "ci.xml"), "utf8");
    expect(XMLValidator.validate(xml)).toBe(true);
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

  it("hostile names stay text in JUnit", () => {
    const name = `<a b="c">&\u0000\uD800`;
    const row = {
      run: "r",
      case: name,
      pack: "p",
      status: "refused",
      flips: [],
      rules: [],
      asked: [],
      why: name,
      calls: 0,
    } as const;
    const xml = writeJunit([{ ...row, flips: [], rules: [], asked: [] }]);
    expect(XMLValidator.validate(xml)).toBe(true);
    const read = new XMLParser({ ignoreAttributes: false }).parse(xml) as {
      testsuite: { testcase: { "@_name": string } };
    };
    expect(read.testsuite.testcase["@_name"]).toBe(`<a b="c">&\uFFFD`);
    expect(escapeXml("a\u001Bb")).toBe("ab");
  });
});
