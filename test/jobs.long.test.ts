import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, type Ran, runCli } from "./support/cli.ts";

const texts = [
  "The food was great but the service was slow.",
  "포장은 꼼꼼한데 향이 너무 약해요.",
  "Lovely room, rude staff.",
];

async function expectCode(code: number, args: string[], cwd: string): Promise<Ran> {
  const ran = await runCli(args, { cwd });
  expect(ran.code, `${args.join(" ")}\n${ran.err}`).toBe(code);
  return ran;
}

function newTexts(): string {
  const cwd = newFolder();
  writeFileSync(join(cwd, "texts.txt"), texts.join("\n"));
  return cwd;
}

describe("--jobs", () => {
  it("stopped, it keeps what is done; the same line goes on, and with no threads too", async () => {
    const cwd = newTexts();
    const line = ["sentiment", "texts.txt", "--out", "out.jsonl"];
    const stop = new AbortController();
    const stopped = runCli([...line, "--jobs", "2"], { cwd, signal: stop.signal });
    stop.abort();
    expect(await stopped).toMatchObject({ code: 130, err: expect.stringContaining("Run the same line again") });
    expect(existsSync(join(cwd, "out.jsonl"))).toBe(false);
    await expectCode(0, [...line, "--jobs", "2"], cwd);
    const again = await expectCode(0, line, cwd);
    expect(again.err).toContain(`${texts.length} done before`);
    expect((await expectCode(0, ["verify", "--all"], cwd)).out).toMatch(/0 with something wrong/);
  });

  it("keeps the budget of the batch and of a case as without it", async () => {
    const cwd = newTexts();
    const line = ["sentiment", "texts.txt", "--quiet", "--budget", "calls=1,usd=0", "--budget-per-case", "tokens=1"];
    const alone = await expectCode(0, [...line, "--fresh"], cwd);
    expect((await expectCode(0, [...line, "--fresh", "--jobs", "2"], cwd)).out).toBe(alone.out);
  });

  it("runs a study to the same results", async () => {
    const results = await Promise.all(
      [[], ["--jobs", "2"]].map(async (more) => {
        const cwd = newFolder();
        await expectCode(
          0,
          ["study", "run", "abl_no_debate", "--limit", "3", "--out", "study", "--quiet", ...more],
          cwd,
        );
        const results = readFileSync(join(cwd, "study", "results.jsonl"), "utf8");
        return results.replaceAll(/"run_id":"[^"]*"|"wall_ms":[^,}]*/g, "");
      }),
    );
    expect(results[1]).toBe(results[0]);
  });
});
