import { expect, it } from "vitest";
import { EvidenceSchema } from "./evidence.ts";
import { buildKnowledge, loadKnowledge, addItems } from "./knowledge.ts";

const knowledge = loadKnowledge();

it("every item is complete: both languages, a source, a confidence, and relations that exist", () => {
  expect(knowledge.items.length).toBeGreaterThan(350);
  for (const item of knowledge.items) {
    expect(EvidenceSchema.safeParse(item).success, item.id).toBe(true);
    expect(item.statement_en, item.id).not.toBe(item.statement);
    for (const related of item.related) expect(knowledge.find(related), `${item.id} → ${related}`).not.toBeNull();
  }
});

it.each([
  ["KUHPerdata:852", "NAT-KUHPER-852"],
  ["kuhperdata:852A", "NAT-KUHPER-852A"],
  ["UU-1-1974:35", "NAT-UUP-35"],
  ["UU-1-1974:35(2)", "NAT-UUP-35"],
  ["UUPA:5", "NAT-UUPA-5"],
  ["MK:46/PUU-VIII/2010", "NAT-MK-46-2010"],
  ["adat:bali:sentana-rajeg", "ADT-BAL-08"],
])("the alias %s names %s", (alias, id) => expect(knowledge.find(alias)?.id).toBe(id));

it("an id that nobody has is not found", () => expect(knowledge.find("KUHPerdata:9999")).toBeNull());

it("two items may not share an id or alias", () => {
  const [first] = knowledge.items;
  if (!first) throw new Error("no items");
  expect(() => addItems(knowledge, [{ ...first, title: "another" }])).toThrow(/NAT-|ADT-/);
  expect(buildKnowledge([first]).items).toHaveLength(1);
});

it("the reserved share is a half, two thirds or three quarters by number of children, and the one-third cap is Islamic law", () => {
  expect(knowledge.find("KUHPerdata:914")?.statement).toMatch(/seperdua.*dua pertiga.*tiga perempat/);
  const capped = knowledge.items.filter(
    ({ topics, statement_en: english }) => topics.includes("wills") && /one third/.test(english),
  );
  expect(capped.map(({ regime }) => regime).filter((regime) => regime === "civil_code")).toEqual([]);
  expect(knowledge.find("KHI:195")?.regime).toBe("islamic");
});

it("inheritance under the Civil Code says that it does not bind everyone", () => {
  const rules = knowledge.items.filter(
    ({ regime, topics }) => regime === "civil_code" && topics.includes("inheritance"),
  );
  const limited = rules.filter(({ scope_en: scope }) => scope?.includes("not automatically Muslims"));
  expect(limited.length).toBeGreaterThan(rules.length * 0.9);
});

it("MA 179 K/Sip/1961 is a Batak Karo case", () => {
  const decision = knowledge.find("MA:179-K/Sip/1961");
  expect(decision?.community).toBe("batak");
  expect(decision?.scope_en).toContain("Batak Karo");
});

it("UUP-7 sets the age of marriage at 19 for both, through UU 16/2019", () => {
  const { statement, statement_en } = knowledge.find("UU-1-1974:7") ?? {};
  expect(statement).toMatch(/pria dan wanita sudah berumur 19 tahun.*UU 16\/2019/);
  expect(statement_en).toMatch(/19.*Law 16\/2019/);
});

it("an unlawful act obliges whoever is at fault to compensate (1365)", () => {
  expect(knowledge.find("KUHPerdata:1365")?.statement).toContain("karena salahnya");
  expect(knowledge.find("KUHPerdata:1365")?.statement_en).toContain("through whose fault");
});

it("the sale of another's thing is void, with damages where the buyer did not know (1471)", () => {
  expect(knowledge.find("KUHPerdata:1471")?.statement).toMatch(/batal.*ganti rugi bila pembeli tidak tahu/);
  expect(knowledge.find("KUHPerdata:1471")?.statement_en).toMatch(/void.*damages.*buyer did not know/);
});

it("adat communities are recognised as regulated by law (18B(2))", () => {
  expect(knowledge.find("NAT-UUD-18B2")?.statement).toMatch(/sepanjang masih hidup.*yang diatur dalam undang-undang/);
  expect(knowledge.find("NAT-UUD-18B2")?.statement_en).toMatch(/regulated by (?:law|statute)/);
});

it("UUP-37 says where its own words end and the elucidation begins; UU48-5 says nothing beyond its text", () => {
  expect(knowledge.find("UU-1-1974:37")?.statement).toMatch(/hukumnya masing-masing; menurut penjelasannya/);
  expect(knowledge.find("UU-48-2009:5")?.statement).toBe(
    "Hakim wajib menggali, mengikuti, dan memahami nilai hukum dan rasa keadilan yang hidup dalam masyarakat.",
  );
});

it.each([
  ["ADT-MIN-28", "harta suarang"],
  ["NAT-PERPU56-7", "UU 56/Prp/1960 art. 7"],
])("%s (%s), which no document at hand confirms, is marked unconfirmed", (id) => {
  expect(knowledge.find(id)?.confidence).toBe("unconfirmed");
});
