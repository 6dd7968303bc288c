import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { loadKnowledge } from "../src/packs/law/index.ts";
import { newFolder, runCli } from "./support/cli.ts";

describe("which law a question asks for", () => {
  it.each([
    ["Under Malaysian law, how much of my estate can I give away by will?", /foreign law \(Malaysian\)/],
    ["Di Malaysia, berapa lama suami istri harus berpisah rumah sebelum boleh mengajukan cerai?", /hukum asing/],
    ["What did the inheritance law that was passed last week change for adopted children?", /recent legal events/],
  ])("is refused where it is another country's, or too new: %s", async (question, missing) => {
    const { out } = await runCli(["law", question, "--json"], { cwd: newFolder() });
    expect(JSON.parse(out)).toMatchObject({ position: "D", missing: [expect.stringMatching(missing)] });
  });

  it.each([
    ["According to Javanese adat, how is joint property divided after a divorce?", "pure_adat"],
    // A phrase that only counts beside its people (harta pusaka) does not hide the longer one.
    ["Kapan harta pusaka tinggi boleh digadaikan?", "pure_adat"],
  ])("the law that is asked for, not the people that is named: %s", async (question, label) => {
    const { out } = await runCli(["law", question, "--json"], { cwd: newFolder() });
    expect((JSON.parse(out) as { route: { label: string } }).route.label).toBe(label);
  });
});

test.each([
  [
    "leads with the law that the question names",
    "Apakah harta bersama diakui menurut UU Perkawinan?",
    /^[^.]*(?:[^.]|\.\S)*\(UU 1\/1974 Pasal 3[567]\)/,
  ],
  [
    "takes a death for no legal news",
    "Bapak baru saja meninggal di Bali, sementara KUHPerdata tidak membedakan agama ahli waris. Siapa yang mewaris?",
    /^(?!.*peristiwa hukum yang baru)/,
  ],
  [
    "says that national law was looked up too, where a people is not held",
    "Suku Sasak punya tradisi merariq; menurut UU Perkawinan apakah kawin lari sah?",
    /tidak ada butir yang menjawab; yang dicari: .*merariq[\s\S]*Hukum adat Sasak tidak tercakup/,
  ],
  [
    "leads with what defines the one thing asked about",
    "Siapa ahli waris?",
    /^Ahli waris menurut undang-undang adalah/,
  ],
  ["does so in English", "What is a will?", /^A will is a deed/],
  [
    "says right after it whom it binds, and why the programs ask for a person",
    "Who inherits?",
    /^The heirs by law are[^\n]*\n\nAssuming: Binds those subject to the Civil Code[\s\S]*asked for by the supervisor: [^\n]*The source found may not be what was asked for\.\n/,
  ],
  ["names a paragraph whole", "Apakah negara mengakui masyarakat hukum adat?", /UUD 1945 Pasal 18B ayat \(2\)/],
])("an answer %s", async (_, question, wanted) => {
  const { out } = await runCli(["law", question, "--json"], { cwd: newFolder() });
  expect((JSON.parse(out) as { answer: string }).answer).toMatch(wanted);
});

describe("parley law sources", () => {
  it("names a source that a reader can look up, or says that there is none and is unconfirmed", () => {
    const shared = /scribd|slideshare|docplayer|pdfcoffee|123dok|studocu|coursehero|academia\.edu/i;
    const { items } = loadKnowledge();
    expect(items.filter(({ source }) => shared.test(source ?? "")).map(({ id }) => id)).toEqual([]);
    const sites = /^[a-z.]+\.[a-z]+$|^tanpa sumber|^pepatah/i;
    const unnamed = items.filter(({ source }) => source?.split("; ").some((one) => sites.test(one)));
    expect(unnamed.map(({ id }) => id)).toEqual([]);
    const bare = items.filter(({ source }) => source === null);
    expect(bare.length).toBeGreaterThan(0);
    expect(bare.filter(({ confidence }) => confidence === "confirmed")).toEqual([]);
  });

  it("finds by words, by provision and by id, each with its source", async () => {
    for (const query of ["bagian mutlak tiga anak", "Pasal 914 KUHPerdata", "KUHPerdata:914"]) {
      const { out } = await runCli(["law", "sources", query], { cwd: newFolder() });
      expect(out).toContain("NAT-KUHPER-914");
      expect(out).toContain("sumber: KUHPerdata Pasal 914");
    }
  });

  it("a provision that is not there is exit code 2, and not called non-existent", async () => {
    const { code, err } = await runCli(["law", "sources", "Pasal 9140 KUHPerdata"], { cwd: newFolder() });
    expect(code).toBe(2);
    expect(err).toContain("not in this knowledge base");
  });

  it("--json prints one item per line", async () => {
    const { out } = await runCli(["law", "sources", "wasiat", "--json"], { cwd: newFolder() });
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { id: string }).id),
    ).toHaveLength(10);
  });
});

