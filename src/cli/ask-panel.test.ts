import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, runCli } from "../../test/support/cli.ts";

const question = "Which one of the following brain areas is supplied by branches of the subclavian arteries?";
const choices = ["The hypothalamus", "The parietal lobe", "The cerebellum", "The occipital lobe", "The frontal lobe"];
const members = ["gemini-1.5-pro-002", "Meta-Llama-3_1-70B-Instruct", "DeepSeek-Coder-V2", "Qwen1.5-110B"];
const panel = members.map((model) => `recorded(mmlu-pro:${model})`).join(",");

const asked = ["ask", question, ...choices.flatMap((one) => ["--choice", one])];

async function askPanel(...more: string[]) {
  return askIn(newFolder(), ...more);
}

async function askIn(cwd: string, ...more: string[]) {
  const { out, err, code } = await runCli([...asked, "--json", ...more], { cwd });
  return { code, err, result: out === "" ? null : JSON.parse(out) };
}

describe("ask --panel", () => {
  it("asks in order by default, and stops when two agree", async () => {
    const { result } = await askPanel("--panel", panel);
    expect(result).toMatchObject({ stop_reason: "enough", asked: 3 });
    expect(result.parley.spend.calls).toBeLessThan(members.length);
  });

  it.each([
    ["--protocol", ["--protocol", "vote"]],
    ["--set", ["--set", "protocol=vote"]],
  ])("takes a vote of all where %s asks for one", async (_, chosen) => {
    const { result } = await askPanel("--panel", panel, ...chosen);
    expect(result.voices).toHaveLength(members.length);
    expect(result.parley.spend.calls).toBe(members.length);
  });

  it("takes the configuration's protocol and settings, and its own members over the configured cast", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "parley.config.yaml"), "cast: person\nquestion: { protocol: vote }\n");
    const { result } = await askIn(cwd, "--panel", panel);
    expect(result.parley.spend.calls).toBe(members.length);
    writeFileSync(join(cwd, "parley.config.yaml"), "question: { stop_at: 3 }\n");
    expect((await askIn(cwd, "--panel", panel)).result.asked).toBeGreaterThanOrEqual(3);
  });

  it("--jury lets learnt weights decide, by the models that play, over every voice", async () => {
    const cwd = newFolder();
    const learnt = await runCli(["study", "jury", "mmlu-pro", "--panel", members.join(","), "--out", "jury.json"], {
      cwd,
    });
    expect(learnt.code, learnt.err).toBe(0);
    const { result } = await askIn(cwd, "--panel", panel, "--jury", "jury.json");
    expect(result).toMatchObject({ canonical: "C" });
    expect(result.parley.spend.calls).toBe(members.length);
    const plain = await askIn(cwd, "--panel", panel, "--protocol", "vote");
    expect(result.confidence).not.toBe(plain.result.confidence);
    const strangers = await askIn(cwd, "--jury", "jury.json", "--cast", "expert");
    expect([strangers.code, strangers.err]).toEqual([2, expect.stringContaining("knows none of the speakers")]);
  });

  it("what recordings answered is marked as recorded by show, verify and exports", async () => {
    const cwd = newFolder();
    await runCli([...asked, "--panel", panel], { cwd });
    const { out } = await runCli(["runs", "--json"], { cwd });
    const { id } = JSON.parse(out) as { id: string };
    for (const args of [
      ["show", id],
      ["verify", id],
      ["export", id, "--format", "md"],
      ["export", id, "--format", "html"],
    ])
      expect((await runCli(args, { cwd })).out, args.join(" ")).toContain("the models answered earlier");
    expect((await runCli(["export", id], { cwd })).out).toContain("recorded(mmlu-pro:");
  });

  it.each([
    ["recorded(mmlu-pro:Qwen1.5-110B)", "at least two members"],
    ["openai/gpt-5-mini,openai/gpt-5-mini", "listed twice"],
  ])("refuses %s", async (given, why) => {
    const { code, err } = await askPanel("--panel", given);
    expect(code).not.toBe(0);
    expect(err).toContain(why);
  });
});
