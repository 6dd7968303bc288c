import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newFolder, runCli, spawnCli } from "../../support/cli.ts";

const count = 40;
const write = (cwd: string): void => {
  const rows = Array.from({ length: count }, (_, n) => ({
    id: `c${n}`,
    question: `Who built mill ${n}?`,
    docs: [{ id: "d", text: `Ana Holm built mill ${n}.` }],
  }));
  writeFileSync(join(cwd, "cases.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
};
const line = (out: string) => ["run", "question", "--input", "cases.jsonl", "--out", out, "--quiet"];
const readIds = (file: string): string[] =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((text) => (JSON.parse(text) as { case_id: string }).case_id);
const readRuns = (file: string): string[] =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((text) => (JSON.parse(text) as { run: string }).run);
const inOrder = Array.from({ length: count }, (_, n) => `c${n}`);

it("one line started three times at once: one does it, the others are told who, and the file is whole", async () => {
  const cwd = newFolder();
  write(cwd);
  const all = await Promise.all([1, 2, 3].map(() => spawnCli(line("results.jsonl"), { cwd }).ran));
  for (const { code, err } of all.filter((ran) => ran.code !== 0))
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringMatching(/results\.jsonl is being written by another process; wait for it/) as unknown,
    });
  expect(all.some(({ code }) => code === 0)).toBe(true);
  expect(readIds(join(cwd, "results.jsonl"))).toEqual(inOrder);
  for (const end of [".partial", ".partial.lock"]) expect(existsSync(join(cwd, `results.jsonl${end}`))).toBe(false);
  const again = await runCli(line("results.jsonl"), { cwd });
  expect(again.code, again.err).toBe(0);
});

it("the same cases into two files at once: both are whole, no case is an error, and each has one run", async () => {
  const cwd = newFolder();
  write(cwd);
  const all = await Promise.all(["a.jsonl", "b.jsonl"].map((out) => spawnCli(line(out), { cwd }).ran));
  for (const { code, err } of all) expect({ code, err }).toMatchObject({ code: 0 });
  for (const out of ["a.jsonl", "b.jsonl"]) expect(readIds(join(cwd, out))).toEqual(inOrder);
  const runs = (await runCli(["runs", "--json", "--limit", "1000"], { cwd })).out.trimEnd().split("\n");
  expect(runs).toHaveLength(count);
  expect(readRuns(join(cwd, "a.jsonl"))).toEqual(readRuns(join(cwd, "b.jsonl")));
});

it("what a killed process held is free at once", async () => {
  const cwd = newFolder();
  write(cwd);
  const first = spawnCli(line("results.jsonl"), { cwd });
  const lock = join(cwd, "results.jsonl.partial.lock");
  const watch = setInterval(() => existsSync(lock) && first.child.kill("SIGKILL"), 1);
  await first.ran;
  clearInterval(watch);
  expect(existsSync(lock)).toBe(true);
  expect((await runCli(line("results.jsonl"), { cwd })).code).toBe(0);
  expect(readIds(join(cwd, "results.jsonl"))).toEqual(inOrder);
});
