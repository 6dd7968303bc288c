import { describe, expect, test } from "vitest";
import {
  adatItem,
  claim,
  critique,
  item,
  material,
  message,
  output,
  round,
} from "../../../../test/support/law-fixture.ts";
import type { Round } from "../schemas/decision.ts";
import type { MaterialItem } from "../schemas/material.ts";
import type { Claim, Critique, CritiqueVerdict, Response } from "../schemas/messages.ts";
import { answerChange, converged } from "./converged.ts";
import { critiqueStatus } from "./critique-status.ts";
import { escalationReasons } from "./debate-summary.ts";
import { findForeign, findInvented, groundOf, listMarks } from "./figures.ts";
import { concludeDebate } from "./position.ts";
import { applyChecks } from "./checks.ts";
import { deniesSource } from "./evidence.ts";
import { agentChecks, critiqueChecks } from "./role-checks.ts";

const changed = claim({ statement: "Anak mewaris sepanjang tunduk pada KUHPerdata." });
const say = (response: Response["response"], evidence: string[] = []): Response => ({
  critique_id: "K1",
  response,
  reason: "Sebab demikian.",
  evidence,
});

/** A critique of NLA:C1 in round 1, and what NLA and the critic make of it in round 2. */
function debate(
  raised: Partial<Critique>,
  answer: Response | null,
  after: Claim | null,
  verdict?: CritiqueVerdict["verdict"],
): Round[] {
  const nla = output("NLA", { round: 2, claims: after ? [after] : [], responses: answer ? [answer] : [] });
  const verdicts = verdict ? [{ critique_id: "K1", verdict, reason: "Begitu." }] : [];
  const cleared = after ? [after.id] : [];
  return [
    round(1, {
      ala_on_nla: message("ALA", [critique(raised)]),
      nla_on_ala: message("NLA", [critique({ severity: "MINOR" })]),
    }),
    round(2, { nla, ala_on_nla: message("ALA", [], { round: 2, verdicts, cleared }) }),
  ];
}

describe("what a claim makes of its source", () => {
  const sources = [
    item({
      statement: "Hibah harus dengan akta notaris, kecuali hibah tangan barang bergerak.",
      statement_en: "A gift requires a notarial deed, except the hand-to-hand gift of movables.",
    }),
    item({
      id: "N2",
      statement:
        "Perkawinan yang tidak dicatat tidak mempunyai kekuatan hukum. Tanah desa tidak dapat dijual siapa pun.",
      statement_en: "A marriage that is not registered has no legal force. Village land cannot be sold by anybody.",
    }),
    item({
      id: "N4",
      statement: "Anak laki-laki mewaris tanah keluarga, anak perempuan tidak mewaris tanah keluarga.",
      statement_en: "Sons inherit the family land; daughters do not.",
    }),
    item({
      id: "N3",
      statement: "Pusaka tinggi hanya boleh digadaikan untuk empat hal.",
      statement_en: "High ancestral property may be pledged only for four needs.",
    }),
  ];
  const given = material({ evidence: sources });
  test.each<[string, string, boolean]>([
    ["NAT-KUHPER-852", "Hibah harus dengan akta notaris.", false],
    ["NAT-KUHPER-852", "Hibah tidak harus dengan akta notaris.", true],
    ["NAT-KUHPER-852", "A gift does not require a notarial deed.", true],
    ["NAT-KUHPER-852", "A gift doesn't require any notarial deed, except for movables.", true],
    ["NAT-KUHPER-852", "Hibah tangan barang bergerak tidak harus dengan akta notaris.", false],
    ["NAT-KUHPER-852", "A hand-to-hand gift of movables does not require a notarial deed.", false],
    ["NAT-KUHPER-852", "Hibah tanpa akta notaris tidak sah.", false],
    ["N2", "Tanah desa dapat dijual siapa pun.", true],
    ["N2", "Village land can be sold by anybody.", true],
    ["N2", "Tanah desa tidak dapat dijual siapa pun.", false],
    ["N2", "Perkawinan harus dicatat agar mempunyai kekuatan hukum.", false],
    ["N2", "Perkawinan yang tidak dicatat mempunyai kekuatan hukum.", true],
    ["N4", "Sons inherit the family land and daughters do not inherit it.", false],
    ["N4", "Sons do not inherit the family land.", true],
    ["N3", "Pusaka tinggi tidak boleh digadaikan untuk hal lain.", false],
    ["N3", "High ancestral property may not be pledged for other needs.", false],
  ])("%s: “%s” denies it: %s", (id, statement, isDenied) => {
    const one = claim({ statement, evidence: [id] });
    expect(deniesSource(one, given)).toBe(isDenied);
    const codes = applyChecks(agentChecks)
      .check(output("NLA", { claims: [one] }), {
        query: "?",
        material: given,
        agent: "NLA",
        round: 1,
        previous: null,
        critiques: [],
        said: [],
      })
      .map(({ code }) => code);
    expect(codes.includes("denies_source")).toBe(isDenied);
  });
});

