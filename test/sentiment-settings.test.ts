import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, runCli } from "./support/cli.ts";

const text = "The coffee was great but the service was slow.";

function folderWith(files: Record<string, string>): string {
  const cwd = newFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  return cwd;
}

type Output = {
  meta: { config_hash: string };
  override_gate: { thresholds: Record<string, unknown> }[];
  debate: { memory: { condition: string; retrieved_ids: string[] } };
};
const gateOf = (out: string) => (JSON.parse(out) as Output).override_gate[0]?.thresholds;

describe("--thresholds", () => {
  const profiles = {
    default_profile: "t1",
    t0: { min_total: 1.6, min_margin: 0.8, min_target_conf: 0.7 },
    t1: { min_total: 1.1, min_margin: 0.5, min_target_conf: 0.6, l3_conservative: true, ev_threshold: 0.5 },
  };
  const cwd = folderWith({
    "debate_override_thresholds.json": JSON.stringify({ min_total: 1.2, min_margin: 0.4, min_target_conf: 0.65 }),
    "profiles.json": JSON.stringify(profiles),
    "debate_thresholds.json": JSON.stringify({ coverage_warn: 1.5, no_match_warn: 0.4 }),
    "wrong.json": JSON.stringify({ min_totl: 1 }),
    "texts.jsonl": `${JSON.stringify({ id: "a", text })}\n`,
  });
  const run = (...options: string[]) => runCli(["sentiment", text, "--json", ...options], { cwd });

  it("a flat file sets the gate; --set wins over it", async () => {
    const file = ["--thresholds", "debate_override_thresholds.json"];
    expect(gateOf((await run(...file)).out)).toMatchObject({ min_total: 1.2, min_margin: 0.4, min_target_conf: 0.65 });
    const { out } = await run(...file, "--set", "debate_override.min_total=1.3");
    expect(gateOf(out)).toMatchObject({ min_total: 1.3, min_margin: 0.4 });
  });

  it("a file of profiles gives its default one, or the one that is asked for", async () => {
    expect(gateOf((await run("--thresholds", "profiles.json")).out)).toMatchObject({ min_total: 1.1 });
    const { out } = await run("--thresholds", "profiles.json", "--set", "debate_override.profile=t0");
    expect(gateOf(out)).toMatchObject({ min_total: 1.6 });
  });

  it("a file of warning thresholds sets the warnings of a batch", async () => {
    const report = ["sentiment", "texts.jsonl", "--report", "--fresh"];
    expect((await runCli(report, { cwd })).out).not.toContain("warning: debate_mapping_coverage");
    const { out } = await runCli([...report, "--thresholds", "debate_thresholds.json"], { cwd });
    expect(out).toContain("warning: debate_mapping_coverage is 1");
  });

  it("an unknown threshold is named, with the known ones", async () => {
    const { code, err } = await run("--thresholds", "wrong.json");
    expect(code).toBe(2);
    expect(err).toContain('wrong.json: "min_totl" is not a threshold; known are profile, min_total');
  });
});

describe("settings as the documents show them", () => {
  const json = async (files: Record<string, string>) => {
    const { code, out, err } = await runCli(["sentiment", text, "--json"], { cwd: folderWith(files) });
    return { code, err, output: code === 0 ? (JSON.parse(out) as Output & { debate: object | null }) : null };
  };

  it.each([
    ["at the top", "enable_debate: false\nenable_debate_override: false\n"],
    ["under pipeline", "pipeline:\n  enable_debate: false\n  debate_override:\n    min_total: 1.1\n"],
    ["under sentiment", "sentiment:\n  pipeline:\n    enable_debate: false\n"],
  ])("%s they are read as they stand", async (_where, yaml) => {
    const { code, output } = await json({ "parley.config.yaml": yaml });
    expect(code).toBe(0);
    expect(output?.debate).toBeNull();
  });

  it("document 003's YAML, pasted, sets the rounds and the personas of the debate", async () => {
    const persona = (name: string) =>
      `        name: "${name}"\n        role: "r"\n        goal: "g"\n        stance: ""\n        style: ""\n`;
    const yaml = `pipeline:\n  debate:\n    rounds: 1\n    max_rounds: 3\n    order: ["epm", "tan", "cj"]\n    injection:\n      strategy: "during_debate_one_shot"\n      trigger: "deadlock_obs2of4"\n      allow_multiple_injections: false\n    personas:\n      epm:\n${persona("Mapper")}      tan:\n${persona("TAN")}      cj:\n${persona("CJ")}`;
    const { output } = await json({ "parley.config.yaml": yaml });
    expect(JSON.stringify(output?.debate)).toContain('"agent":"Mapper"');
  });

  it("a setting that is given twice is an error", async () => {
    const { code, err } = await json({
      "parley.config.yaml": "enable_debate: false\nsentiment:\n  enable_debate: true\n",
    });
    expect(code).toBe(2);
    expect(err).toContain('"enable_debate" is set at the top and under "sentiment:"');
  });

  it("debate_override_thresholds.json is found where document 004 puts it", async () => {
    const cwd = folderWith({});
    mkdirSync(join(cwd, "experiments/configs"), { recursive: true });
    writeFileSync(join(cwd, "experiments/configs/debate_override_thresholds.json"), JSON.stringify({ min_total: 1.2 }));
    const { out } = await runCli(["sentiment", text, "--json"], { cwd });
    expect(gateOf(out)).toMatchObject({ min_total: 1.2 });
  });
});

it("--memory serves one text as it serves a file: read before, extended after", async () => {
  const episode = {
    id: "epi_1",
    language: "en",
    structure: "contrast",
    aspect_group: "service",
    principle: "look at the clause after the turn",
    advice: "positive",
    outcome: "helped",
  };
  const cwd = folderWith({ "memory.jsonl": `${JSON.stringify(episode)}\n` });
  const options = ["--memory", "memory.jsonl", "--set", "memory.condition=C2", "--json"];
  const { code, out } = await runCli(["sentiment", text, ...options], { cwd });
  expect(code).toBe(0);
  expect((JSON.parse(out) as Output).debate.memory.retrieved_ids).toEqual(["epi_1"]);
  expect(readFileSync(join(cwd, "memory.jsonl"), "utf8")).toContain("epi_1");
});

it("parley run sentiment reads with the layer that the project learnt, as parley sentiment does", async () => {
  const cwd = newFolder();
  const words = ["great", "awful", "lovely", "nasty"];
  const rows = words.flatMap((word, at) =>
    Array.from({ length: 12 }, (_, index) => ({
      text: `The soup number ${index} was ${word}.`,
      aspects: [{ term: "soup", polarity: at % 2 === 0 ? "positive" : "negative" }],
    })),
  );
  writeFileSync(join(cwd, "labelled.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  mkdirSync(join(cwd, ".parley/sentiment"), { recursive: true });
  const layer = join(cwd, ".parley/sentiment/layer-en.json");
  expect((await runCli(["sentiment", "learn", "labelled.jsonl", "--model", layer], { cwd })).code).toBe(0);
  const hashOf = (out: string) => (JSON.parse(out) as Output).meta.config_hash;
  const hash = async (...words: string[]) => hashOf((await runCli([...words, "--json"], { cwd })).out);
  const own = await hash("sentiment", text);
  expect(await hash("run", "sentiment", JSON.stringify({ text }))).toBe(own);
  expect(await hash("run", "sentiment", JSON.stringify({ text }), "--set", "learnt.en=off")).not.toBe(own);
});
