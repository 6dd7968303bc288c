import { describe, expect, test } from "vitest";
import { noUsage } from "../src/contract/budget.ts";
import type { Player } from "../src/engine/player.ts";
import type {
  AgentOutput,
  Critique,
  CritiqueMessage,
  LawDecision,
  Material,
  Supervision,
} from "../src/packs/law/index.ts";
import { law } from "../src/packs/law/pack.ts";
import { holdDebate, type Staging } from "./support/influence.ts";

/**
 * Debates that somebody spoils: each test holds a whole debate of programs, changes what some say, and lets everybody else answer
 * what they now hear. What is said reaches what is decided only through the rules.
 */
const query =
  "Menurut adat Minangkabau harta pusako tinggi menjadi milik kaum, tetapi anaknya berkata menurut KUHPerdata anak mewaris sama besar. Hukum mana yang berlaku untuk warisannya?";

type Rewrite = (said: never, input: never) => unknown;

/** What is decided when these speakers (`role/round`, or `role` in every round) say something else; null is silence. */
async function decide(script: Record<string, Rewrite>, over: Partial<Staging> = {}) {
  const player: Player = {
    id: "experts, rewritten",
    async play(role, input, { key }) {
      const said: unknown = await role.expert?.(input);
      const rewrite = script[`${key.role}/${key.round}`] ?? script[key.role];
      const value = rewrite ? rewrite(structuredClone(said) as never, input as never) : said;
      return { reply: { value }, usage: noUsage, finish: null, final: true };
    },
  };
  const finished = await holdDebate({ pack: law, input: { query }, ...over, cast: () => () => player });
  const { result } = finished;
  const decision = result.decision as LawDecision;
  return { ...finished, outcome: result.outcome, reasons: decision.review_reasons.map(({ code }) => code), decision };
}

const critics = (rewrite: Rewrite, round = ""): Record<string, Rewrite> => ({
  [`nla_critic${round}`]: rewrite,
  [`ala_critic${round}`]: rewrite,
});
const empty = (said: CritiqueMessage) => ({
  ...said,
  critiques: [],
  verdicts: [],
  cleared: [],
  fewer_reason: "Tidak ada keberatan.",
});
const of = (count: number, over: Partial<Critique>) => (said: CritiqueMessage, input: { target: AgentOutput }) => ({
  ...said,
  verdicts: [],
  critiques: Array.from({ length: count }, (_, index) => ({
    id: `K${index + 1}`,
    target_claim_id: input.target.claims[index % Math.max(1, input.target.claims.length)]?.id ?? "C1",
    description: "Ini salah sekali.",
    evidence: [],
    issue_type: "evidence_gap",
    severity: "CRITICAL",
    suggested_fix: "Perbaiki.",
    ...over,
  })),
});

test("undisturbed, both readings stand and differ: C, and nobody is called", async () => {
  const { outcome, decision } = await decide({});
  expect([outcome, decision.position]).toEqual(["decided", "C"]);
  expect(decision.claims.map(({ claim }) => claim.slice(0, 3))).toEqual(expect.arrayContaining(["NLA", "ALA"]));
});

test("a report begins with the answer, then the position as a label, and says the answer once", async () => {
  const finished = await decide({});
  const [verdict, text] = law.sections(finished);
  const [lead = "", ...rest] = finished.decision.answer.split("\n\n");
  expect(verdict).toMatchObject({ kind: "verdict", answer: lead });
  expect(verdict?.kind === "verdict" && verdict.points[0]).toBe("Posisi C: keduanya berlaku dan bertentangan");
  expect(rest.slice(-2)).toEqual(["Posisi C: keduanya berlaku dan bertentangan.", finished.decision.disclaimer]);
  expect(text).toMatchObject({ kind: "text", text: rest.toSpliced(-2, 1).join("\n\n") });
});

test("where the question hardly says which law it asks for, the programs ask for a person", async () => {
  const unclear = "Bolehkah seorang anak menjual rumah?";
  const { reasons, decision } = await decide({}, { input: { query: unclear } });
  expect(reasons).toEqual(["requested_by_supervisor"]);
  expect(decision.reasons.join(" ")).toMatch(/Belum pasti apakah pertanyaan dibaca dengan benar/);
});

