import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { definePack } from "../src/engine/define-pack.ts";
import { question } from "../src/packs/question/pack.ts";
import { castOfStrings } from "../src/runs/cast.ts";
import { checkChain, readRun } from "../src/runs/read-run.ts";
import { ruleOnRun } from "../src/runs/review.ts";
import { startRun } from "../src/runs/start.ts";
import { memoryStore } from "../src/store/sqlite.ts";
import { sqliteStore } from "../src/store/sqlite.ts";
import { newFolder, runCli } from "./support/cli.ts";
import { toyPack } from "./support/toy.ts";

function folderWithDocs(): string {
  const cwd = newFolder();
  mkdirSync(join(cwd, "docs"));
  writeFileSync(join(cwd, "docs", "sale.md"), "Ida Holm sold the mill because the railway took away its trade.");
  return cwd;
}

it("a turn cast to a person parks the run, review answers it, and the run goes on where it was", async () => {
  const cwd = folderWithDocs();
  const args = [
    "ask",
    "Why did Ida Holm sell the mill?",
    "--docs",
    "docs",
    "--cast",
    "expert,judge=person",
    "--protocol",
    "courtroom",
  ];
  const parked = await runCli(args, { cwd });
  expect(parked.code).toBe(3);
  expect(parked.err).toMatch(
    /the turn of judge in round 3 waits for a person\nNothing is lost. Answer it with: parley review \S+\n/,
  );
  const waiting = await runCli(["review"], { cwd });
  expect(waiting.out).toMatch(/a turn waits for its answer +Why did Ida Holm sell the mill\?/);
  const id = waiting.out.split(" ")[0] ?? "";
  expect((await runCli(["review", id], { cwd })).err).toContain("--answer");
  expect((await runCli(["review", id, "--answer", "{"], { cwd })).err).toContain("not valid JSON");
  const answer = JSON.stringify({
    answer: "The railway.",
    winner: 1,
    reasoning: "The letter says so.",
    confidence: 0.9,
  });
  const done = await runCli(["review", id, "--answer", answer, "--json"], { cwd });
  expect(done.code, done.err).toBe(0);
  expect(JSON.parse(done.out)).toMatchObject({
    answer: expect.stringContaining("the railway took away its trade"),
    decided_by: "judge",
    parley: { run: id, outcome: "decided" },
  });
  expect((await runCli(["review"], { cwd })).out).toBe("nothing waits for a person\n");
});

it("a person's unusable answer is a problem of the turn, not a default", async () => {
  const cwd = folderWithDocs();
  await runCli(["ask", "Why?", "--docs", "docs", "--cast", "expert,judge=person", "--protocol", "courtroom"], { cwd });
  const id = (await runCli(["review"], { cwd })).out.split(" ")[0] ?? "";
  const wrong = await runCli(["review", id, "--answer", '{"answer": 7}'], { cwd });
  expect(wrong.code).toBe(3);
  expect(wrong.err).toMatch(/this answer of judge in round 3 was not accepted:\n(  .+\n)*  `answer`: .+\n/);
  expect(wrong.err).not.toContain("--overrule");
  expect(wrong.err).toContain(`parley review ${id}`);
  const turns = await runCli(["show", id, "--turn"], { cwd });
  expect(turns.out).not.toMatch(/judge.*answered/);
});

it("an answer that breaks a rule may be tried as often as one likes, is never dropped, and stands with a reason", async () => {
  const cwd = folderWithDocs();
  await runCli(
    [
      "ask",
      "Why did Ida Holm sell the mill?",
      "--docs",
      "docs",
      "--cast",
      "expert,judge=person",
      "--protocol",
      "courtroom",
    ],
    { cwd },
  );
  const id = (await runCli(["review"], { cwd })).out.split(" ")[0] ?? "";
  const reply = { answer: "The moon.", winner: 1, reasoning: "I say so.", confidence: 0.9 };
  const answer = (...more: string[]) =>
    runCli(["review", id, "--answer", JSON.stringify(reply), "--reviewer", "Noor", ...more], { cwd });
  for (let tries = 0; tries < 4; tries += 1) {
    expect((await answer()).code).toBe(3);
    expect((await runCli(["review"], { cwd })).out).toContain(id);
  }
  for (const nothing of [
    ["--overrule", ""],
    ["--overrule", "\u200b"],
    ["--reviewer", "\u001b[2J"],
    ["--reviewer", " "],
  ])
    expect(await answer(...nothing)).toMatchObject({ code: 2, err: expect.stringContaining(nothing[0] ?? "") });
  const done = await answer("--overrule", "I have seen the deed", "--json");
  expect(done.code, done.err).toBe(0);
  const turn = await runCli(["show", id, "--turn", "3/judge/judge"], { cwd });
  expect(turn.out).toContain("= Noor lets it stand: I have seen the deed");
  expect(JSON.parse(done.out)).toMatchObject({ answer: "The moon.", short_answer: null, decided_by: "judge" });
  const exported = (await runCli(["export", id, "--format", "md"], { cwd })).out;
  for (const words of ["The moon.", "Noor", "I have seen the deed"]) expect(exported).toContain(words);
  expect((await runCli(["export", id], { cwd })).out).toContain('"person/Noor"');
});