test.each<[string, Partial<Claim>, Partial<MaterialItem>, boolean]>([
  ["rests on what answers", {}, {}, false],
  ["rests on an item that does not answer", {}, { answers: false }, true],
  ["says what its source does not", { statement: "Cuaca di pantai sering cerah." }, {}, true],
  ["says next to nothing", { statement: "Ya." }, {}, true],
])("a claim that %s, found sound: beside the question %s", (_, over, given, isBeside) => {
  const said = output("NLA", { claims: [claim(over)] });
  const rounds = [round(1, { nla: said, ala_on_nla: message("ALA", [], { cleared: ["C1"] }) })];
  const found = escalationReasons(rounds, {}, material({ evidence: [item(given), adatItem] }));
  expect(found.find(({ code }) => code === "beside_question")?.refs.includes("NLA:C1") ?? false).toBe(isBeside);
});

describe("what became of a critique (law spec §4.1)", () => {
  test.each<[string, Round[], string]>([
    ["nobody answers it", debate({}, null, claim()), "open"],
    ["accepted and changed", debate({}, say("accepted"), changed), "accepted"],
    ["accepted and dropped", debate({}, say("accepted"), null), "accepted"],
    ["accepted, but nothing changed", debate({}, say("accepted"), claim()), "open"],
    ["accepted, but only turned round", debate({}, say("accepted"), claim({ statement: "Mewaris, anak." })), "open"],
    [
      "accepted, but only said twice",
      debate({}, say("accepted"), claim({ statement: "Anak mewaris. Anak mewaris." })),
      "open",
    ],
    ["accepted by a hair less of certainty", debate({}, say("accepted"), claim({ confidence: 0.69 })), "open"],
    [
      "accepted, nothing changed, and withdrawn",
      debate({}, say("accepted"), claim({ statement: "Mewaris, anak." }), "withdrawn"),
      "unanswered",
    ],
    [
      "accepted by being less sure of an overclaim",
      debate({}, say("accepted"), claim({ confidence: 0.3 })),
      "accepted",
    ],
    [
      "less sure does not answer a conflict",
      debate({ issue_type: "conflict" }, say("accepted"), claim({ confidence: 0.3 })),
      "open",
    ],
    ["rejected on evidence", debate({}, say("rejected", ["NAT-KUHPER-852"]), claim()), "contested"],
    ["rejected on nothing", debate({}, say("rejected"), claim()), "open"],
    ["withdrawn", debate({}, say("rejected", ["NAT-KUHPER-852"]), claim(), "withdrawn"), "withdrawn"],
    ["upheld", debate({}, say("rejected", ["NAT-KUHPER-852"]), claim(), "upheld"), "contested"],
    [
      "a clash upheld with evidence on both sides",
      debate(
        { issue_type: "conflict", evidence: ["ADT-MIN-02"] },
        say("rejected", ["NAT-KUHPER-852"]),
        claim(),
        "upheld",
      ),
      "finding",
    ],
    [
      "a CRITICAL clash is no finding",
      debate(
        { issue_type: "conflict", severity: "CRITICAL", evidence: ["ADT-MIN-02"] },
        say("rejected", ["NAT-KUHPER-852"]),
        claim(),
        "upheld",
      ),
      "open",
    ],
    ["raised when nobody speaks any more", debate({}, null, claim()).slice(0, 1), "unanswered"],
    ["without ground", debate({ ungrounded: true }, null, claim()), "ungrounded"],
  ])("%s", (_, rounds, status) =>
    expect(critiqueStatus(rounds).find(({ critique: { agent } }) => agent === "ALA")?.status).toBe(status),
  );
});