test("where the source found is hardly about what was asked, the programs ask for a person", async () => {
  const weak = "Tanah wakaf masjid mau ditukar dengan tanah lain yang lebih luas. Siapa yang memberi izin?";
  const { reasons, decision } = await decide({}, { input: { query: weak } });
  expect(reasons).toEqual(["requested_by_supervisor"]);
  expect(decision.reasons.join(" ")).toMatch(/Belum tentu sumber yang ditemukan ini menjawab/);
  const sure = await decide({}, { input: { query: "Bolehkah pusako tinggi digadaikan menurut adat Minangkabau?" } });
  expect(sure.reasons).toEqual([]);
});

test("where it is not sure that nothing answers, the question is refused and a person asked", async () => {
  const unsure = "Apakah anak tiri boleh dicoret dari kartu keluarga setelah ayahnya menikah lagi?";
  const { outcome, decision } = await decide({}, { input: { query: unsure } });
  expect([outcome, decision.position]).toEqual(["escalated", "D"]);
  const clear = await decide({}, { input: { query: "Berapa tarif pajak kendaraan bermotor listrik?" } });
  expect([clear.outcome, clear.decision.position]).toEqual(["decided", "D"]);
});

test("the answer names items that have no citable source", async () => {
  const { decision } = await decide({}, { input: { query: "Menurut adat Bali, sahkah hibah tanah secara lisan?" } });
  expect(decision.answer).toContain("(Adat Bali: tanpa sumber yang dapat dirujuk)");
});

/** A message with no more than the law document's own keys (law spec §3). */
const onlyDocumented = {
  agent: ({ agent, round, answer, claims, uncertainties, open_questions }: AgentOutput) => ({
    agent,
    round,
    answer,
    claims,
    uncertainties,
    open_questions,
  }),
  critic: ({ agent, round, target, critiques }: CritiqueMessage) => ({
    agent,
    round,
    target,
    critiques: critiques.map(({ evidence: _evidence, ...critique }) => critique),
  }),
};

test("messages in the document's own form are taken: no responses, no verdicts, critiques without evidence", async () => {
  const { agent, critic } = onlyDocumented;
  const { turns, decision } = await decide({ nla: agent, ala: agent, ...critics(critic) });
  expect(turns.filter(({ status }) => status === "abstained")).toEqual([]);
  expect(decision.claims.length).toBeGreaterThan(0);
  expect(decision.rounds[0]?.nla_on_ala?.critiques.every(({ evidence }) => evidence.length === 0)).toBe(true);
  expect(decision.rounds.every(({ nla, ala }) => nla.responses.length + ala.responses.length === 0)).toBe(true);
});

