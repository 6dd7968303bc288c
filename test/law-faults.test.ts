import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { type AgentOutput, buildMaterial } from "../src/packs/law/index.ts";
import { law } from "../src/packs/law/pack.ts";
import { debateOfExperts, debateWithModel, disputedGift } from "./support/law-model.ts";
import type { ModelServer } from "./support/model-server.ts";
import { textOfRequest } from "./support/model-server-answer.ts";

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const material = buildMaterial({ query: disputedGift }, 12);
const { result: played } = await debateOfExperts(disputedGift);
const first = played.decision?.rounds[0]?.nla as AgentOutput;
const answer = {
  round: 1,
  agent: "NLA",
  responses: [],
  claims: first.claims,
  uncertainties: [],
  open_questions: [],
  answer: first.answer,
};
const sent = (server: ModelServer, index: number): string =>
  textOfRequest(server.seen[index]?.body ?? { model: "", messages: [] });
const prompts = ["id", "en"].flatMap((language) => {
  const folder = new URL(`../src/packs/law/prompts/${language}/`, import.meta.url);
  return readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));
});

describe("faults of an earlier implementation (law spec §7)", () => {
  test("round 2 revises: the prompt has the agent's own claims and the critiques on it, and what it says reaches the end", async () => {
    const claims = answer.claims.map((one) => ({
      ...one,
      assumptions: ["Hanya untuk yang tunduk pada KUHPerdata, sesudah dikritik."],
    }));
    const revision = { ...answer, round: 2, claims, responses: [] };
    const { result, server } = await debateWithModel("nla", [answer, revision, revision, revision], servers, {
      max_rounds: 2,
    });
    expect(sent(server, 1)).toContain(JSON.stringify(answer.claims[0]?.statement).slice(1, 60));
    for (const { critique } of result.decision?.summary?.critiques.filter(
      (one) => one.critique.target === "NLA" && one.critique.round === 1,
    ) ?? [])
      expect(sent(server, 1)).toContain(JSON.stringify(critique.description).slice(1, 80));
    expect(result.decision?.claims.filter(({ claim }) => claim.startsWith("NLA:"))).toMatchObject(claims);
  });

  test("no prompt holds an id that could be copied for evidence, and a copied placeholder never survives", async () => {
    for (const text of prompts) expect(text).not.toMatch(/source_id|NAT-|ADT-|rule:[a-z]+:|kg:\w/);
    const copied = { ...answer, claims: answer.claims.map((claim) => ({ ...claim, evidence: ["source_id_1"] })) };
    const { result } = await debateWithModel("nla", [copied, copied], servers, { rounds: 1 });
    expect(JSON.stringify(result.decision?.claims)).not.toContain("source_id_1");
  });

  test("the critic sees the text of the cited evidence and is asked for conflicts", async () => {
    const nothing = {
      round: 1,
      agent: "ALA",
      target: "NLA",
      critiques: [],
      verdicts: [],
      cleared: [],
      fewer_reason: null,
    };
    const { server } = await debateWithModel("ala_critic", [nothing, nothing, nothing], servers, { rounds: 1 });
    const cited = material.evidence.filter(({ id }) => answer.claims.some(({ evidence }) => evidence.includes(id)));
    expect(cited.length).toBeGreaterThan(0);
    for (const { statement } of cited) expect(sent(server, 0)).toContain(JSON.stringify(statement).slice(1, -1));
    expect(sent(server, 0)).toContain("`conflict`");
    expect(played.decision?.summary?.conflicts.length).toBeGreaterThan(0);
  });

  test("the supervisor's prompt has both final revisions, the summary and the evidence that these cite", async () => {
    const { result, server } = await debateWithModel("sup", [{}, {}], servers);
    const last = result.decision?.rounds.at(-1);
    for (const { statement } of [...(last?.nla.claims ?? []), ...(last?.ala.claims ?? [])])
      expect(sent(server, 0)).toContain(JSON.stringify(statement).slice(1, -1));
    expect(sent(server, 0)).toContain('"position_of_the_claims"');
  });

  test("a will without a percentage gets no percentage", async () => {
    const query = "Seorang ayah di Jawa membuat wasiat untuk anak angkatnya. Apakah anak kandung dapat menggugat?";
    expect((await debateOfExperts(query)).result.decision?.answer).not.toMatch(/40\s?%|40 persen|33\s?%/);
  });

  test("rules that apply to a question are in its material", () =>
    expect(material.evidence.some(({ kind }) => kind === "rule")).toBe(true));
});

test("both languages have the same words, with the same places for values", () => {
  const [id, en] = ["id", "en"].map(
    (language) =>
      JSON.parse(readFileSync(new URL(`../src/packs/law/words/${language}.json`, import.meta.url), "utf8")) as Record<
        string,
        string
      >,
  );
  const places = (words: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(words).map(([key, text]) => [key, (text.match(/\{\w+\}/g) ?? []).toSorted()]));
  expect(places(id)).toEqual(places(en));
});

test("a rule check is called one, in the verdict", async () => {
  const finished = await debateOfExperts(disputedGift);
  expect(JSON.stringify(law.sections(finished)[0])).toContain("Dijalankan oleh program");
});

test("a side without claims has no share of valid claims", async () => {
  const shares = async (query: string): Promise<string> => {
    const conclusion = law.sections(await debateOfExperts(query)).findLast((section) => section.kind === "facts");
    return JSON.stringify(conclusion);
  };
  expect(await shares(disputedGift)).toContain("100%");
  expect(await shares("What is the corporate tax rate in Singapore?")).not.toContain("100%");
});

test.each([
  ["Sawah digadaikan mamak. Mamak bilang kaum mufakat, dua kemenakan bilang kaum tidak pernah mufakat. Sahkah?", true],
  ["It is unclear whether he was ever adopted. Does he inherit under Javanese adat?", true],
  ["Kakak bilang menurut adat Bali saya tidak mewaris. Saya bilang menurut KUHPerdata sama besar. Siapa benar?", false],
])("what happened may be disputed, what the law says is for the debate: %s", (query, isDisputed) =>
  expect(buildMaterial({ query }, 12).disputed.length > 0).toBe(isDisputed),
);

test("a disputed fact calls a person, whatever the debate comes to", async () => {
  const query =
    "A Javanese couple is divorcing. The husband says the house was his before the wedding, the wife says they bought it together. Who gets it?";
  const { decision, outcome } = (await debateOfExperts(query)).result;
  expect(outcome).toBe("escalated");
  expect(decision?.review_reasons.map(({ code }) => code)).toContain("disputed_fact");
});

test.each([
  ["Does Balinese adat decide who inherits ancestral land, or does the Civil Code?", []],
  ["Menurut adat manggarai, siapa yang berhak atas lingko?", ["manggarai"]],
  ["May a widow sell land under Dayak Ngaju custom?", ["Dayak Ngaju"]],
])("a people is any name where one stands, and no verb: %s", (query, uncovered) =>
  expect(buildMaterial({ query }, 12).frame.uncovered).toEqual(uncovered),
);