describe("when a debate ends and when a person looks (law spec §4.2 and §4.4)", () => {
  const open = (severity: Critique["severity"], over: Partial<Critique> = {}) =>
    debate({ severity, ...over }, null, claim());
  test.each<[string, Round[], number | null]>([
    ["one open MAJOR may stay", open("MAJOR"), 1],
    ["an open CRITICAL blocks all", open("CRITICAL"), null],
    ["never before round 2", open("MINOR").slice(0, 1), null],
  ])("%s", (_, rounds, condition) => expect(converged(rounds).condition).toBe(condition));

  test.each<[string, Round[], string]>([
    ["a CRITICAL about evidence", open("CRITICAL"), "critical_evidence"],
    ["a CRITICAL about norms", open("CRITICAL", { issue_type: "conflict" }), "critical_norm_conflict"],
    ["an open clash", open("MAJOR", { issue_type: "domain_mismatch" }), "open_domain_conflict"],
    [
      "claims without evidence",
      [
        round(1),
        round(2, { nla: output("NLA", { round: 2, claims: [claim({ evidence: [], risk: "no_evidence" })] }) }),
      ],
      "evidence_missing_over_30_percent",
    ],
    ["a silent critic", [round(1, { silent: ["ALA"], nla_on_ala: message("NLA", [critique()]) })], "unchecked_claims"],
    [
      "a position that hinges on an open critique",
      open("MAJOR", {
        evidence: ["NAT-KUHPER-852"],
        issue_type: "evidence_gap",
        description: "Sumber itu tidak berkata bahwa anak mewaris.",
      }),
      "hinges_on_open_critique",
    ],
    [
      "a clash that its critic upholds and nobody answers",
      debate({ issue_type: "conflict", evidence: ["ADT-MIN-02"] }, null, claim(), "upheld"),
      "hard_contradiction",
    ],
  ])("%s calls a person", (_, rounds, code) =>
    expect(escalationReasons(rounds, {}, material()).map((one) => one.code)).toContain(code),
  );
});

test("no condition met when the rounds are over calls a person", () => {
  const rounds = debate({ severity: "CRITICAL" }, null, claim());
  const code = "not_converged_after_max_rounds";
  const codes = (max_rounds: number) => escalationReasons(rounds, { max_rounds }, material()).map((one) => one.code);
  expect([codes(2).includes(code), codes(3).includes(code)]).toEqual([true, false]);
});

describe("an open CRITICAL that names words of a claim", () => {
  const [denied, shown] = [
    "Sumber itu tidak berkata bahwa anak mewaris.",
    "Anak mewaris menurut sumbernya dengan bagian sama besar tanpa membedakan jenis kelamin.",
  ];
  const bare = { statement: "Anak mewaris." };
  const strange = { statement: "Anak selalu memelihara kucing tetangganya." };
  test.each([
    ["without evidence costs nothing", denied, [], bare, true],
    ["only contradicts what the claim's source says: it costs nothing", denied, ["NAT-KUHPER-852"], bare, true],
    ["says what the source says and the claim does not: it falls", shown, ["NAT-KUHPER-852"], bare, false],
    ["brings another source: it falls", denied, ["ADT-MIN-02"], bare, false],
    ["no source bears the claim out: it falls", strange.statement, ["NAT-KUHPER-852"], strange, false],
  ])("%s", (_, description, evidence, over, stands) => {
    const critique = { severity: "CRITICAL", issue_type: "evidence_gap", description, evidence } as const;
    const rounds = debate(critique, null, claim(over));
    expect(concludeDebate(material(), rounds, critiqueStatus(rounds)).standing.includes("NLA:C1")).toBe(stands);
  });
});

describe("the position follows the claims that stand (law spec §5.2)", () => {
  const adat = output("ALA", {
    claims: [claim({ statement: "Kemenakan mewarisi pusaka.", evidence: ["ADT-MIN-02"] })],
  });
  const none = (agent: "NLA" | "ALA") => output(agent, { claims: [] });
  test.each([
    ["only national claims", material(), round(1, { ala: none("ALA") }), "A"],
    ["only adat claims", material(), round(1, { nla: none("NLA"), ala: adat }), "B"],
    [
      "both, and nobody showed a clash",
      material({ route: { ...material().route, scores: { national: 1, adat: 1, conflict: 0 } } }),
      round(1, { ala: adat }),
      "E",
    ],
    ["both, set against each other by the question", material(), round(1, { ala: adat }), "C"],
    [
      "mandatory national law, whatever adat says",
      material({ evidence: [item({ mandatory: true }), adatItem] }),
      round(1, { ala: adat }),
      "A",
    ],
    ["nothing", material(), round(1, { nla: none("NLA"), ala: none("ALA") }), "D"],
    ["out of scope", material({ route: { ...material().route, out_of_scope: true } }), round(1, { ala: adat }), "D"],
    [
      "adat's agent citing national law alone",
      material(),
      round(1, { ala: output("ALA", { claims: [claim({ statement: "Anak perempuan juga ahli waris." })] }) }),
      "A",
    ],
  ] as const)("%s", (_, given, one, position) =>
    expect(concludeDebate(given, [one], critiqueStatus([one])).position).toBe(position),
  );

  const quiet = material({ route: { ...material().route, scores: { national: 1, adat: 1, conflict: 0 } } });
  test.each([
    ["upheld", quiet, say("rejected", ["NAT-KUHPER-852"]), claim(), "C"],
    ["withdrawn", quiet, say("rejected", ["NAT-KUHPER-852"]), claim(), "E"],
    ["withdrawn, where the question sets them apart", material(), say("rejected", ["NAT-KUHPER-852"]), claim(), "C"],
    ["mended, where the question sets them apart", material(), say("accepted"), changed, "E"],
  ] as const)("a clash of both that is %s", (how, given, answer, after, position) => {
    const verdict = how === "upheld" ? "upheld" : "withdrawn";
    const rounds = debate({ issue_type: "conflict", evidence: ["ADT-MIN-02"] }, answer, after, verdict);
    expect(concludeDebate(given, rounds, critiqueStatus(rounds)).position).toBe(position);
  });
});

