import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Certificate } from "../src/runs/certificate.ts";
import { newFolder, runCli } from "./support/cli.ts";

const rows = Array.from({ length: 80 }, (_, at) => ({
  id: `q${at}`,
  input: { question: `Question ${at}?`, choices: ["tea", "milk"] },
  gold: { answer: "A", choices: ["tea", "milk"] },
}));

function writeRows(cwd: string, list: unknown[] = rows): void {
  writeFileSync(join(cwd, "labelled.jsonl"), list.map((row) => JSON.stringify(row)).join("\n"));
}

const good = ["--cast", "synthetic(accuracy=0.97,spread=0)"];

describe("parley study certify", () => {
  it("writes a certificate that runs, batches and redecisions then act by", async () => {
    const cwd = newFolder();
    writeRows(cwd);
    const made = await runCli(
      ["study", "certify", "labelled.jsonl", "--pack", "question", "--max-wrong", "20%", ...good],
      {
        cwd,
      },
    );
    expect([made.code, made.out]).toEqual([0, expect.stringContaining("May the question pack act by itself?")]);
    const file = join(cwd, "question.certificate.json");
    const certificate = JSON.parse(readFileSync(file, "utf8")) as Certificate;
    expect(certificate).toMatchObject({ pack: "question", promise: { max_wrong: 0.2, certainty: 0.95 } });
    expect(certificate.act_above).toBeGreaterThan(0.3);
    expect(certificate.found_on.bound).toBeLessThanOrEqual(0.2);

    const ask = ["ask", "Which?", "--choice", "tea", "--choice", "milk", "--max-wrong", "20%"];
    expect((await runCli([...ask, ...good], { cwd })).code).toBe(0);
    const unsure = await runCli([...ask, "--cast", "synthetic(accuracy=0.3,spread=0)"], { cwd });
    expect([unsure.code, unsure.out]).toEqual([3, expect.stringContaining("not confident enough to act")]);
    expect((await runCli(["verify", "--all"], { cwd })).code).toBe(0);

    writeRows(
      cwd,
      rows.map((row) => ({ id: row.id, ...row.input })),
    );
    const batch = ["run", "question", "--input", "labelled.jsonl", "--out", "out.jsonl", "--max-wrong", "20%"];
    const drifted = await runCli([...batch, "--cast", "synthetic(accuracy=0.4,spread=0)"], { cwd });
    expect(drifted.code, drifted.err).toBe(3);
    await runCli([...ask.slice(0, 6), "--cast", "synthetic(accuracy=0.3,spread=0)", "--seed", "9"], { cwd });
    const again = await runCli(["redecide", "--check", ".", "--pack", "question", "--max-wrong", "20%"], { cwd });
    expect(again.out).toMatch(/decided → escalated/);
  });

  it("--max-wrong acts by the pack's certificate, in runs, batches, redecisions and studies, or says what is missing", async () => {
    const cwd = newFolder();
    const promised = ["ask", "Which?", "--choice", "tea", "--choice", "milk", ...good, "--max-wrong"];
    const missing = await runCli([...promised, "20%"], { cwd });
    expect([missing.code, missing.err]).toEqual([
      2,
      expect.stringContaining("parley study certify LABELLED --pack question"),
    ]);
    writeRows(cwd);
    await runCli(["study", "certify", "labelled.jsonl", "--pack", "question", "--max-wrong", "20%", ...good], { cwd });
    expect((await runCli([...promised, "25%"], { cwd })).code).toBe(0);
    const tooMuch = await runCli([...promised, "1%"], { cwd });
    expect([tooMuch.code, tooMuch.err]).toEqual([2, expect.stringContaining("promises that at most 20% are wrong")]);

    const unsure = ["--cast", "synthetic(accuracy=0.3,spread=0)"];
    await runCli([...promised.slice(0, 6), ...unsure], { cwd });
    const again = await runCli(["redecide", "--check", ".", "--pack", "question", "--max-wrong", "20%"], { cwd });
    expect(again.out).toMatch(/decided → escalated/);
    expect((await runCli(["redecide", "--check", ".", "--max-wrong", "20%"], { cwd })).err).toContain("needs --pack");

    writeFileSync(
      join(cwd, "unsure.yaml"),
      "study: unsure\npack: question\ndataset: {path: labelled.jsonl, limit: 5}\narms: [{name: debate}]\ncontrols: []\n",
    );
    const study = await runCli(["study", "run", "unsure.yaml", "--out", "s", "--max-wrong", "20%", ...unsure], { cwd });
    expect(study.code, study.err).toBe(0);
    const { out } = await runCli(["runs", "--outcome", "escalated", "--json"], { cwd });
    expect(out).toContain("escalated");
    expect(readFileSync(join(cwd, "s", "manifest.json"), "utf8")).toContain("act_above");
  });

  it("promises nothing where nothing can be promised, and such a certificate lets nothing act", async () => {
    const cwd = newFolder();
    writeRows(cwd, rows.slice(0, 30));
    const made = await runCli(
      ["study", "certify", "labelled.jsonl", "--pack", "question", "--max-wrong", "5%", ...good],
      { cwd },
    );
    expect([made.code, made.out]).toEqual([3, expect.stringContaining("at least 59 decisions without an error")]);
    const used = await runCli(["ask", "Which?", "--choice", "a", "--choice", "b", ...good, "--max-wrong", "5%"], {
      cwd,
    });
    expect([used.code, used.err]).toEqual([2, expect.stringContaining("promises nothing")]);
  });

  it.each([
    [["study", "certify", "nosuch", "--max-wrong", "5%"], /does not exist/],
    [["study", "certify", ".", "--max-wrong", "500%"], /share between 0 and 1/],
  ])("%s is an error that says what to do", async (args, message) => {
    const { code, err } = await runCli(args);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });

  it("a certificate of another pack, or what is none, is refused", async () => {
    const cwd = newFolder();
    writeRows(cwd);
    await runCli(["study", "certify", "labelled.jsonl", "--pack", "question", "--max-wrong", "20%", ...good], { cwd });
    const act = ["sentiment", "Good pasta.", "--max-wrong", "20%"];
    renameSync(join(cwd, "question.certificate.json"), join(cwd, "sentiment.certificate.json"));
    const other = await runCli(act, { cwd });
    expect([other.code, other.err]).toEqual([2, expect.stringContaining("is for the question pack")]);
    writeFileSync(join(cwd, "sentiment.certificate.json"), "{}");
    expect((await runCli(act, { cwd })).code).toBe(2);
  });
});
