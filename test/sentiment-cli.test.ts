import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, runCli } from "./support/cli.ts";

const korean = "배송은 정말 빨랐지만 포장이 엉망이라 아쉬웠어요.";
const lines = (text: string) => text.split("\n").filter((line) => line !== "");
type Output = {
  meta: { language_code: string };
  parley: { run: string };
};
const json = (text: string) => JSON.parse(text) as Output;

function folderWith(files: Record<string, string>): string {
  const cwd = newFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  return cwd;
}

const rows = [
  { id: "a", text: korean, lang: "ko", split: "dev" },
  { id: "b", text: "The coffee was great but the service was slow.", lang: "en" },
  { id: "c", text: "The box arrived on Monday." },
];
const reviews = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
describe("parley sentiment TEXT", () => {
  it("shows the tuples with their evidence underlined, the debate, the gate, the moderator and the cost", async () => {
    const { code, out, err } = await runCli(["sentiment", korean]);
    expect(code).toBe(0);
    const shown = lines(out);
    expect(shown[0]).toMatch(/^● mixed {3}confidence 0\.\d\d ▮+▯*$/);
    const at = shown.findIndex((line) => line.trim() === korean);
    expect(shown[at + 1]).toMatch(/^ {2}\^{4} .*\+{4,} \^{4} +-{4,}$/);
    for (const part of ["Debate (patch)", "Moderator", "RuleB", "no model calls"]) expect(out).toContain(part);
    expect(out).toMatch(/배송 +positive/);
    expect(out).toMatch(/포장 +negative/);
    expect(err).toMatch(/^decided · 10 turns/);
  });

  it("--json prints the final output", async () => {
    const { out } = await runCli(["sentiment", korean, "--json", "--quiet", "--lang", "ko"]);
    expect(json(out)).toMatchObject({
      meta: { language_code: "ko" },
      final_result: {
        final_tuples: [
          { aspect_ref: "배송", polarity: "positive" },
          { aspect_ref: "포장", polarity: "negative" },
        ],
      },
      parley: { outcome: "decided" },
    });
  });

  it("the run can be shown and verified, and --out writes the artifacts", async () => {
    const cwd = newFolder();
    const { out } = await runCli(["sentiment", korean, "--json", "--out", "files"], { cwd });
    const { run } = json(out).parley;
    expect((await runCli(["verify", run], { cwd })).code).toBe(0);
    expect((await runCli(["show", run], { cwd })).out).toMatch(/배송 +positive/);
    for (const name of [
      "outputs.jsonl",
      "scorecards.jsonl",
      "override_gate_debug.jsonl",
      "override_gate_debug_summary.json",
    ])
      expect(existsSync(join(cwd, "files", name))).toBe(true);
  });

  it.each([
    [["sentiment", " "], "the text is empty"],
    [["sentiment", "Nice place", "--set", "debate.style=pach"], 'did you mean "patch"?'],
    [["sentiment", "Nice place", "--set", "debate.order=[epm,devil]"], 'speaker "devil" has no persona'],
    [["sentiment", "missing.jsonl"], "there is no such file"],
  ])("%j is a clear error", async (args, message) => {
    const { code, err } = await runCli(args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe("parley sentiment FILE", () => {
  it("prints a line a text, in order", async () => {
    const { code, out, err } = await runCli(["sentiment", "reviews.jsonl"], {
      cwd: folderWith({ "reviews.jsonl": reviews }),
    });
    expect(code).toBe(0);
    expect(lines(out).map((line) => line.split("\t")[0])).toEqual(["a", "b", "c"]);
    expect(lines(out)[0]).toContain("배송 positive, 포장 negative");
    expect(err).toBe("3 texts\n");
  });

  it("reads CSV with quotes, and a language column", async () => {
    const csv = `id,text,language_code\nx,"Great food, slow service",en\ny,${korean},ko\n`;
    const { out } = await runCli(["sentiment", "reviews.csv", "--json", "--quiet"], {
      cwd: folderWith({ "reviews.csv": csv }),
    });
    expect(lines(out).map((line) => json(line).meta.language_code)).toEqual(["en", "ko"]);
  });

  it("--out FOLDER has a line for each text, and the metrics of the debates", async () => {
    const cwd = folderWith({ "reviews.jsonl": reviews });
    expect((await runCli(["sentiment", "reviews.jsonl", "--out", "files"], { cwd })).code).toBe(0);
    const metrics = json(readFileSync(join(cwd, "files", "metrics.json"), "utf8"));
    expect(metrics).toMatchObject({ rates: { debate_mapping_coverage: expect.any(Number) } });
    for (const name of ["outputs.jsonl", "scorecards.jsonl"])
      expect(lines(readFileSync(join(cwd, "files", name), "utf8"))).toHaveLength(3);
  });

  it("a second batch into the same folder writes its files afresh", async () => {
    const cwd = folderWith({ "reviews.jsonl": reviews });
    const args = ["sentiment", "reviews.jsonl", "--out", "files", "--quiet"];
    await runCli(args, { cwd });
    const before = readFileSync(join(cwd, "files", "override_gate_debug.jsonl"), "utf8");
    await runCli([...args, "--fresh"], { cwd });
    expect(readFileSync(join(cwd, "files", "override_gate_debug.jsonl"), "utf8")).toBe(before);
  });

  it("runs are kept: a second batch repeats nothing, and each run can be shown", async () => {
    const cwd = folderWith({ "reviews.jsonl": reviews });
    const first = await runCli(["sentiment", "reviews.jsonl"], { cwd });
    const second = await runCli(["sentiment", "reviews.jsonl"], { cwd });
    expect(second.out).toBe(first.out);
    expect(second.err).toBe("3 texts · 3 done before\n");
    expect(lines((await runCli(["runs"], { cwd })).out)).toHaveLength(3);
    expect((await runCli(["verify", "--all"], { cwd })).code).toBe(0);
  });

  it("a row without text is skipped; a duplicate id and bad JSON are failures of their rows only", async () => {
    const bad = `${reviews}{"id":"d"}\n{"id":"a","text":"again"}\nnot json\n`;
    const { code, out, err } = await runCli(["sentiment", "reviews.jsonl"], {
      cwd: folderWith({ "reviews.jsonl": bad }),
    });
    expect(code).toBe(3);
    expect(lines(out)).toHaveLength(5);
    expect(lines(out)[3]).toContain("was used by an earlier row");
    expect(err).toContain("2 failed");
  });

  it("a low coverage is warned of, with a tip", async () => {
    const cwd = folderWith({ "reviews.jsonl": '{"text":"Hello there."}\n' });
    const { err } = await runCli(["sentiment", "reviews.jsonl"], { cwd });
    expect(err).toMatch(/(HIGH|warning): debate_mapping_coverage is \S+ few turns/);
  });
});
