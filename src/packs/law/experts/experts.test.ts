import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Agent, AgentOutput, Claim } from "../schemas/agent-output.ts";
import { normRelations, openCase, loadKnowledge } from "../../../knowledge/law/index.ts";
import { caseFile, claim, critique, evidence, output } from "../../../../test/support/law-fixture.ts";
import { criticise } from "./criticise.ts";
import { inspectClaim } from "./claims/defects.ts";
import { openAnswer } from "./open-answer.ts";
import { reviseAnswer } from "./revise-answer.ts";
import { rateConfidence } from "./claims/source-confidence.ts";

const opened = (query: string) => openCase({ query });
const answer = (query: string, agent: Agent): AgentOutput =>
  openAnswer({ file: opened(query), agent, round: 1, previous: null, critiques: [] });

describe("openings", () => {
  test("a source about somebody whom the facts speak of counts, by whatever words", () => {
    const asked =
      "Ayah saya Muslim, meninggal dan meninggalkan istri dan satu anak laki-laki. Berapa bagian tiap orang?";
    expect(answer(asked, "NLA").claims.flatMap(({ evidence: ids }) => ids)).toContain("NAT-KHI-180");
  });

  const words =
    "anak perempuan janda Bali Minangkabau Jawa KUHPerdata pusako tinggi hibah wasiat warisan cerai tanah ulayat adat Islam jual gadai lisan".split(
      " ",
    );
  test("never a claim without a source, whatever is asked", () => {
    const question = fc
      .array(fc.constantFrom(...words), { minLength: 1, maxLength: 9 })
      .map((list) => `${list.join(" ")}?`);
    fc.assert(
      fc.property(question, fc.constantFrom<Agent>("NLA", "ALA"), (query, agent) => {
        const file = opened(query);
        const known = new Set(file.retrieval.evidence.map(({ id }) => id));
        for (const { evidence: ids } of openAnswer({ file, agent, round: 1, previous: null, critiques: [] }).claims) {
          expect(ids.length).toBeGreaterThan(0);
          for (const id of ids) expect(known.has(id)).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });
  test("each side speaks from its own law", () => {
    const query =
      "Anak perempuan Bali menuntut bagian waris yang sama menurut KUHPerdata, keluarganya menolak menurut adat.";
    expect(answer(query, "NLA").claims.every(({ evidence: [lead = ""] }) => lead.startsWith("NAT-"))).toBe(true);
    expect(answer(query, "ALA").claims.every(({ evidence: [lead = ""] }) => lead.startsWith("ADT-BAL"))).toBe(true);
  });
  test("a merged claim carries no evidence of another rule: debts (KHI 93) do not stand under what is divided equally", () => {
    for (const query of [
      "Bagaimana harta bersama pasangan Muslim dibagi bila bercerai, dan siapa menanggung utang keluarga menurut KHI?",
      "How is joint property of a Muslim couple divided after divorce, and who bears the family's debts under the KHI?",
    ])
      for (const { statement, evidence: ids } of answer(query, "NLA").claims)
        if (/separuh|setengah|dibagi sama|half|equally/.test(statement)) expect(ids).not.toContain("NAT-KHI-93");
  });
  test("adat has no claims on a national question that names no community", () => {
    expect(answer("Berapa bagian mutlak seorang anak sah menurut KUHPerdata?", "ALA").claims).toEqual([]);
  });
  test("an English question gets an English answer, an Indonesian one an Indonesian answer", () => {
    expect(answer("Can high ancestral property be sold under Minangkabau adat?", "ALA").answer).toMatch(/According to/);
    expect(answer("Bolehkah pusako tinggi dijual menurut adat Minangkabau?", "ALA").answer).toMatch(/Menurut/);
  });
  test("a provision that is not known is named as such", () => {
    expect(answer("Apa isi Pasal 4321 KUHPerdata tentang warisan?", "NLA").uncertainties.join(" ")).toContain(
      "tidak ada dalam basis pengetahuan ini",
    );
  });
});

describe("confidence", () => {
  const statute = evidence();
  const page = evidence({ id: "A", title: "Adat A", source_kind: "web_or_academic_page", source: "halaman satu" });
  test("grows with every independent document", () => {
    expect(rateConfidence([page])).toBeLessThan(rateConfidence([{ ...page, source: "halaman satu; halaman dua" }]));
    expect(rateConfidence([page])).toBeLessThan(rateConfidence([page, { ...page, id: "B", title: "Adat B" }]));
  });
  test("the statute's text weighs more than a page, an unconfirmed item less", () => {
    expect(rateConfidence([statute])).toBeGreaterThan(rateConfidence([page]));
    expect(rateConfidence([{ ...page, confidence: "unconfirmed" }])).toBeLessThan(rateConfidence([page]));
  });
  test("rules and graph relations restate their sources and add nothing", () => {
    expect(rateConfidence([page, { ...page, id: "rule:bali:x", title: "R", kind: "rule" }])).toBe(
      rateConfidence([page]),
    );
  });
});

describe("what a critic finds", () => {
  const issues = (one: Claim, file = caseFile()): string[] =>
    inspectClaim(file, one).map(({ issue_type, severity }) => `${issue_type} ${severity}`);
  const sound = claim({
    statement: "Anak-anak mewaris dengan bagian sama besar.",
    assumptions: ["Bagi mereka yang tunduk padanya."],
    confidence: 0.6,
  });
  test("nothing in a claim that says what its source says, for whom, and no surer", () => {
    expect(issues(sound)).toEqual([]);
  });
  test("missing evidence", () => {
    expect(issues({ ...sound, evidence: [] })).toEqual(["evidence_gap CRITICAL"]);
  });
  test("a source that says something else", () => {
    expect(issues({ ...sound, statement: "Perusahaan wajib membayar pesangon kepada karyawan kontrak." })).toContain(
      "evidence_gap MAJOR",
    );
  });
  test("a number that the source does not have", () => {
    expect(issues({ ...sound, statement: "Anak-anak mewaris bagian sama besar, paling banyak sepertiga." })).toContain(
      "overclaim MAJOR",
    );
    expect(issues({ ...sound, statement: "Anak-anak mewaris bagian sama besar, yakni 40%." })).toContain(
      "overclaim MAJOR",
    );
  });
  test("a source that binds only some, used for everyone: worse when the question names a community", () => {
    expect(issues({ ...sound, assumptions: [] })).toEqual(["overclaim MINOR"]);
    expect(issues({ ...sound, assumptions: [] }, caseFile([evidence()], { communities: ["bali"] }))).toEqual([
      "overclaim MAJOR",
    ]);
  });
  test("the Civil Code for a Muslim estate, and Islamic law in Bali", () => {
    const muslim = caseFile([evidence()], { query: "Pewaris beragama Islam, bagaimana warisannya?" });
    expect(issues({ ...sound, assumptions: [] }, muslim)).toEqual(["domain_mismatch MAJOR"]);
    const islamic = caseFile([evidence({ regime: "islamic" })], { communities: ["bali"] });
    expect(issues({ ...sound, assumptions: [] }, islamic)).toEqual(["domain_mismatch MAJOR"]);
  });
  test("a norm of another community", () => {
    const other = caseFile([evidence({ domain: "adat", regime: "adat", community: "jawa", kind: "norm" })], {
      communities: ["bali"],
    });
    expect(issues({ ...sound, assumptions: [] }, other)).toContain("domain_mismatch MAJOR");
  });
  test("only unconfirmed sources, and more confidence than the sources bear", () => {
    const weak = caseFile([evidence({ confidence: "unconfirmed" })]);
    expect(issues(sound, weak)).toContain("evidence_gap MINOR");
    expect(issues({ ...sound, confidence: 1 })).toContain("overclaim MINOR");
  });
  test("a clash with its own side's norm is a conflict critique, one an issue", () => {
    const query =
      "Anak perempuan Bali menuntut bagian waris yang sama menurut KUHPerdata, keluarganya menolak menurut adat.";
    const input = {
      file: opened(query),
      agent: "ALA" as const,
      round: 1,
      own: answer(query, "ALA"),
      target: answer(query, "NLA"),
      earlier: [],
    };
    const conflicts = criticise(input).critiques.filter(({ issue_type }) => issue_type === "conflict");
    expect(conflicts.length).toBeGreaterThan(0);
    expect(new Set(conflicts.map(({ description }) => description)).size).toBe(conflicts.length);
  });
});

describe("revisions", () => {
  const file = caseFile([evidence()], { communities: ["bali"] });
  const revise = (claims: Claim[], over: Parameters<typeof critique>[0]) => {
    const raised = { ...critique(over), round: 1, agent: "ALA" as const, target: "NLA" as const };
    return reviseAnswer(
      { file, agent: "NLA", round: 2, previous: null, critiques: [raised] },
      output("NLA", { claims }),
    );
  };
  const loose = claim({ statement: "Anak-anak mewaris dengan bagian sama besar.", confidence: 0.6 });
  test("a critique that is right changes the claim", () => {
    const { claims, responses } = revise([loose], { issue_type: "overclaim" });
    expect(responses).toMatchObject([{ critique_id: "K1", response: "accepted" }]);
    expect(claims[0]?.assumptions).toHaveLength(1);
  });
  test("a claim without evidence is dropped", () => {
    const { claims, responses } = revise([{ ...loose, evidence: [] }], { issue_type: "evidence_gap" });
    expect(claims).toEqual([]);
    expect(responses[0]?.response).toBe("accepted");
  });
  test("a critique that the sources do not bear out is rejected on them", () => {
    const { claims, responses } = revise([loose], { issue_type: "evidence_gap" });
    expect(responses).toMatchObject([{ response: "rejected", evidence: ["NAT-KUHPER-852"] }]);
    expect(claims).toEqual([loose]);
  });
  test("a clash is answered with evidence, and the reading kept", () => {
    const { responses, claims } = revise([loose], { issue_type: "conflict" });
    expect(responses[0]).toMatchObject({ response: "rejected" });
    expect(responses[0]?.evidence.length).toBeGreaterThan(0);
    expect(claims).toEqual([loose]);
  });
});

test("every norm relation speaks of items that exist, each once", () => {
  const knowledge = loadKnowledge();
  for (const { id, national, adat } of normRelations)
    for (const item of [...national, ...adat]) expect(knowledge.find(item)?.id, `${id}: ${item}`).toBe(item);
  expect(new Set(normRelations.map(({ id }) => id)).size).toBe(normRelations.length);
});
