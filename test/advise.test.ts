import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, runCli } from "./support/cli.ts";

const choices = ["tea", "milk", "water"];
const rows = Array.from({ length: 90 }, (_, at) =>
  JSON.stringify({ id: `q${at}`, input: { question: `Question ${at}?`, choices }, gold: { answer: "A", choices } }),
).join("\n");

describe("parley study advise", () => {
  it("runs a pilot, says which arm to use and what the whole would cost", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "q.jsonl"), rows);
    const cast = ["--cast", "synthetic(accuracy=0.5,insight=0.7)"];
    const { out, code } = await runCli(["study", "advise", "q.jsonl", "--pack", "question", "--pilot", "60", ...cast], {
      cwd,
    });
    expect(code).toBe(0);
    expect(out).toContain("Use debate: it is shown to beat every control");
    expect(out).toContain("debate on all 90 cases");
    const json = await runCli(
      [
        "study",
        "advise",
        "q.jsonl",
        "--pack",
        "question",
        "--pilot",
        "12",
        "--json",
        "--cast",
        "synthetic(accuracy=0.6)",
      ],
      { cwd },
    );
    expect(JSON.parse(json.out)).toMatchObject({ answer: "not_shown", cases: 12 });
  });

  it.each([
    [["study", "advise", "nosuch.jsonl", "--pack", "question"], /does not exist/],
    [["study", "advise", "q.jsonl"], /--pack/],
    [["study", "advise", "q.jsonl", "--pack", "qestion"], /unknown pack|does not exist/],
  ])("%s is an error that says what to give", async (args, message) => {
    const { code, err } = await runCli(args);
    expect([code, err]).toEqual([2, expect.stringMatching(message)]);
  });
});
