import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, runCli } from "../../test/support/cli.ts";

const members = ["x", "y", "z"];

/** Reviews as `parley review export` writes them; every tenth was ruled on without openings to show. */
const reviews = Array.from({ length: 70 }, (_, i) => ({
  id: `r${i}`,
  input: { question: `question ${i}` },
  gold: { answer: "Mars" },
  labelled_by: "person",
  ...(i % 10 === 0
    ? {}
    : {
        votes: Object.fromEntries(members.map((member, at) => [member, (i + at) % (at + 3) === 0 ? "Venus" : "Mars"])),
      }),
}));

function write(rows: readonly unknown[]): { cwd: string; file: string } {
  const cwd = newFolder();
  writeFileSync(join(cwd, "rows.jsonl"), rows.map((row) => JSON.stringify(row)).join("\n"));
  return { cwd, file: "rows.jsonl" };
}

describe("study panel, jury and judges", () => {
  it("give the figures of a file under the keys that they are known by", async () => {
    const { cwd, file } = write(reviews);
    const panel = JSON.parse((await runCli(["study", "panel", file, "--json"], { cwd })).out);
    const keys = "n members best_single vote stop_at_two beta beta_upper rho n_eff unanimous";
    expect(Object.keys(panel)).toEqual(expect.arrayContaining(keys.split(" ")));
    const jury = JSON.parse((await runCli(["study", "jury", file, "--json"], { cwd })).out);
    expect(jury).toMatchObject({ n: 63, learnt: { coverage: { "0.05": expect.any(Number) } } });
    expect(Object.keys(jury.learnt.coverage)).toEqual(["0.05", "0.10"]);
  });

  it("a jury is not certified on the cases that it was learnt from", async () => {
    const { cwd, file } = write(reviews);
    await runCli(["study", "jury", file, "--out", "jury.json"], { cwd });
    const again = await runCli(["study", "certify", file, "--max-wrong", "20%", "--jury", "jury.json"], { cwd });
    expect([again.code, again.err]).toEqual([2, expect.stringContaining("it was learnt from rows.jsonl")]);
  });

  it.each([
    ["an unknown member", ["--panel", "x,w"], 'no row has a vote of "w"'],
    ["an unknown category", ["--category", "lw"], 'no row is of the category "lw"'],
    ["a name twice", ["--panel", "x,x"], "a member is listed twice"],
  ])("%s is refused by name", async (_, args, message) => {
    const rows = Array.from({ length: 120 }, (_row, i) => ({ ...reviews[(i % 9) + 1], id: i, category: "law" }));
    const { cwd, file } = write(rows);
    const { code, err } = await runCli(["study", "panel", file, ...args], { cwd });
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  it("say what was left out", async () => {
    const short = { ...reviews[1], id: "short", votes: { x: "Mars", y: "Mars" } };
    const { cwd, file } = write([...reviews, ...reviews.slice(1, 3), short]);
    const { out } = await runCli(["study", "panel", file], { cwd });
    expect(out.replaceAll(/\s+/g, " ")).toContain("2 rows are copies of others and did not count");
    expect(out.replaceAll(/\s+/g, " ")).toContain("1 case was left out because not every member was asked there");
  });
});