describe("checks on replies (law spec §3.1)", () => {
  const given = {
    query: "Bagaimana warisan dibagi?",
    material: material(),
    agent: "NLA" as const,
    round: 1,
    previous: null,
    critiques: [],
    said: [],
  };
  const codes = (claims: Claim[]) =>
    applyChecks(agentChecks)
      .check(output("NLA", { claims }), given)
      .map(({ code }) => code);
  test.each<[string, Claim[], string[]]>([
    ["an id that was not retrieved", [claim({ evidence: ["NAT-KUHPER-1"] })], ["unknown_evidence"]],
    ["a placeholder", [claim({ evidence: ["source_id_1"] })], ["unknown_evidence"]],
    ["no evidence", [claim({ evidence: [] })], ["no_evidence"]],
    ["an alias and a title are understood", [claim({ evidence: ["KUHPerdata:852", "Pasal 852 KUHPerdata"] })], []],
    [
      "a provision that was not retrieved",
      [claim({ statement: "Menurut Pasal 999 KUHPerdata anak mewaris." })],
      ["foreign_figure"],
    ],
    ["figures of its own", [claim({ statement: "Anak mewaris 40 persen." })], ["foreign_figure"]],
    ["figures in words", [claim({ statement: "Gugatan gugur setelah tujuh tahun." })], ["foreign_figure"]],
    ["a year of its own", [claim({ statement: "Berlaku sejak tahun 2031." })], ["foreign_figure"]],
    [
      "an article that was retrieved, but is not what it cites",
      [claim({ statement: "Menurut Pasal 852 KUHPerdata kemenakan mewaris.", evidence: ["ADT-MIN-02"] })],
      ["foreign_figure"],
    ],
    [
      "an invented article beside a real one",
      [claim({ statement: "Menurut Pasal 852 dan 99999 KUHPerdata anak mewaris." })],
      ["foreign_figure"],
    ],
    [
      "a law by its long name",
      [claim({ statement: "Undang-Undang Republik Indonesia Nomor 99 Tahun 2031 mengaturnya." })],
      ["foreign_figure"],
    ],
    ["an id used twice", [claim(), claim({ statement: "Lain." })], ["duplicate_claim_id"]],
  ])("%s", (_, claims, found) => expect(codes(claims)).toEqual(found));

  test("what stays wrong is mended and recorded, never dropped silently", () => {
    const reply = output("NLA", { claims: [claim({ evidence: ["x", "NAT-KUHPER-852"] })] });
    const mended = applyChecks(agentChecks).salvage(reply, applyChecks(agentChecks).check(reply, given), given);
    expect(mended.claims[0]).toMatchObject({ evidence: ["NAT-KUHPER-852"], risk: "no_evidence" });
    expect(mended.faults?.map(({ code }) => code)).toEqual(["unknown_evidence"]);
  });

  const brief = {
    ...given,
    material: material({
      evidence: [item(), adatItem, { ...adatItem, id: "ADT-MIN-03", title: "Pusaka", title_en: "Heirloom" }],
    }),
    own: output("NLA"),
    target: output("ALA", {
      claims: [claim({ statement: "Kemenakan mewarisi pusaka tinggi lewat garis ibu.", evidence: ["ADT-MIN-02"] })],
    }),
    earlier: [],
    changed: [],
  };
  test.each<[string, Partial<Critique>, boolean]>([
    [
      "names the claim's words",
      { description: "Bahwa kemenakan mewarisi pusaka tinggi tidak dikatakan sumbernya." },
      true,
    ],
    ["names its source", { description: "ADT-MIN-02 tidak berkata begitu." }, true],
    ["brings evidence that the claim does not cite", { description: "Lihat ini.", evidence: ["ADT-MIN-03"] }, true],
    ["brings only what the claim cites", { description: "Ini salah sekali.", evidence: ["ADT-MIN-02"] }, false],
    ["says nothing", { description: "Ini salah sekali." }, false],
    ["brings what does not bear", { description: "Ini salah sekali.", evidence: ["NAT-KUHPER-852"] }, false],
  ])("a critique that %s", (_, over, isGrounded) => {
    const found = applyChecks(critiqueChecks)
      .check(message("NLA", [critique(over)], { fewer_reason: "Hanya satu." }), brief)
      .map(({ code }) => code);
    expect(found.includes("ungrounded_critique")).toBe(!isGrounded);
  });
});

