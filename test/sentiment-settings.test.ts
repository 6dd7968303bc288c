import { mkdirSync, writeFileSync } from "node:fs";
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
};
const gateOf = (out: string) => (JSON.parse(out) as Output).override_gate[0]?.thresholds;

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

  it("threshold files are found where the documents put them; --set wins over them", async () => {
    const cwd = folderWith({ "texts.jsonl": `${JSON.stringify({ id: "a", text })}\n` });
    mkdirSync(join(cwd, "experiments/configs"), { recursive: true });
    const write = (name: string, value: object) =>
      writeFileSync(join(cwd, "experiments/configs", name), JSON.stringify(value));
    write("debate_override_thresholds.json", { min_total: 1.2, min_margin: 0.4 });
    write("debate_thresholds.json", { coverage_warn: 1.5 });
    const { out } = await runCli(["sentiment", text, "--json", "--set", "debate_override.min_margin=0.3"], { cwd });
    expect(gateOf(out)).toMatchObject({ min_total: 1.2, min_margin: 0.3 });
    const { err } = await runCli(["sentiment", "texts.jsonl"], { cwd });
    expect(err).toContain("warning: debate_mapping_coverage is 1");
    write("debate_override_thresholds.json", { min_totl: 1 });
    expect((await runCli(["sentiment", text], { cwd })).err).toContain("min_totl");
  });
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
  expect((await runCli(["sentiment", "learn", "labelled.jsonl"], { cwd })).code).toBe(0);
  const hashOf = (out: string) => (JSON.parse(out) as Output).meta.config_hash;
  const hash = async (...words: string[]) => hashOf((await runCli([...words, "--json"], { cwd })).out);
  const own = await hash("sentiment", text);
  expect(await hash("run", "sentiment", JSON.stringify({ text }))).toBe(own);
  expect(await hash("run", "sentiment", JSON.stringify({ text }), "--set", "learnt.en=off")).not.toBe(own);
});

it("programs that agree raise no confidence, however low the thresholds are", async () => {
  const lowered = ["min_total=0.5", "min_margin=0.1", "min_target_conf=0.99"];
  const set = lowered.flatMap((one) => ["--set", `debate_override.${one}`]);
  const { out } = await runCli(["sentiment", "The soup was good.", "--json", ...set], { cwd: newFolder() });
  const { override_gate } = JSON.parse(out) as { override_gate: { skip_reason: string | null }[] };
  expect(override_gate.map(({ skip_reason }) => skip_reason)).toEqual(["shared_reading"]);
});