it("a claim that nobody made is refused with those that were made, and no others", async () => {
  const cwd = newFolder();
  await runCli(["law", "Can ulayat land in Minangkabau be sold to outsiders?", "--cast", "expert,sup=person"], { cwd });
  const id = (await runCli(["review"], { cwd })).out.split(" ")[0] ?? "";
  const reply = {
    used_claims: ["ALA:C99"],
    rejected_claims: [],
    applicable_regimes: ["adat"],
    reasons: ["Adat."],
    dissent: null,
    position: "B",
    answer: "No.",
    needs_human_review: false,
    disclaimer: "No advice.",
  };
  const { err } = await runCli(["review", id, "--answer", JSON.stringify(reply)], { cwd });
  const said = JSON.parse((await runCli(["show", id, "--json"], { cwd })).out) as { turns: { reply: Claims }[] };
  type Claims = { claims?: { id: string }[] };
  const made = ["NLA", "ALA"].flatMap((side, at) =>
    (said.turns[at]?.reply.claims ?? []).map((claim) => `${side}:${claim.id}`),
  );
  expect(made.length).toBeGreaterThan(0);
  expect(err).toContain(`neither side made claim ALA:C99; the claims are: ${made.join(", ")}\n`);
});

it.each([
  ["an answer of its own where nobody gave one", { winner: 1, answer: "Two months." }, 0, "Two months."],
  ["nobody, with an answer of its own", { winner: null, answer: "Two months." }, 0, "Two months."],
  ["nobody, and no answer", { winner: null, answer: null }, 3, null],
])("a judge who lets stand %s is followed", async (_, ruling, code, answer) => {
  const cwd = folderWithDocs();
  const cast = ["--cast", "expert,judge=person", "--protocol", "courtroom"];
  await runCli(["ask", "Which notice period applies to tenants?", "--docs", "docs", ...cast], { cwd });
  const id = (await runCli(["review"], { cwd })).out.split(" ")[0] ?? "";
  const reply = JSON.stringify({ reasoning: "I know the law.", confidence: 0.9, ...ruling });
  const done = await runCli(["review", id, "--answer", reply, "--overrule", "I know the law", "--json"], { cwd });
  expect(done.code, done.err).toBe(code);
  expect(JSON.parse(done.out)).toMatchObject({ answer });
  expect((await runCli(["verify", id], { cwd })).out).not.toContain("WRONG");
});

it("an escalated run is settled by a ruling that becomes part of its journal", async () => {
  const escalating = definePack({
    ...toyPack,
    protocol: async (...args: Parameters<typeof toyPack.protocol>) => ({
      ...(await toyPack.protocol(...args)),
      outcome: "escalated" as const,
    }),
  });
  const store = memoryStore();
  const { runId, finished } = await startRun(
    { store, castOf: castOfStrings(store) },
    { pack: escalating, input: { question: "?" }, cast: "expert" },
  );
  expect(finished.result.outcome).toBe("escalated");
  await expect(ruleOnRun(store, runId, { verdict: "upheld", ruling: " ", reviewer: "r" })).rejects.toThrow(
    /the ruling is empty/,
  );
  await ruleOnRun(store, runId, { verdict: "replaced", ruling: "Seven, because I counted.", reviewer: "Noor" });
  const { run, result, entries } = await readRun(store, runId);
  expect(result).toMatchObject({
    outcome: "decided",
    reasons: ["settled by a person (replaced): Seven, because I counted."],
  });
  expect(checkChain(run, entries).every((finding) => finding.ok)).toBe(true);
  await expect(ruleOnRun(store, runId, { verdict: "upheld", ruling: "again", reviewer: "r" })).rejects.toThrow(
    /not escalated/,
  );
});

it("a ruling stands before the report it overrules, in review, show, redecide and exports", async () => {
  const cwd = newFolder();
  const store = sqliteStore(join(cwd, ".parley", "parley.db"));
  const escalating = definePack({
    ...question,
    protocol: async (...args: Parameters<typeof question.protocol>) => ({
      ...(await question.protocol(...args)),
      outcome: "escalated" as const,
    }),
  });
  const { runId: run } = await startRun(
    { store, castOf: castOfStrings(store) },
    { pack: escalating, input: { question: "Is it?" }, cast: "expert" },
  );
  await store.close();
  expect((await runCli(["review", "--json"], { cwd })).out).toContain('"why":"escalated"');
  const args = ["review", run, "--replace", "Neither reading holds.", "--reviewer", "Noor"];
  const settled = await runCli(args, { cwd });
  expect(settled.code, settled.err).toBe(0);
  const first = "Settled by Noor, who overruled the decision\n  Neither reading holds.\n\n";
  expect(settled.out.startsWith(first)).toBe(true);
  expect((await runCli(["show", run], { cwd })).out.startsWith(first)).toBe(true);
  expect((await runCli(["redecide", run, "--set", "passages=5"], { cwd })).out).toContain("A person settled this run");
  expect((await runCli(["export", run, "--format", "html"], { cwd })).out).toContain("Neither reading holds.");
});