test("a claim is cleared by what its own source says, not by the source of another", () => {
  const other = item({ id: "NAT-KUHPER-875", aliases: [], title: "KUHPerdata Pasal 875", title_en: "art. 875" });
  const sources = [item(), { ...other, statement: "Wasiat ialah akta tentang kehendak anak sesudah meninggal." }];
  const claims = sources.map(({ id, statement }, at) => claim({ id: `C${at + 1}`, evidence: [id], statement }));
  const brief = { query: "?", material: material({ evidence: sources }), agent: "ALA" as const, round: 1, said: [] };
  const clear = (fewer_reason: string): string[] => {
    const reply = message("ALA", [], { cleared: ["C1", "C2"], fewer_reason });
    const input = { ...brief, own: output("ALA"), target: output("NLA", { claims }), earlier: [], changed: [] };
    const { check, salvage } = applyChecks(critiqueChecks);
    return salvage(reply, check(reply, input), input).cleared;
  };
  expect(clear(sources[0]?.statement ?? "")).toEqual(["C1"]);
  expect(clear(sources.map(({ statement }) => statement).join(" "))).toEqual(["C1", "C2"]);
});

test("figures and provisions have one form, in digits and in words", () => {
  const keys = (text: string, isProvision: boolean) =>
    listMarks(text).flatMap((mark) =>
      mark.keys.slice(0, 1).filter((key) => /^art |^\d+\/\d{4}$/.test(key) === isProvision),
    );
  const text = "Setengah, 50 % dan 1/2 menurut Pasal 852 UU 1/1974, MA 179 K/Sip/1961";
  expect(keys(text, false)).toEqual(["0.5 share", "0.5 share", "0.5 share"]);
  expect(keys(text, true)).toEqual(["art 852", "179/1961", "1/1974"]);
  expect(keys("Tiga perlima, two thirds, tiga puluh tujuh persen, twenty-five years", false)).toEqual([
    "0.6 share",
    "0.666667 share",
    "0.37 share",
    "300 months",
  ]);
  expect(keys("before seven witnesses, within a dozen years, selusin, ٣٧ persen, the one law of two", false)).toEqual([
    "٣٧ unread",
    "7 ",
    "12 ",
    "12 ",
    "2 ",
  ]);
  expect(keys("Pasal 35 ayat (2), 36 dan 37; Undang-Undang RI Nomor 16 Tahun 2019", true)).toEqual([
    "art 35",
    "art 36",
    "art 37",
    "16/2019",
  ]);
  expect(
    findForeign(
      claim({ statement: "Masing-masing 1/3." }),
      material({ evidence: [item(), { ...adatItem, kind: "rule", statement: "Bagiannya 1/3." }] }),
      "",
    ),
  ).toEqual([]);
});

test("a provision that neither the material nor the question names is invented", () => {
  const ground = groundOf(material(), "Apa isi Pasal 7 UU 1/1974?");
  expect(findInvented("Pasal 852 KUHPerdata dan Pasal 7 UU 1/1974; lihat Pasal 12 UU 99/2031.", ground)).toEqual([
    "Pasal 12",
    "UU 99/2031",
  ]);
});

test("answers change by their words", () => {
  const said = (answer: string) => ({ answer, claims: [] });
  expect(answerChange(said("anak mewaris"), said("anak mewaris"))).toBe(0);
  expect(answerChange(said("anak mewaris"), said("janda menikmati"))).toBe(1);
});
