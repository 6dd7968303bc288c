import { describe, expect, it } from "vitest";
import { runCli } from "../../test/support/cli.ts";

const question = "Which one of the following brain areas is supplied by branches of the subclavian arteries?";
const choices = ["The hypothalamus", "The parietal lobe", "The cerebellum", "The occipital lobe", "The frontal lobe"];
const members = ["gemini-1.5-pro-002", "Meta-Llama-3_1-70B-Instruct", "DeepSeek-Coder-V2", "Qwen1.5-110B"];
const panel = members.map((model) => `recorded(mmlu-pro:${model})`).join(",");

async function askPanel(...more: string[]) {
  const args = ["ask", question, ...choices.flatMap((one) => ["--choice", one]), "--json", ...more];
  const { out, err, code } = await runCli(args);
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
  ])("takes a vote of all where %s asks for one", async (_, told) => {
    const { result } = await askPanel("--panel", panel, ...told);
    expect(result.voices).toHaveLength(members.length);
    expect(result.parley.spend.calls).toBe(members.length);
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
