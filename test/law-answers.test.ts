import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { renderTerminal } from "../src/print/terminal/render-terminal.ts";
import { law } from "../src/packs/law/pack.ts";
import { debateOfExperts } from "./support/law-seat.ts";

const answerTo = async (query: string) => {
  const finished = await debateOfExperts(query);
  const { decision } = finished.result;
  if (!decision) throw new Error("no decision");
  return { ...finished, decision };
};

describe("answers of the experts", () => {
  test.each([
    ["tax", "Berapa tarif pajak penghasilan badan usaha?"],
    ["traffic", "Apa sanksi parkir di trotoar?"],
    ["nonsense", "blorp zibble frum"],
  ])("a question outside the knowledge (%s) is D, cites nothing, and says what is missing", async (_, query) => {
    const { decision } = await answerTo(query);
    expect(decision).toMatchObject({ position: "D", used_claims: [], route: { out_of_scope: true } });
    expect(decision.answer).toContain("tidak ada dalam basis pengetahuan ini");
    expect(decision.answer).toContain("Yang kurang");
  });

  test("an English question outside the knowledge is answered in English", async () => {
    const { decision } = await answerTo("What is the speed limit on Indonesian toll roads?");
    expect(decision).toMatchObject({ position: "D", language: "en" });
    expect(decision.answer).toContain("not in this knowledge base");
  });

  test("a forged article is named as not in this knowledge base, and nothing is cited for it", async () => {
    const { decision } = await answerTo("Bagaimana hak waris menantu diatur dalam Pasal 914Z KUHPerdata?");
    expect(decision.answer).toContain("tidak ada dalam basis pengetahuan ini");
    expect(decision.answer).toContain("tidak berarti");
    expect(decision).toMatchObject({ position: "D", used_claims: [] });
  });

  test("a real article is answered from it", async () => {
    const { decision } = await answerTo("Apa isi Pasal 913 KUHPerdata?");
    expect(decision.position).toBe("A");
    expect(decision.claims.find(({ claim }) => decision.used_claims.includes(claim))?.evidence).toContain(
      "NAT-KUHPER-913",
    );
  });

  test("every answer says that it is not legal advice, and every claim used has sources that are shown", async () => {
    for (const query of [
      "Bolehkah pusako tinggi digadaikan?",
      "How is joint property divided after divorce in Java?",
      "Apa itu legitieme portie?",
    ]) {
      const { decision, ...finished } = await answerTo(query);
      expect(`${decision.answer}\n${decision.disclaimer}`).toMatch(
        /bukan nasihat hukum.*bukan nasihat hukum|not legal advice[\s\S]*not legal advice/is,
      );
      expect(law.verify?.(finished).filter(({ ok }) => !ok)).toEqual([]);
      const report = renderTerminal(law.report(finished), { width: 90, color: false });
      for (const { title } of decision.sources.filter(({ kind }) => kind !== "rule" && kind !== "kg"))
        expect(report.replaceAll(/\s+/g, " ")).toContain(title);
    }
  });

  test("the artifacts have exactly the seed's names", async () => {
    const finished = await debateOfExperts(
      "Anak perempuan Bali menuntut bagian waris yang sama menurut KUHPerdata, keluarganya menolak menurut adat.",
    );
    const names = law.artifacts?.(finished).map(({ name }) => name);
    expect(names).toEqual([
      "debate_round1_nla.json",
      "debate_round1_ala.json",
      "critique_round1_nla_on_ala.json",
      "critique_round1_ala_on_nla.json",
      "debate_round2_nla.json",
      "debate_round2_ala.json",
      "critique_round2_nla_on_ala.json",
      "critique_round2_ala_on_nla.json",
      "debate_summary.json",
      "supervisor.json",
      "answer.md",
    ]);
    const file = law.artifacts?.(finished).find(({ name }) => name === "debate_summary.json");
    const summary = JSON.parse(typeof file?.content === "string" ? file.content : "{}") as object;
    expect(Object.keys(summary)).toEqual(
      expect.arrayContaining(
        "query route rounds convergence conflicts agreed_claims disputed_claims critique_counts evidence_coverage faults needs_human_review reasons usage".split(
          " ",
        ),
      ),
    );
  });

  test("the experts' own replies pass every check: nothing of theirs is ever struck", async () => {
    const lines = readFileSync(new URL("../examples/law/questions.jsonl", import.meta.url), "utf8")
      .trim()
      .split("\n");
    for (const { input } of lines.map((line) => JSON.parse(line) as { input: { query: string } })) {
      const { turns } = await debateOfExperts(input.query);
      const problems = turns.flatMap((turn) =>
        turn.problems.map(({ code, message }) => `${turn.key.role} ${code}: ${message}`),
      );
      expect(
        problems.filter((one) => !one.includes("echo_chamber")),
        input.query,
      ).toEqual([]);
    }
  });

  test("tampering with a recorded decision is found", async () => {
    const finished = await debateOfExperts("Apa itu legitieme portie?");
    const forged = structuredClone(finished);
    if (forged.result.decision) forged.result.decision.used_claims.push("NLA:C42");
    expect(
      law
        .verify?.(forged)
        .filter(({ ok }) => !ok)
        .map(({ check }) => check),
    ).toEqual(["only_agents_claims"]);
  });

  test("contradictions never empty the rules: mamak and kemenakan in one question still conclude", async () => {
    const { decision } = await answerTo(
      "Mamak menggadaikan pusako tinggi tanpa mufakat, lalu kemenakan menggugat. Bagaimana menurut adat Minangkabau?",
    );
    expect(decision.position).toBe("B");
    expect(decision.sources.some(({ kind }) => kind === "rule")).toBe(true);
  });
});
