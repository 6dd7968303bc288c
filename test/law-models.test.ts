import { afterEach, describe, expect, test } from "vitest";
import { type AgentOutput, type Critique, type CritiqueMessage, openAnswer, openCase } from "../src/packs/law/index.ts";
import { textOfRequest } from "./support/model-server-answer.ts";
import { debateWithSeat, disputedGift } from "./support/law-seat.ts";
import type { ModelServer } from "./support/model-server.ts";

const servers: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const file = openCase({ query: disputedGift });
const answer: AgentOutput = openAnswer({ file, agent: "NLA", round: 1, previous: null, critiques: [] });
const revised = (over: Partial<AgentOutput> = {}): AgentOutput => ({ ...answer, round: 2, ...over });
const oneRound = { rounds: 1 };

function critique(id: string, over: Partial<Critique> = {}): Critique {
  const text = `Klaim ini perlu dibatasi pada perkara ${id}.`;
  return {
    id,
    target_claim_id: "C1",
    issue_type: "logic_gap",
    description: text,
    severity: "MINOR",
    suggested_fix: "Batasi.",
    evidence: [],
    ...over,
  };
}
function critiques(list: Critique[], over: Partial<CritiqueMessage> = {}): CritiqueMessage {
  return { round: 1, agent: "NLA", target: "ALA", critiques: list, verdicts: [], fewer_reason: null, ...over };
}
const three = ["K1", "K2", "K3"].map((id) => critique(id));

describe("an agent on a model", () => {
  test("unknown ids: one repair names them; kept, they are removed, flagged and recorded", async () => {
    const forged = {
      ...answer,
      claims: answer.claims.map((claim) => ({ ...claim, evidence: [...claim.evidence, "MA:1589-K/Sip/1974"] })),
    };
    const { result, turns, server } = await debateWithSeat("nla", [forged, forged], servers, oneRound);
    expect(textOfRequest(server.seen[1]?.body ?? { model: "", messages: [] })).toContain(
      "mengutip MA:1589-K/Sip/1974, yang tidak ada dalam bukti",
    );
    expect(turns.find(({ key }) => key.role === "nla")?.status).toBe("salvaged");
    const claims = result.decision?.rounds[0]?.nla.claims ?? [];
    expect(claims.length).toBeGreaterThan(0);
    for (const claim of claims)
      expect(claim).toMatchObject({
        risk: "no_evidence",
        evidence: expect.not.arrayContaining(["MA:1589-K/Sip/1974"]),
      });
    expect(result.decision?.summary?.faults).toContainEqual(
      expect.objectContaining({ speaker: "nla", code: "unknown_evidence" }),
    );
    expect(JSON.stringify(result.decision?.sources)).not.toContain("1589");
  });

  test("unknown ids that the repair corrects leave no trace in the claims", async () => {
    const forged = { ...answer, claims: answer.claims.map((claim) => ({ ...claim, evidence: ["source_id_1"] })) };
    const { result, turns } = await debateWithSeat("nla", [forged, answer], servers, oneRound);
    expect(turns.find(({ key }) => key.role === "nla")?.status).toBe("repaired");
    expect(result.decision?.rounds[0]?.nla.claims).toEqual(answer.claims);
  });

  test("no valid evidence at all: escalated, and the supervisor uses none of those claims", async () => {
    const forged = { ...answer, claims: answer.claims.map((claim) => ({ ...claim, evidence: ["source_id_1"] })) };
    const { result } = await debateWithSeat("nla", [forged, forged], servers, oneRound);
    expect(result).toMatchObject({ outcome: "escalated", decision: { needs_human_review: true } });
    expect(result.reasons).toContain("evidence_missing_over_30_percent");
    expect(result.decision?.used_claims.filter((name) => name.startsWith("NLA:"))).toEqual([]);
  });

  test("14 claims: the four least sure are cut and the cut is recorded", async () => {
    const [first] = answer.claims;
    if (!first) throw new Error("no claim");
    const claims = Array.from({ length: 14 }, (_, index) => ({
      ...first,
      id: `C${index + 1}`,
      confidence: index < 4 ? 0.1 : 0.6,
    }));
    const { result } = await debateWithSeat(
      "nla",
      [
        { ...answer, claims },
        { ...answer, claims },
      ],
      servers,
      oneRound,
    );
    expect(result.decision?.rounds[0]?.nla.claims.map(({ id }) => id)).toEqual(claims.slice(4).map(({ id }) => id));
    expect(result.decision?.summary?.faults).toContainEqual(
      expect.objectContaining({ code: "too_many_claims", message: expect.stringContaining("dibuang: C1, C2, C3, C4") }),
    );
  });

  test("speaking in the other agent's name, twice, is an abstention and the debate is undecided", async () => {
    const { result } = await debateWithSeat(
      "nla",
      [
        { ...answer, agent: "ALA" },
        { ...answer, agent: "ALA" },
      ],
      servers,
      oneRound,
    );
    expect(result).toMatchObject({ outcome: "undecided", decision: null, quorum: { abstained: 1 } });
  });

  test("a revision that answers no critique: each stays open and is recorded", async () => {
    const { result } = await debateWithSeat("nla", [answer, revised(), revised()], servers, {
      rounds: 2,
      max_rounds: 2,
    });
    const open = result.decision?.summary?.critiques.filter(
      ({ critique: { target }, status }) => target === "NLA" && status === "open",
    );
    expect(open?.length).toBeGreaterThan(0);
    expect(result.decision?.summary?.faults).toContainEqual(
      expect.objectContaining({ code: "unanswered_critique", round: 2 }),
    );
  });
});

