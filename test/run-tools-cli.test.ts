import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newFolder, runCli } from "./support/cli.ts";
import { type ModelServer, startModelServer } from "./support/model-server.ts";

const answers = ["ferry", "bridge", "bridge", "tunnel", "ferry", "ferry"];
/** A reason of its own for each answer, so that a change of answer counts. */
const arguments_ = [
  "Tides leave the slip dry at noon.",
  "Steel prices fell sharply this spring.",
  "Piers from 1920 still carry traffic.",
  "Granite below the channel eases boring.",
  "Captains promised hourly crossings throughout winter storms.",
  "Ramps exist already beside both market squares.",
];
let server: ModelServer;
let cwd = "";
let run = "";
let calls = 0;
const parley = (...args: string[]) => runCli(args, { cwd, env: { PARLEY_BASE_URL: server.baseUrl } });

beforeAll(async () => {
  server = await startModelServer({
    respond: (_, index) => ({
      value: {
        answer: answers[index % answers.length],
        reasoning: arguments_[index % arguments_.length],
        confidence: 0.5,
        quotes: [],
      },
      usage: { prompt: 100, completion: 20 },
    }),
  });
  cwd = newFolder();
  const args = ["ask", "Ferry, bridge or tunnel?", "--cast", "compatible/m", "--set", "max_rounds=2", "--json"];
  const { out } = await parley(...args, "--set", "stop.agreement=0.9");
  run = (JSON.parse(out) as { parley: { run: string } }).parley.run;
  await parley("sentiment", "The room was clean.");
  calls = server.seen.length;
});
afterAll(() => server.close());

describe("parley redecide", () => {
  it("says first what a reader acts on, then the settings, then rule by rule why, and makes no call", async () => {
    const { code, out } = await parley("redecide", run, "--set", "stop.agreement=0.6");
    expect(code).toBe(0);
    expect(out).toMatch(
      /^Run .*decided again without calling a model\n {2}outcome {2}decided \(as before\)\n {2}answer {3}ferry → bridge\n/,
    );
    expect(out).toContain("Settings\n  - stop.agreement: 0.9 → 0.6\n");
    expect(out).toMatch(
      /Rules that decided differently\n {2}- agreement: needed: 0.9 → 0.6; decision: "go_on" → "stop"/,
    );
    expect(out).not.toContain("usage");
    expect(server.seen).toHaveLength(calls);
  });

  it("without a setting decides as before and says where to find one; show --why names it and makes no call", async () => {
    const { code, out } = await parley("redecide", run);
    expect(code).toBe(0);
    expect(out).toContain("Changes in the decision\n  nothing\n");
    expect(out).toMatch(/parley show \S+ --why/);
    const why = (await parley("show", run, "--why")).out;
    expect(why).toMatch(/stop\.agreement is 0\.6\d* instead of 0\.9/);
    expect(why).toMatch(/max_rounds is 1 instead of 2/);
    expect(server.seen).toHaveLength(calls);
  });

  it("names the turn that was never recorded, and stops with exit code 1", async () => {
    const { code, err } = await parley("redecide", run, "--set", "max_rounds=3");
    expect(code).toBe(1);
    expect(err).toMatch(/would need the turn 3\/revision\/analyst, which run .* never recorded/);
    expect(server.seen).toHaveLength(calls);
  });

  it("suggests a key for one that is unknown", async () => {
    const { code, err } = await parley("redecide", run, "--set", "stop.agrement=1");
    expect(code).toBe(2);
    expect(err).toContain('unknown key "agrement"; did you mean "agreement"?');
  });

  it("over a folder: what flips, by which rule, and what could not be replayed", async () => {
    for (const folder of [".parley", "."]) {
      const { code, out } = await parley("redecide", "--check", folder, "--set", "stop.agreement=0.6");
      expect(code).toBe(1);
      expect(out).toMatch(/FLIPPED .*\n {2}answer: ferry → bridge\n {2}by agreement/);
      expect(out).toMatch(/NOT REPLAYED .*\n {2}cannot be replayed: .*unknown key "stop"/);
      expect(out).toContain("2 runs replayed · 1 flipped · 1 cannot be replayed · no call was made\n");
    }
    const needing = await parley("redecide", "--check", ".", "--pack", "question", "--set", "max_rounds=3");
    expect(needing.code).toBe(1);
    expect(needing.out).toMatch(/3\/revision\/analyst is asked something else now/);
    const rows = await parley(
      "redecide",
      "--check",
      ".",
      "--pack",
      "question",
      "--set",
      "stop.agreement=0.6",
      "--json",
    );
    expect(JSON.parse(rows.out)).toMatchObject({ status: "flipped", flips: [{ name: "answer", after: "bridge" }] });
  });

  it("a folder without runs is an error", async () => {
    mkdirSync(join(cwd, "empty"));
    const { code, err } = await parley("redecide", "--check", "empty");
    expect([code, err]).toEqual([2, expect.stringContaining("empty holds no runs")]);
  });
});

