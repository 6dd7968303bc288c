import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decide, law, type LawDecision, readRecorded } from "../src/packs/law/index.ts";
import { newFolder, runCli } from "./support/cli.ts";
import { holdDebate } from "./support/influence.ts";

const query = "Apa saja syarat sah perjanjian menurut KUHPerdata?";
const claim = (id: string, statement: string, evidence: string[]) => ({ id, statement, evidence, confidence: 0.9 });
const said = (agent: "NLA" | "ALA", round: number, claims: object[]) => ({ round, agent, answer: "Jawaban.", claims });
const lawful = [
  claim("C1", "Perjanjian sah bila ada kesepakatan, kecakapan, hal tertentu, dan sebab yang halal.", [
    "Pasal 1320 KUHPerdata",
  ]),
];
const copied = [claim("C1", "Perjanjian adat harus terang dan tunai.", ["source_id_1"])];
const critique = {
  id: "K1",
  target_claim_id: "C1",
  issue_type: "evidence_gap",
  description: "Sumbernya tidak disebut.",
  severity: "CRITICAL",
  "suggested fix": "Sebutkan sumbernya.",
};
const files = {
  "debate_round1_nla.json": said("NLA", 1, lawful),
  "debate_round1_ala.json": said("ALA", 1, copied),
  "critique_round1_nla_on_ala.json": { round: 1, agent: "NLA", target: "ALA", critiques: [critique] },
  "critique_round1_ala_on_nla.json": { round: 1, agent: "ALA", target: "NLA", critiques: [] },
  "debate_round2_nla.json": said("NLA", 2, lawful),
  "debate_round2_ala.json": said("ALA", 2, copied),
};

describe("a recorded debate (law spec §6.1)", () => {
  const { outcome, reasons, decision } = decide(readRecorded({ query, files }, "test"));
  const codes = decision.summary?.faults.map(({ code }) => code) ?? [];

  test("a provision by its name is understood as the item that was given", () => {
    expect(decision.claims.find(({ claim: name }) => name === "NLA:C1")?.evidence).toEqual(["NAT-KUHPER-1320"]);
  });
  test("a placeholder is struck, and a revision that answers nothing is a fault", () => {
    expect(codes).toContain("unknown_evidence");
    expect(codes).toContain("unanswered_critique");
    expect(decision.claims.find(({ claim: name }) => name === "ALA:C1")).toMatchObject({
      evidence: [],
      risk: "no_evidence",
    });
  });
  test("an unanswered CRITICAL critique is open, and a person must look", () => {
    expect(outcome).toBe("escalated");
    expect(reasons).toContain("critical_evidence");
  });
  test("the position follows the claims that hold", () => {
    expect(decision).toMatchObject({ position: "A", decided_by: "rules", used_claims: ["NLA:C1"] });
  });
});

test("a recording that cites in words cites what the base has, also where nothing was found for its question", () => {
  const asked = "Apa dampaknya jika salah satu syaratnya tidak terpenuhi?";
  const named = [
    claim("C1", "Perjanjian sah bila ada kesepakatan, kecakapan, hal tertentu, dan sebab yang halal.", [
      "Pasal 1320 KUHPerdata dan asas kebebasan",
      "Pasal 35 UU Perkawinan 1974",
      "Pasal 99999 KUHPerdata",
    ]),
  ];
  const held = { ...files, "debate_round1_nla.json": said("NLA", 1, named) };
  const { decision } = decide(readRecorded({ query: asked, files: held }, "test"));
  expect(decision.rounds[0]?.nla.claims[0]?.evidence).toEqual(["NAT-KUHPER-1320", "NAT-UUP-35"]);
  expect(decision.summary?.faults.map(({ message }) => message)).toContainEqual(expect.stringContaining("99999"));
});

test("what Parley writes it reads: the artifacts of a debate decide as the debate did", async () => {
  const finished = await holdDebate({
    pack: law,
    input: { query: "Bolehkah pusako tinggi digadaikan menurut adat Minangkabau?" },
  });
  const written = (law.artifacts?.(finished as never) ?? []).filter(({ name }) => name.endsWith(".json"));
  const read = Object.fromEntries(written.map(({ name, content }) => [name, JSON.parse(content as string) as unknown]));
  const { decision } = decide(readRecorded({ files: read }, "artifacts"));
  expect(decision.position).toBe((finished.result.decision as LawDecision).position);
  expect(decision.summary?.critiques).toEqual((finished.result.decision as LawDecision).summary?.critiques);
});

test.each([
  ["nothing", {}, /recorded debate is/],
  ["no question", { files }, /question is missing/],
  ["no round", { query, files: {} }, /no round is complete/],
  [
    "a gap between rounds",
    { query, files: { ...files, "debate_round2_ala.json": null, "debate_round3_nla.json": said("NLA", 3, lawful) } },
    /belongs to no complete round/,
  ],
  ["a broken answer", { query, files: { ...files, "debate_round1_nla.json": { round: 1 } } }, /debate_round1_nla.json/],
])("%s gets a clear error", (_, value, message) => {
  expect(() => readRecorded(value, "recorded.json")).toThrow(message);
});

test("parley law decide reads a folder and a file, and says what is not there", async () => {
  const folder = newFolder();
  for (const [name, value] of Object.entries({ ...files, "debate_summary.json": { query } }))
    writeFileSync(join(folder, name), JSON.stringify(value));
  const read = await runCli(["law", "decide", folder], { cwd: folder });
  expect(read.out).toMatch(/C1 mengutip source_id_1,\s+yang\s+tidak/);
  expect(read.code).toBe(3);
  const missing = await runCli(["law", "decide", "none"], { cwd: folder });
  expect(missing.err).toContain("there is no such file");
  expect(missing.code).not.toBe(0);
});

test("a folder of recorded debates is decided one by one: a line for each, and all of them as JSON", async () => {
  const folder = newFolder();
  writeFileSync(join(folder, "first.json"), JSON.stringify({ query, files }));
  mkdirSync(join(folder, "second"));
  const summary = { "debate_summary.json": { query } };
  for (const [name, value] of Object.entries({ ...files, ...summary }))
    writeFileSync(join(folder, "second", name), JSON.stringify(value));
  writeFileSync(join(folder, "notes.txt"), "not a debate");
  writeFileSync(join(folder, "broken.json"), "{ not JSON");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "debates", files: ["first.json"] }));
  const read = await runCli(["law", "decide", "."], { cwd: folder });
  expect(read.err).toBe("skipped, not a recorded debate: broken.json, package.json\n");
  expect(read.out.split("\n").map((line) => line.split(/\s{2,}/).slice(0, 3))).toEqual([
    ["debate", "position", "outcome"],
    ["first", expect.stringMatching(/^[A-E]$/), "escalated"],
    ["second", expect.stringMatching(/^[A-E]$/), "escalated"],
    [""],
  ]);
  expect(read.out).toContain("unknown_evidence");
  expect(read.code).toBe(3);
  const listed = await runCli(["law", "decide", ".", "--json"], { cwd: folder });
  expect((JSON.parse(listed.out) as { id: string }[]).map(({ id }) => id)).toEqual(["first", "second"]);
  const empty = await runCli(["law", "decide", "."], { cwd: newFolder() });
  expect(empty.err).toContain("no recorded debate found");
});
