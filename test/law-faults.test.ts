import { afterEach, describe, expect, test } from "vitest";
import { type AgentOutput, openAnswer, openCase } from "../src/packs/law/index.ts";
import { law } from "../src/packs/law/pack.ts";
import { retrieve } from "../src/knowledge/law/index.ts";
import { textOfRequest } from "./support/model-server-answer.ts";
import { debateOfExperts, debateWithSeat, disputedGift } from "./support/law-seat.ts";
import type { ModelServer } from "./support/model-server.ts";

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const file = openCase({ query: disputedGift });
const answer: AgentOutput = openAnswer({ file, agent: "NLA", round: 1, previous: null, critiques: [] });
const sent = (server: ModelServer, index: number): string =>
  textOfRequest(server.seen[index]?.body ?? { model: "", messages: [] });

describe("faults of an earlier implementation (law spec §7)", () => {
  test("round 2 revises: the prompt has the agent's own answer and the critiques on it, and what it says reaches the end", async () => {
    const [first] = answer.claims;
    if (!first) throw new Error("no claim");
    const claims = [{ ...first, assumptions: ["Hanya untuk yang tunduk pada KUHPerdata, sesudah dikritik."] }];
    const revision = { ...answer, round: 2, claims, responses: [] };
    const { result, server } = await debateWithSeat("nla", [answer, revision, revision], servers, { max_rounds: 2 });
    expect(sent(server, 1)).toContain(JSON.stringify(answer.answer).slice(1, 60));
    for (const { critique } of result.decision?.summary?.critiques.filter((one) => one.critique.target === "NLA") ?? [])
      expect(sent(server, 1)).toContain(JSON.stringify(critique.description).slice(1, 80));
    expect(result.decision?.claims.filter(({ claim }) => claim.startsWith("NLA:"))).toMatchObject(claims);
  });

  test("no prompt holds an id that could be copied for evidence, and a copied placeholder never survives", async () => {
    for (const [name, text] of Object.entries(law.prompts))
      expect(text, name).not.toMatch(/source_id|NAT-|ADT-|rule:[a-z]+:|kg:\w/);
    const copied = { ...answer, claims: answer.claims.map((claim) => ({ ...claim, evidence: ["source_id_1"] })) };
    const { result } = await debateWithSeat("nla", [copied, copied], servers, { rounds: 1 });
    expect(JSON.stringify(result.decision?.claims)).not.toContain("source_id_1");
  });

  test("the critic sees the text of the cited evidence", async () => {
    const nothing = { round: 1, agent: "ALA", target: "NLA", critiques: [], verdicts: [] };
    const { server } = await debateWithSeat("ala_critic", [nothing, nothing], servers, { rounds: 1 });
    const shown = sent(server, 0).split("[JAWABAN NLA]")[1] ?? "";
    const cited = file.retrieval.evidence.filter(({ id }) =>
      answer.claims.some(({ evidence }) => evidence.includes(id)),
    );
    expect(cited.length).toBeGreaterThan(0);
    for (const { statement } of cited) expect(shown).toContain(JSON.stringify(statement).slice(1, -1));
  });

  test("the critic is asked for conflicts, and a question of conflict gets one", async () => {
    expect(law.prompts["id/turns.md"]).toContain("`conflict`");
    const { result } = await debateOfExperts(disputedGift);
    expect(result.decision?.summary?.critiques.map(({ critique }) => critique.issue_type)).toContain("conflict");
    expect(result.decision?.summary?.conflicts.length).toBeGreaterThan(0);
  });

  test("the supervisor's prompt has both final revisions, the summary and the evidence that these cite", async () => {
    const { result, server } = await debateWithSeat("sup", [{}, {}], servers);
    const last = result.decision?.rounds.at(-1);
    const claims = [...(last?.nla.claims ?? []), ...(last?.ala.claims ?? [])];
    for (const { statement } of claims) expect(sent(server, 0)).toContain(JSON.stringify(statement).slice(1, -1));
    expect(sent(server, 0)).toContain('"disputed_claims"');
    const cited = file.retrieval.evidence.filter(({ id }) => claims.some(({ evidence }) => evidence.includes(id)));
    expect(cited.length).toBeGreaterThan(2);
    for (const { statement } of cited) expect(sent(server, 0)).toContain(JSON.stringify(statement).slice(1, -1));
  });

  test("a will without a percentage gets no percentage", async () => {
    const query = "Seorang ayah di Jawa membuat wasiat untuk anak angkatnya. Apakah anak kandung dapat menggugat?";
    expect(retrieve(query).facts.join(" ")).not.toMatch(/\d/);
    const { result } = await debateOfExperts(query);
    expect(result.decision?.answer).not.toMatch(/40\s?%|40 persen|33\s?%/);
  });
});