it("which runs are meant is asked for when it is not said, or said twice", async () => {
  const none = await parley("redecide", "--set", "stop.agreement=0.6");
  expect(none.code).toBe(2);
  expect(none.err).toContain("name a run, or give --last");
  const twice = await parley("verify", run, "--all");
  expect(twice).toMatchObject({ code: 2, out: "" });
  expect(twice.err).toContain("name a run, or give --last or --all");
  expect((await parley("verify", "--last")).out).toMatch(/^run .*\n {2}ok/);
});

it("verify says once what holds in many places; --json lists each", async () => {
  const folder = newFolder();
  await runCli(["rca", resolve(import.meta.dirname, "../examples/logs/shop.log")], { cwd: folder });
  const { out } = await runCli(["verify", "--last"], { cwd: folder });
  expect(out).toMatch(/^ {2}ok +quotes exist +in \d+ places$/m);
  expect(out.match(/quotes exist/g)).toHaveLength(1);
  const each = (await runCli(["verify", "--last", "--json"], { cwd: folder })).out;
  expect(each.match(/"quotes exist"/g)?.length).toBeGreaterThan(2);
});

it("verify counts what is wrong in the store itself beside its runs", async () => {
  const folder = newFolder();
  const file = join(folder, "parley.db");
  const source = new DatabaseSync(join(cwd, ".parley", "parley.db"));
  source.prepare("VACUUM INTO ?").run(file);
  source.close();
  const copy = new DatabaseSync(file);
  copy.prepare("DELETE FROM run WHERE id = ?").run(run);
  copy.close();
  const { code, out } = await parley("verify", "--all", "--store", folder);
  expect(code).toBe(1);
  expect(out).toContain(`run ${run} is gone, but its progress is still there`);
  expect(out).toContain("1 run, 0 with problems; 2 problems in the store itself\n");
});

describe("parley branch and diff", () => {
  it("goes on from a step, and diff says where the two part, turn by turn and in the end", async () => {
    const done = await parley("branch", run, "--from", "round-2", "--set", "stop.agreement=0.95", "--json");
    expect(done.code, done.err).toBe(0);
    expect(server.seen).toHaveLength(calls + 3);
    const other = (JSON.parse(done.out) as { parley: { run: string } }).parley.run;
    const { code, out } = await parley("runs", "diff", run, other);
    expect(code).toBe(0);
    expect(out).toMatch(/^What was decided\n {2}answer {2}ferry → /);
    expect(out).toContain("Settings at the start\n  - config.stop.agreement: 0.9 → 0.95");
    expect(out).toMatch(/2\/revision\/analyst · the runs diverge here\n\n {6}answered differently\n/);
    expect(out).toContain('answer: "tunnel" → "ferry"');
    expect(out).toMatch(/Rules that decided differently\n {2}- agreement: needed: 0.9 → 0.95/);
    expect(out).toContain("Differences in the result\n");
  });

  it("a step that does not exist lists those that do; runs of two packs are not compared", async () => {
    const wrong = await parley("branch", run, "--from", "rond-2");
    expect(wrong.code).toBe(2);
    expect(wrong.err).toContain("  round-1: 1/opening\n  round-2: 2/revision\n");
    const ids = (await parley("runs", "--pack", "sentiment")).out.split(" ");
    const mixed = await parley("runs", "diff", run, ids[0] ?? "");
    expect(mixed).toMatchObject({ code: 2, err: expect.stringContaining("only runs of one pack") });
  });
});
