import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ParleyError } from "../../contract/error.ts";
import { noUsage } from "../../contract/budget.ts";
import type { Player } from "../../engine/player.ts";
import { recall } from "../../engine/journal.ts";
import { castOfStrings } from "../../runs/cast.ts";
import type { CastOf } from "../../runs/start.ts";
import { memoryStore } from "../../store/sqlite.ts";
import { colourPack, colours } from "../../../test/support/colour-pack.ts";
import { payingCasts } from "../../../test/support/paying-player.ts";
import type { Scorecard } from "../results/results.ts";
import { parseStudy } from "./study-file.ts";
import { summariseStudy } from "../summary/summarise-study.ts";
import { estimateStudy } from "./plan-arms.ts";
import { hashPrompts, runStudy, type StudyOptions } from "./run-study.ts";

const arms = `
arms:
  - name: debate
  - name: strict
    redecide: debate
    config: { quorum: 3 }
  - name: one_round
    config: { protocol: vote }
`;

function setup(caseCount = 12) {
  const folder = mkdtempSync(join(tmpdir(), "parley-study-"));
  const rows = Array.from({ length: caseCount }, (_, i) => ({
    id: `c${i}`,
    input: { text: `a ${colours[i % 3]} thing, number ${i}` },
    gold: colours[i % 3],
  }));
  writeFileSync(join(folder, "cases.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
  const store = memoryStore();
  const played: string[] = [];
  const prompts: string[] = [];
  const watch =
    (inner: CastOf): CastOf =>
    async (text, roles, budget) => {
      const cast = await inner(text, roles, budget);
      return (role) => watched(cast(role), played, prompts);
    };
  const castOf = watch(castOfStrings(store));
  const run = (text: string, more: Partial<StudyOptions> = {}) =>
    runStudy({
      study: parseStudy(`study: s\npack: colour\ndataset: { path: cases.jsonl }\n${text}`, "s.yaml"),
      pack: colourPack,
      folder,
      out: join(folder, "out"),
      runs: { store, castOf },
      ...more,
    });
  const lines = <T>(name: string): T[] =>
    readFileSync(join(folder, "out", name), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as T);
  return { folder, store, played, prompts, castOf, run, lines };
}

function watched(player: Player, played: string[], prompts: string[]): Player {
  return {
    ...player,
    async play(role, input, turn) {
      played.push(`${player.id}:${role.name}`);
      prompts.push(JSON.stringify(turn.prompt));
      return player.play(role, input, turn);
    },
  };
}

it("runs arms × cases × seeds with the controls, and files results, scorecards and manifest", async () => {
  const { run, lines, folder } = setup();
  const done = await run(`${arms}\nseeds: [1, 2]`);
  expect(done.manifest.arms.map((arm) => [arm.name, arm.kind])).toEqual([
    ["debate", "reference"],
    ["strict", "arm"],
    ["one_round", "control"],
    ["single", "control"],
  ]);
  expect(done.missing).toBe(0);
  const results = lines<Scorecard>("results.jsonl");
  expect(results).toHaveLength(4 * 12 * 2);
  expect(lines<Scorecard>("results.jsonl").map((card) => card.run_id)).toEqual(results.map((row) => row.run_id));
  const manifest = JSON.parse(readFileSync(join(folder, "out", "manifest.json"), "utf8"));
  expect(manifest).toMatchObject({
    study: "s",
    pack: "colour",
    seeds: [1, 2],
    models: ["expert"],
    primary: "accuracy",
  });
});

const aHash: unknown = expect.stringMatching(/^[0-9a-f]{64}$/);

it("a pack's prompts are known by the hashes of their files", () => {
  expect(hashPrompts("root-cause")).toEqual({ "judge.md": aHash, "reasoner.md": aHash });
  expect(Object.keys(hashPrompts("law"))).toContain("en/answer.md");
});

it("a control that an arm already is becomes that arm, and identical samples are left out with the reason", async () => {
  const { run } = setup();
  const { manifest } = await run(arms);
  expect(manifest.left_out).toEqual([
    { name: "self_consistency", reason: "the players are deterministic, so every sample would be the same answer" },
  ]);
});

it("an arm marked as a control counts as one", async () => {
  const { run } = setup(3);
  const { manifest } = await run("arms: [{ name: debate }, { name: short, control: true, config: { rounds: 1 } }]");
  expect(manifest.arms.map((arm) => [arm.name, arm.kind])).toContainEqual(["short", "control"]);
});

it("running again adds only what is missing and repeats nothing", async () => {
  const { run, played, lines } = setup();
  await run("arms: [{ name: debate }]\ncontrols: []");
  const before = lines<Scorecard>("results.jsonl");
  played.length = 0;
  await run("arms: [{ name: debate }]\ncontrols: []");
  expect(played).toEqual([]);
  await run("arms: [{ name: debate }]\ncontrols: [vote]\nseeds: [0]");
  expect(played).toHaveLength(12 * 3);
  expect(lines<Scorecard>("results.jsonl").filter((row) => row.arm === "debate")).toEqual(before);
});

it("an arm that only changes rules makes no call and says how many it saved", async () => {
  const { run, played, lines } = setup();
  await run(`${arms}\ncontrols: []`);
  const own = played.filter((one) => one.startsWith("expert:"));
  expect(own).toHaveLength(12 * (6 + 3));
  const strict = lines<Scorecard>("results.jsonl").filter((card) => card.arm === "strict");
  expect(strict.every((card) => card.cost.calls_saved === 6 && card.cost.usage.calls === 0)).toBe(true);
  expect(new Set(strict.map((card) => card.outcome))).toEqual(new Set(["decided", "undecided"]));
});

it("an arm that would need a call is recorded as failed, with the turn that was never recorded", async () => {
  const { run, lines } = setup(3);
  await run(
    "arms: [{ name: one, config: { rounds: 1 } }, { name: two, redecide: one, config: { rounds: 2 } }]\ncontrols: []",
  );
  const two = lines<Scorecard>("results.jsonl").filter((row) => row.arm === "two");
  expect(two.map((row) => row.error?.code)).toEqual(["not_recorded", "not_recorded", "not_recorded"]);
  expect(two[0]?.reasons[0]).toMatch(/2\/answer\/speaker_1 was not recorded/);
});

it("a failing case is recorded and counted, and the others go on; --retry-failed runs only those again", async () => {
  const { run, castOf, lines } = setup();
  let broken = true;
  const failing: CastOf = async (text, roles, budget) => {
    const cast = await castOf(text, roles, budget);
    return (role) => ({
      id: "expert",
      play: async (one, input, turn) => {
        if (broken && JSON.stringify(turn.prompt).includes("number 4")) throw new TypeError("boom");
        if (broken && JSON.stringify(turn.prompt).includes("number 5"))
          throw new ParleyError("endpoint_failed", "the endpoint returned HTML");
        return cast(role).play(one, input, turn);
      },
    });
  };
  const text = "arms: [{ name: debate }]\ncontrols: []";
  const options = { runs: { store: memoryStore(), castOf: failing } };
  await run(text, options);
  const failed = lines<Scorecard>("results.jsonl").filter((row) => row.outcome === "failed");
  expect(failed.map((row) => [row.case_id, row.error?.code ?? null])).toEqual([
    ["c4", "crashed"],
    ["c5", null],
  ]);
  expect(
    lines<Scorecard>("results.jsonl").filter((card) => card.primary === null && card.failure === "failed"),
  ).toHaveLength(2);
  broken = false;
  await run(text, options);
  expect(lines<Scorecard>("results.jsonl").filter((row) => row.outcome === "failed")).toHaveLength(2);
  await run(text, { ...options, retryFailed: true });
  expect(lines<Scorecard>("results.jsonl").filter((row) => row.outcome === "failed")).toHaveLength(0);
  expect(lines<Scorecard>("results.jsonl")).toHaveLength(12);
});

it("a budget for the whole study is never passed, stops it, and more budget lets it go on", async () => {
  const { run, store, castOf } = setup();
  const paying = { runs: { store, castOf: payingCasts(castOf) } };
  const text = "arms: [{ name: debate }]\ncontrols: []\nconcurrency: 3\n";
  const first = await run(`${text}budget: { calls: 20 }`, paying);
  expect(first.exhausted).toBe(true);
  expect(first.missing).toBe(12 - first.scorecards.length);
  const runs = await Promise.all((await store.list()).map(async ({ id }) => recall((await store.journal(id)).entries)));
  expect(runs.reduce((sum, past) => sum + past.spent.calls, 0)).toBe(20);
  const second = await run(`${text}budget: { calls: 72 }`, paying);
  expect(second).toMatchObject({ missing: 0, exhausted: false });
  expect(second.scorecards.reduce((sum, card) => sum + (card.cost.spend?.calls ?? 0), 0)).toBe(72);
});

it("self-consistency gets as many samples as the reference's tokens pay for, case by case", async () => {
  const { run, castOf, lines } = setup(4);
  const paid: CastOf = async (text, roles, budget) => {
    const cast = await castOf(text, roles, budget);
    return (role) => ({
      id: "model",
      play: async (one, input, turn) => {
        const played = await cast(role).play(one, input, turn);
        const tokens = JSON.stringify(turn.prompt).includes("number 2") && turn.key.round > 1 ? 200 : 100;
        return { ...played, usage: { ...noUsage, calls: 1, inputTokens: tokens } };
      },
    });
  };
  await run("arms: [{ name: debate }]", { runs: { store: memoryStore(), castOf: paid } });
  const samples = lines<Scorecard>("results.jsonl").filter((card) => card.arm === "self_consistency");
  expect(samples.map((card) => [card.case_id, card.samples])).toEqual([
    ["c0", 6],
    ["c1", 6],
    ["c2", 9],
    ["c3", 6],
  ]);
  expect(samples[2]?.cost.usage.inputTokens).toBe(900);
});

it("results of other arms, data or prompts are not mixed in", async () => {
  const { run, folder } = setup();
  await run("arms: [{ name: debate }]\ncontrols: []");
  await expect(run("arms: [{ name: debate, config: { rounds: 1 } }]\ncontrols: []")).rejects.toThrow(
    /arm "debate" has another config/,
  );
  writeFileSync(join(folder, "cases.jsonl"), '{"id":"c0","input":{"text":"other"},"gold":"red"}');
  await expect(run("arms: [{ name: debate }]\ncontrols: []")).rejects.toThrow(/the dataset cases.jsonl has changed/);
});

it("lines that a crash cut off are dropped and their runs taken from the store, not made again", async () => {
  const { run, folder, played, lines } = setup();
  await run("arms: [{ name: debate }]\ncontrols: []");
  const file = join(folder, "out", "results.jsonl");
  const whole = readFileSync(file, "utf8");
  writeFileSync(file, whole.slice(0, whole.length - 30));
  played.length = 0;
  await run("arms: [{ name: debate }]\ncontrols: []");
  expect(played).toEqual([]);
  expect(readFileSync(file, "utf8")).toBe(whole);
  expect(lines<Scorecard>("results.jsonl")).toHaveLength(12);
});

it("two at once on one folder: the second is told who has it", async () => {
  const { run } = setup();
  const [first, second] = await Promise.allSettled([run("arms: [{ name: a }]"), run("arms: [{ name: a }]")]);
  expect([first.status, second.status].sort()).toEqual(["fulfilled", "rejected"]);
  const rejected = [first, second].find((one) => one.status === "rejected");
  expect(String(rejected?.reason)).toMatch(/is being run by another process/);
});

it("two studies at once in one store do not disturb each other", async () => {
  const { run, folder, lines } = setup();
  const text = "arms: [{ name: debate }]\ncontrols: [single]";
  const [first, second] = await Promise.all([run(text), run(text, { out: join(folder, "other") })]);
  expect([first.missing, second.missing]).toEqual([0, 0]);
  const scores = (cards: Scorecard[]) => cards.map(({ case_id, arm, primary }) => [case_id, arm, primary]);
  expect(scores(first.scorecards)).toEqual(scores(second.scorecards));
  const ids = new Set([...first.scorecards, ...second.scorecards].map((card) => card.run_id));
  expect(ids.size).toBe(2 * lines("results.jsonl").length);
});

it("is worth its name: the summary compares the debate with its controls", async () => {
  const { run } = setup(60);
  const { manifest, scorecards } = await run(arms);
  const summary = summariseStudy(manifest, scorecards, colourPack.measure);
  expect(summary.comparisons.map((one) => one.arm)).toEqual(["one_round", "single", "strict"]);
  expect(summary.arms[0]?.flips.length).toBeGreaterThan(0);
  expect(summary.verdict.sentences.join(" ")).toContain("self_consistency was left out");
});

it("what a study would cost is told without a key, from what is expected to the most", async () => {
  const { folder } = setup();
  const text = `study: s\npack: colour\ndataset: { path: cases.jsonl }\ncast: openai/gpt-5-mini\n${arms}`;
  const { rows, runs } = await estimateStudy(parseStudy(text, "s.yaml"), colourPack, folder, { env: {} });
  expect(runs).toBeGreaterThan(12);
  for (const { expected, most } of rows) {
    expect(expected.usd).toBeGreaterThan(0);
    expect(expected.usd).toBeLessThan(most.usd ?? 0);
  }
});