describe("a debate that is spoilt", () => {
  test("silent critics: the claims are unchecked, and a person looks", async () => {
    const { outcome, reasons, decision, turns } = await decide(critics(empty));
    expect(outcome).toBe("escalated");
    expect(turns.filter(({ key }) => key.step === "critique-again").map(({ key }) => key.role)).toEqual(
      expect.arrayContaining(["nla_critic", "ala_critic"]),
    );
    expect(reasons).toContain("unchecked_claims");
    expect(decision.summary?.agreed_claims).toEqual([]);
    expect(decision.summary?.faults.map(({ code }) => code)).toContain("no_critique");
  });

  test("critics who clear every claim without saying what they read: unchecked, a person", async () => {
    const clear = (said: CritiqueMessage, { target }: { target: AgentOutput }) => ({
      ...empty(said),
      cleared: target.claims.map(({ id }) => id),
      fewer_reason: "Semua klaim sudah diperiksa dan benar.",
    });
    const { outcome, reasons } = await decide(critics(clear));
    expect([outcome, reasons.includes("unchecked_claims")]).toEqual(["escalated", true]);
  });

  test("a critic who finds nothing and says what the sources say has checked", async () => {
    const { outcome, decision } = await decide(
      critics((said: CritiqueMessage, { target, material }: { target: AgentOutput; material: Material }) => ({
        ...empty(said),
        cleared: target.claims.map(({ id }) => id),
        fewer_reason: target.claims
          .flatMap(({ evidence }) => evidence.map((id) => material.evidence.find((one) => one.id === id)?.statement))
          .join(" "),
      })),
    );
    expect(outcome).toBe("decided");
    expect(decision.summary?.agreed_claims.length).toBeGreaterThan(0);
  });

  test("critiques without a fix are struck: whoever makes only such has not checked", async () => {
    const { outcome, reasons } = await decide(critics(of(10, { suggested_fix: "" })));
    expect([outcome, reasons.includes("unchecked_claims")]).toEqual(["escalated", true]);
  });

  test("content-free CRITICALs cost no claim and are no check", async () => {
    const { outcome, reasons, decision } = await decide(critics(of(5, {})));
    expect(decision.position).toBe((await decide({})).decision.position);
    expect(decision.summary?.critiques.every(({ status }) => status === "ungrounded")).toBe(true);
    expect([outcome, reasons.includes("unchecked_claims")]).toEqual(["escalated", true]);
  });

  test("an echo chamber: equal claims are one reading, which is said, and a person looks", async () => {
    const copy = { current: [] as AgentOutput["claims"] };
    const { outcome, reasons, decision } = await decide({
      nla: (said: AgentOutput) => ((copy.current = said.claims), said),
      ala: (said: AgentOutput) => ({ ...said, claims: copy.current }),
      ...critics(empty),
    });
    expect(decision.position).not.toBe("C");
    expect([outcome, reasons.includes("one_reading")]).toEqual(["escalated", true]);
    expect(decision.reasons.join(" ")).toMatch(/satu penafsiran/);
  });

  test("figures that the source does not have count against coverage, also after “accepted”", async () => {
    const invent = (said: AgentOutput) => ({
      ...said,
      claims: said.claims.map((one) => ({ ...one, statement: `${one.statement} Bagiannya 37 persen.` })),
    });
    const { reasons, decision } = await decide({ nla: invent });
    expect(decision.summary?.evidence_coverage.nla).toBe(0);
    expect(reasons).toContain("evidence_missing_over_30_percent");
    expect(
      decision.claims.filter(({ claim }) => claim.startsWith("NLA")).every(({ risk }) => risk === "foreign_figure"),
    ).toBe(true);
    expect(decision.used_claims.some((name) => name.startsWith("NLA"))).toBe(false);
  });

  test("a claim dropped without a challenge is a fault, and the old claim is shown", async () => {
    const dropped = { id: "" };
    const finished = await decide({
      "nla/1": (said: AgentOutput) => ({
        ...said,
        claims: [
          ...said.claims,
          {
            ...(said.claims[0] as AgentOutput["claims"][number]),
            id: "C9",
            statement: "Anak mewaris sama besar menurut KUHPerdata, lain dari itu tidak berlaku.",
          },
        ],
      }),
      "nla/2": (said: AgentOutput) => (
        (dropped.id = "C9"), { ...said, claims: said.claims.filter(({ id }) => id !== "C9") }
      ),
      "ala_critic/1": (said: CritiqueMessage) => ({
        ...said,
        critiques: said.critiques.filter(({ target_claim_id }) => target_claim_id !== "C9"),
      }),
    });
    const { decision, turns } = finished;
    expect(decision.summary?.faults.map(({ code }) => code)).toContain("dropped_unconceded");
    expect(decision.summary?.dropped_claims).toMatchObject([{ claim: `NLA:${dropped.id}`, conceded: false }]);
    expect(JSON.stringify(law.sections(finished))).toContain("lain dari itu tidak berlaku");
    const story = law.story({ input: { query }, material: null, config: law.config.parse({}), turns, decision });
    expect(JSON.stringify(story)).toContain("lain dari itu tidak berlaku");
  });

  test("a side that drops all its claims: a person looks", async () => {
    const { outcome, reasons } = await decide({
      "ala/2": (said: AgentOutput) => ({ ...said, claims: [], responses: [] }),
    });
    expect([outcome, reasons.includes("claims_dropped")]).toEqual(["escalated", true]);
  });

  test("new statements under old ids are new claims: criticised or unchecked", async () => {
    const swap = (said: AgentOutput) => ({
      ...said,
      claims: said.claims.map((one) => ({
        ...one,
        statement: "Tanah pekarangan desa tidak boleh dijual oleh siapa pun juga.",
      })),
    });
    const { reasons, decision } = await decide({
      "ala/2": swap,
      "ala/3": swap,
      ...critics(empty, "/2"),
      ...critics(empty, "/3"),
    });
    expect(reasons).toContain("unchecked_claims");
    expect(decision.summary?.disputed_claims.some(({ claim }) => claim.startsWith("ALA"))).toBe(true);
  });

  test("a claim that changes under its id is criticised anew, without being asked for", async () => {
    const { decision } = await decide({
      "ala/2": (said: AgentOutput) => ({
        ...said,
        claims: said.claims.map((one) => ({ ...one, statement: "Cuaca di pantai sering cerah pada bulan Juli." })),
      }),
    });
    expect(decision.rounds[1]?.nla_on_ala?.critiques.map(({ target_claim_id }) => target_claim_id)).toContain("C1");
  });

  test("a MAJOR raised in the last critique never costs its claim, and a person looks", async () => {
    const late = (said: CritiqueMessage, input: { target: AgentOutput; round: number }) => ({
      ...said,
      critiques: input.target.claims.map((one, index) => ({
        id: `K${10 * input.round + index}`,
        target_claim_id: one.id,
        description: `Sumbernya tidak mengatakan: ${one.statement}`,
        evidence: one.evidence.slice(0, 1),
        issue_type: "evidence_gap",
        severity: "MAJOR",
        suggested_fix: "Lepas klaim itu.",
      })),
    });
    const { outcome, reasons, decision } = await decide({
      "nla_critic/3": late,
      "nla_critic/2": late,
    });
    expect(decision.position).toBe("C");
    expect([outcome, reasons.includes("unanswered_critique")]).toEqual(["escalated", true]);
  });

  test("a MAJOR raised after the first revision gets one more", async () => {
    const late = (said: CritiqueMessage, input: { target: AgentOutput }) => ({
      ...said,
      critiques: input.target.claims.slice(0, 1).map(({ id, statement, evidence }) => ({
        id: "K20",
        target_claim_id: id,
        description: `Sumbernya tidak mengatakan: ${statement}`,
        evidence: evidence.slice(0, 1),
        issue_type: "logic_gap",
        severity: "MAJOR",
        suggested_fix: "Lepas klaim itu.",
      })),
    });
    const { decision } = await decide({ "nla_critic/2": late });
    expect(decision.rounds.at(-1)).toMatchObject({ round: 3, ala: { responses: [{ critique_id: "K20" }] } });
  });

  test.each(["A", "B", "D", "E"] as const)(
    "a supervisor that says %s against the claims: they decide, it is shown, a person looks",
    async (position) => {
      const { outcome, reasons, decision } = await decide({ sup: (said: Supervision) => ({ ...said, position }) });
      expect(decision).toMatchObject({ position: "C", supervisor_position: position });
      expect([outcome, reasons.includes("supervisor_disagrees")]).toEqual(["escalated", true]);
    },
  );

  test("a supervisor that takes one side gives no reasons for the decision", async () => {
    const plain = await decide({});
    const { decision } = await decide({
      sup: (said: Supervision, { material: { evidence } }: { material: Material }) => ({
        ...said,
        position: "A",
        reasons: [evidence.find(({ id }) => id === "NAT-KUHPER-852")?.statement],
      }),
    });
    expect(decision.reasons).toEqual(plain.decision.reasons);
  });

  test("a supervisor without a valid reply: the printed answer says what the outcome says", async () => {
    const finished = await decide({ sup: () => ({ position: "C" }) });
    expect([finished.outcome, finished.reasons.includes("no_supervisor")]).toEqual(["escalated", true]);
    const [verdict] = law.sections(finished);
    expect(JSON.stringify(verdict)).toMatch(/Peninjauan oleh manusia: diperlukan/);
    expect(finished.decision.answer).not.toMatch(/tidak diperlukan/);
  });

  test("D when claims fell says so, not that the knowledge base lacks them", async () => {
    const invent = (said: AgentOutput) => ({
      ...said,
      claims: said.claims.map((one) => ({ ...one, evidence: ["source_id_1"] })),
    });
    const { decision } = await decide({ nla: invent, ala: invent });
    expect(decision.position).toBe("D");
    expect(decision.reasons.join(" ")).toMatch(/tidak bertahan/);
  });
});
