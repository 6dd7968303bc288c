import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, runCli } from "./support/cli.ts";

const corpus = "# UU No. 12 Tahun 2031\n## Pasal 4\nIuran perahu danau dibayar tiap tahun kepada koperasi nelayan.\n";

describe("parley law sources", () => {
  it("without a query says what there is", async () => {
    const { code, out } = await runCli(["law", "sources"], { cwd: newFolder() });
    expect(code).toBe(0);
    expect(out).toMatch(/adat, bali, norm +\d+ +\d+ confirmed/);
  });

  it("finds by words, by provision and by id, each with its source", async () => {
    for (const query of ["bagian mutlak tiga anak", "Pasal 914 KUHPerdata", "KUHPerdata:914"]) {
      const { out } = await runCli(["law", "sources", query, "--limit", "1"], { cwd: newFolder() });
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
    const { out } = await runCli(["law", "sources", "wasiat", "--json", "--limit", "2"], { cwd: newFolder() });
    expect(
      out
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { id: string }).id),
    ).toHaveLength(2);
  });
});

describe("parley law import", () => {
  it("adds a corpus that sources and debates then use", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "danau.md"), corpus);
    expect((await runCli(["law", "import", "danau.md"], { cwd })).out).toContain("1 item imported");
    expect((await runCli(["law", "sources", "iuran perahu danau", "--limit", "1"], { cwd })).out).toContain(
      "OWN-danau-uu-12-2031-4",
    );
    const debate = await runCli(["law", "Kepada siapa iuran perahu danau dibayar tiap tahun?"], { cwd });
    expect(debate.out).toContain("OWN-danau-uu-12-2031-4");
  });

  it("an imported law is no longer called missing, its wording no paraphrase, and its lines are one text", async () => {
    const cwd = newFolder();
    const wording = [
      "(1) Setiap Orang yang melakukan perbuatan yang menurut hukum yang hidup",
      "dalam masyarakat dinyatakan sebagai perbuatan yang dilarang, diancam",
      "dengan pidana.",
    ];
    writeFileSync(join(cwd, "kuhp.md"), `# UU 1/2023 Pasal 597\n\n${wording.join("\n")}\n`);
    const asked = ["law", "Apa kata Pasal 597 KUHP baru (UU 1/2023) tentang hukum yang hidup dalam masyarakat?"];
    expect((await runCli(asked, { cwd })).out).toContain("tidak ada dalam basis pengetahuan ini");
    expect((await runCli(["law", "import", "kuhp.md"], { cwd })).code).toBe(0);
    const { out } = await runCli(asked, { cwd });
    expect(out).not.toContain("tidak ada dalam basis pengetahuan ini");
    expect(out).toContain("(diparafrasekan, kecuali teks yang diimpor)");
    expect(out).toMatch(/\[OWN-kuhp-uu-1-2023-597, teks yang diimpor,/);
    expect(out.replaceAll(/\s+/g, " ")).toContain(wording.join(" "));
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(100);
    expect(out).not.toMatch(/^(?:dalam masyarakat|dengan pidana)/m);
  });

  it("a file with a mistake says where, keeps what is right, and is exit code 2", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "a.jsonl"), '{"text":"Norma."}\n{"txt":"x"}\n');
    const { code, out, err } = await runCli(["law", "import", "a.jsonl"], { cwd });
    expect([code, out.includes("1 item imported")]).toEqual([2, true]);
    expect(err).toContain('line 2, txt: unknown key "txt"; did you mean "text"');
  });

  it.each([
    ["missing.json", null, "there is no such file"],
    ["a.pdf", "x", "a corpus is a .json, .jsonl or .md file"],
    ["a.json", "\0\0", "binary"],
    ["a.json", "[]", "nothing was imported"],
  ])("%s: %j", async (name, content, message) => {
    const cwd = newFolder();
    if (content !== null) writeFileSync(join(cwd, name), content);
    const { code, err } = await runCli(["law", "import", name], { cwd });
    expect([code, err.includes(message)]).toEqual([2, true]);
  });

  it("an id of the shipped knowledge cannot be taken over", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "a.json"), '[{"id":"NAT-KUHPER-852","text":"Lain."}]');
    const { code, err } = await runCli(["law", "import", "a.json"], { cwd });
    expect([code, err.includes("NAT-KUHPER-852")]).toEqual([2, true]);
  });
});

describe("parley law explain", () => {
  it("shows the proof of each conclusion", async () => {
    const { out } = await runCli(["law", "explain", "Bolehkah mamak menjual sawah pusako tinggi?"], {
      cwd: newFolder(),
    });
    expect(out).toContain("⊢ not may(minangkabau, sell, rice_field)");
    expect(out).toContain("rule:minangkabau:no-sale");
  });

  it("--json prints the explanation", async () => {
    const { out } = await runCli(["law", "explain", "Bolehkah pusako tinggi dijual?", "--json"], { cwd: newFolder() });
    expect(JSON.parse(out)).toMatchObject({ language: "id", route: { label: "pure_adat" } });
  });
});

it("a page in Indonesian ends in Indonesian, and its export names what the rules decided so", async () => {
  const cwd = newFolder();
  const { err, out } = await runCli(["law", "Bolehkah pusako tinggi digadaikan menurut adat Minangkabau?"], { cwd });
  expect(err).toMatch(/^diputus · \d+ giliran · tanpa panggilan model, gratis · parley show /m);
  expect(out).toContain("Adat Minangkabau");
  const page = (await runCli(["export", "--last", "--format", "md"], { cwd })).out;
  for (const name of ["rute", "konvergensi", "penyerahan kepada manusia"]) expect(page).toContain(`1. **${name}**`);
});