describe("a critic on a model", () => {
  test("criticising itself: struck, flagged as an echo chamber, recorded", async () => {
    const self = critiques(three, { target: "NLA" });
    const { result } = await debateWithSeat("nla_critic", [self, self], servers, oneRound);
    expect(result.decision?.rounds[0]?.nla_on_ala).toMatchObject({ target: "ALA", critiques: [], echo_chamber: true });
    expect(result.decision?.summary?.faults.map(({ code }) => code)).toEqual(
      expect.arrayContaining(["self_criticism", "echo_chamber"]),
    );
  });

  test("two critiques: asked once more, then flagged and kept", async () => {
    const two = critiques(three.slice(0, 2));
    const { result, server } = await debateWithSeat("nla_critic", [two, two], servers, oneRound);
    expect(textOfRequest(server.seen[1]?.body ?? { model: "", messages: [] })).toContain(
      "sedikitnya 3 diharapkan dalam putaran 1",
    );
    expect(result.decision?.rounds[0]?.nla_on_ala).toMatchObject({
      echo_chamber: true,
      critiques: [{ id: "K1" }, { id: "K2" }],
    });
  });

  test("a third critique on the second asking lifts the flag", async () => {
    const { result } = await debateWithSeat(
      "nla_critic",
      [critiques(three.slice(0, 2)), critiques(three)],
      servers,
      oneRound,
    );
    expect(result.decision?.rounds[0]?.nla_on_ala).toEqual(critiques(three));
  });

  test("no suggested_fix: the critique is struck and recorded", async () => {
    const bare = critiques([...three, critique("K4", { suggested_fix: "" })]);
    const { result } = await debateWithSeat("nla_critic", [bare, bare], servers, oneRound);
    expect(result.decision?.rounds[0]?.nla_on_ala?.critiques.map(({ id }) => id)).toEqual(["K1", "K2", "K3"]);
    expect(result.decision?.summary?.faults).toContainEqual(
      expect.objectContaining({ speaker: "nla_critic", code: "no_suggested_fix" }),
    );
  });

  test("a critic that abstains is asked once more; silent twice, it leaves the claims unchecked and a person must look", async () => {
    const { result } = await debateWithSeat("nla_critic", ["no", "no", "no", "no"], servers, oneRound);
    expect(result.quorum.abstained).toBe(2);
    expect(result.decision?.rounds[0]).toMatchObject({ nla_on_ala: null, silent: ["NLA"] });
    expect(result).toMatchObject({ outcome: "escalated", reasons: expect.arrayContaining(["unchecked_claims"]) });
    expect(result.decision?.summary?.faults).toContainEqual(expect.objectContaining({ code: "no_critique" }));
  });

  test("a critic that speaks on the second asking is heard, and nothing is unchecked", async () => {
    const { result } = await debateWithSeat("nla_critic", ["no", "no", critiques(three)], servers, oneRound);
    expect(result.decision?.rounds[0]?.nla_on_ala?.critiques).toHaveLength(3);
    expect(result.reasons).not.toContain("unchecked_claims");
  });
});

describe("a supervisor on a model", () => {
  const supervision = {
    answer: "Hibah tanah memerlukan akta notaris menurut KUHPerdata Pasal 1682.",
    position: "C",
    reasons: ["Kedua hukum berbeda."],
    used_claims: ["NLA:C1", "ALA:C1"],
    rejected_claims: [],
    applicable_regimes: ["KUHPerdata", "adat Bali"],
    dissent: null,
    needs_human_review: false,
    disclaimer: "Ini bukan nasihat hukum.",
  };

  test("a sound synthesis is taken as it is", async () => {
    const { result, turns } = await debateWithSeat("sup", [supervision], servers);
    expect(turns.at(-1)).toMatchObject({ status: "answered" });
    expect(result.decision).toMatchObject(supervision);
  });

  test("asking for a person escalates the run", async () => {
    const { result } = await debateWithSeat("sup", [{ ...supervision, needs_human_review: true }], servers);
    expect(result).toMatchObject({ outcome: "escalated", reasons: ["requested_by_supervisor"] });
  });

  test("an invented article is sent back, then its sentence is struck", async () => {
    const invented = {
      ...supervision,
      answer: `${supervision.answer} Lihat juga Pasal 99C UU 13/2003 tentang Ketenagakerjaan.`,
    };
    const { result, turns } = await debateWithSeat("sup", [invented, invented], servers);
    expect(turns.at(-1)).toMatchObject({ status: "salvaged", problems: [{ code: "invented_citation" }] });
    expect(result.decision?.answer).toBe(supervision.answer);
  });

  test("claims that nobody made are struck, and a missing disclaimer is put right", async () => {
    const loose = { ...supervision, used_claims: ["NLA:C1", "NLA:C77"], disclaimer: "Semoga membantu." };
    const { result } = await debateWithSeat("sup", [loose, loose], servers);
    expect(result.decision?.used_claims).toEqual(["NLA:C1"]);
    expect(result.decision?.disclaimer).toContain("bukan nasihat hukum");
  });

  test("a disclaimer in another language costs no repair: the program adds its own", async () => {
    const { result, turns } = await debateWithSeat(
      "sup",
      [{ ...supervision, disclaimer: "법률 자문이 아닙니다." }],
      servers,
    );
    expect(turns.at(-1)).toMatchObject({ status: "answered" });
    expect(result.decision?.disclaimer).toMatch(/^법률 자문이 아닙니다\. Ini bukan nasihat hukum/);
  });

  test("a position without a single claim is no decision: undecided, with what stood before", async () => {
    const empty = { ...supervision, used_claims: [] };
    const { result } = await debateWithSeat("sup", [empty, empty], servers);
    expect(result).toMatchObject({ outcome: "undecided", decision: { decided_by: "provisional" } });
  });
});