test.each([
  ["Putusan MA No. 179 K/Sip/1961", 0, /^NAT-MA-179-1961 /],
  ["Keputusan MUDP No. 01/Kep/Psm-3/MDP Bali/X/2010", 0, /^ADT-BAL-10 /],
  ["Putusan MA No. 999 K/Pdt/2001", 2, /999 K\/Pdt\/2001: not in this knowledge base/],
])("a decision is found by its number, whatever its court: %s", async (query, code, said) => {
  const found = await runCli(["law", "sources", query], { cwd: newFolder() });
  expect(found.code).toBe(code);
  expect(code === 0 ? found.out : found.err).toMatch(said);
});

describe("a corpus of one's own", () => {
  const wording = [
    "(1) Setiap Orang yang melakukan perbuatan yang menurut hukum yang hidup",
    "dalam masyarakat dinyatakan sebagai perbuatan yang dilarang, diancam",
    "dengan pidana.",
  ];

  it("is searched and debated with; its law is no longer called missing, and its wording no paraphrase", async () => {
    const cwd = newFolder();
    const entry = { law: "UU 1/2023", article: 597, text: wording.join("\n") };
    writeFileSync(join(cwd, "kuhp.json"), JSON.stringify([entry]));
    const asked = ["law", "Apa kata Pasal 597 KUHP baru (UU 1/2023) tentang hukum yang hidup dalam masyarakat?"];
    expect((await runCli(asked, { cwd })).out).toContain("tidak ada dalam basis pengetahuan ini");
    const { out } = await runCli([...asked, "--corpus", "kuhp.json"], { cwd });
    expect(out).not.toContain("tidak ada dalam basis pengetahuan ini");
    expect(out).toContain("(diparafrasekan, kecuali teks yang diimpor)");
    expect(out).toMatch(/\[OWN-kuhp-uu-1-2023-597, teks yang diimpor,/);
    expect(out.replaceAll(/\s+/g, " ")).toContain(wording.join(" ").replace(/\.$/u, ""));
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
    const found = await runCli(["law", "sources", "UU-1-2023:597", "--corpus", "kuhp.json"], { cwd });
    expect(found.out).toContain("OWN-kuhp-uu-1-2023-597");
  });

  it.each([
    ["missing.json", null, "there is no such file"],
    ["a.json", "[]", "the file holds no entry"],
    ["a.json", "[1", "not JSON"],
    ["a.jsonl", '{"text":"Norma."}\n{"txt":"x"}\n', 'line 2, txt: unknown key "txt"; did you mean "text"'],
    ["a.json", '[{"id":"NAT-KUHPER-852","text":"Lain."}]', "NAT-KUHPER-852"],
  ])("%s: %j", async (name, content, message) => {
    const cwd = newFolder();
    if (content !== null) writeFileSync(join(cwd, name), content);
    const { code, err } = await runCli(["law", "sources", "waris", "--corpus", name], { cwd });
    expect([code, err.includes(message)]).toEqual([2, true]);
  });
});

it("a page in Indonesian ends in Indonesian, and its export names what the rules decided so", async () => {
  const cwd = newFolder();
  const { err, out } = await runCli(["law", "Bolehkah pusako tinggi dijual menurut adat Minangkabau?"], { cwd });
  expect(err).toMatch(/^diputus · \d+ giliran · tanpa panggilan model, gratis · parley show /m);
  expect(out).toContain("Adat Minangkabau");
  const page = (await runCli(["export", "--last", "--format", "md"], { cwd })).out;
  for (const name of ["rute", "konvergensi", "penerusan kepada peninjau"]) expect(page).toContain(`1. **${name}**`);
});
