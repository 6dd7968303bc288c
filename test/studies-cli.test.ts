import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newFolder, runCli, spawnCli } from "./support/cli.ts";

it("study run prints the verdict and the arms on stdout, the plan on stderr, and writes four files", async () => {
  const cwd = newFolder();
  const { code, out, err } = await runCli(["study", "run", "question_controls", "--limit", "5"], { cwd });
  expect(code).toBe(0);
  expect(out).toContain("Was the debate worth it?");
  expect(out).toMatch(/round_table +reference/);
  expect(err).toContain("5 cases × 5 arms");
  for (const name of ["results.jsonl", "manifest.json", "report.html", "report.md"])
    expect(existsSync(join(cwd, ".parley/studies/question_controls", name))).toBe(true);
});

it("study report writes the reports again without a run; list finds the study by name", async () => {
  const cwd = newFolder();
  await runCli(["study", "run", "question_controls", "--limit", "4", "--quiet"], { cwd });
  const file = join(cwd, ".parley/studies/question_controls/report.html");
  const before = readFileSync(file, "utf8");
  writeFileSync(file, "");
  expect((await runCli(["study", "report", "question_controls"], { cwd })).code).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(before);
  expect((await runCli(["study", "list"], { cwd })).out).toMatch(
    /question_controls +question +4 cases × 5 arms +20 of 20 runs/,
  );
});

it.each([
  ["a study that does not exist", ["study", "run", "question_control"], 'did you mean "question_controls"?'],
  ["a report of nothing", ["study", "report", "nothing"], 'no study "nothing" has run here'],
  ["a bad seed", ["study", "run", "question_controls", "--seeds", "1,x"], '"x" is not a whole number'],
  [
    "an unknown format",
    ["study", "run", "question_controls", "--format", "jsonlines"],
    'no dataset format "jsonlines"',
  ],
])("%s is exit code 2 and says what would be right", async (_what, args, message) => {
  const { code, err } = await runCli(args);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

it("a study of one's own CSV: a mapping", async () => {
  const cwd = newFolder();
  writeFileSync(join(cwd, "facts.csv"), "no;frage;key;thema\n1;Is ice cold?;yes;heat\n2;Is fire cold?;no;heat\n");
  const study = {
    study: "facts",
    pack: "question",
    dataset: {
      path: "facts.csv",
      map: {
        id: "no",
        input: {
          question: "frage",
          choices: { constant: ["yes", "no"] },
          docs: { constant: [{ id: "d", text: "Ice is cold: yes. Fire is hot." }] },
        },
        gold: { answer: "key", choices: { constant: ["yes", "no"] } },
      },
    },
    arms: [{ name: "table" }],
  };
  writeFileSync(join(cwd, "facts.yaml"), JSON.stringify(study));
  const { code, err } = await runCli(["study", "run", "facts.yaml"], { cwd });
  expect(code, err).toBe(0);
  expect(readFileSync(join(cwd, ".parley/studies/facts/results.jsonl"), "utf8")).toContain('"case_id":"2"');
});

it("a person in the cast: the runs wait, the study says so, and the exit code is 3", async () => {
  const cwd = newFolder();
  const { code, err } = await runCli(
    ["study", "run", "question_controls", "--limit", "2", "--cast", "person", "--json"],
    { cwd },
  );
  expect(code).toBe(3);
  expect(err).toMatch(/runs wait for a person: answer with parley review/);
});

it("two studies in two processes on one store do not disturb each other", async () => {
  const cwd = newFolder();
  const ran = await Promise.all(
    ["question_controls", "stance_vs_patch"].map(
      (name) => spawnCli(["study", "run", name, "--limit", "12", "--json"], { cwd }).ran,
    ),
  );
  for (const { code, out, err } of ran) {
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ missing: 0, failed: 0 });
  }
});

it("Ctrl-C leaves a study that the same command completes", async () => {
  const cwd = newFolder();
  const stop = new AbortController();
  const first = runCli(["study", "run", "stance_vs_patch", "--limit", "20", "--concurrency", "1"], {
    cwd,
    signal: stop.signal,
  });
  const results = join(cwd, ".parley/studies/stance_vs_patch/results.jsonl");
  while (!existsSync(results) || readFileSync(results, "utf8").split("\n").length < 4)
    await new Promise((done) => setImmediate(done));
  stop.abort();
  const { code, err } = await first;
  expect(code).toBe(130);
  expect(err).toContain("run the same command again");
  const second = await runCli(["study", "run", "stance_vs_patch", "--limit", "20", "--json"], { cwd });
  expect(second.err).toMatch(/of them are done already/);
  expect(JSON.parse(second.out)).toMatchObject({ missing: 0 });
});
