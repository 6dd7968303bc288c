import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { newFolder, runCli } from "./support/cli.ts";

/** Asks about documents and gives the decision, or why there is none. */
async function ask(cwd: string, question: string, docs = "docs") {
  const { code, out, err } = await runCli(["ask", question, "--docs", docs, "--json", "--quiet"], { cwd });
  return {
    code,
    err,
    decision: (out === "" ? null : JSON.parse(out)) as { answer: string; sources: { source: string }[] } | null,
  };
}

function writeDocs(files: Record<string, string | Buffer>): string {
  const cwd = newFolder();
  mkdirSync(join(cwd, "docs"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, "docs", name), content);
  return cwd;
}

/** A PDF of one page with one line. */
function makePdf(line: string): Buffer {
  const stream = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let file = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  return Buffer.from(
    `${file}xref\n0 6\n0000000000 65535 f \n${table}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF`,
  );
}

/** A Word document with a heading and a paragraph: an archive of stored entries. */
function makeDocx(heading: string, paragraph: string, claimedBytes?: number): Buffer {
  const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
  const packages = "http://schemas.openxmlformats.org/package/2006";
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
  return makeArchive(
    {
      "[Content_Types].xml": `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
      "_rels/.rels": `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${office}" Target="word/document.xml"/></Relationships>`,
      "word/document.xml": `<w:document xmlns:w="${word}"><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>${heading}</w:t></w:r></w:p><w:p><w:r><w:t>${paragraph}</w:t></w:r></w:p></w:body></w:document>`,
    },
    claimedBytes,
  );
}

function makeArchive(files: Record<string, string>, claimedBytes?: number): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let place = 0;
  for (const [name, text] of Object.entries(files)) {
    const data = Buffer.from(text);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(claimedBytes ?? data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const header = Buffer.concat([Buffer.from("PK\u0003\u0004"), common, Buffer.from(name), data]);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(place, 10);
    central.push(
      Buffer.concat([Buffer.from("PK\u0001\u0002"), Buffer.from([20, 0]), common, entry, Buffer.from(name)]),
    );
    local.push(header);
    place += header.length;
  }
  const list = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(central.length, 4);
  end.writeUInt16LE(central.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(place, 12);
  return Buffer.concat([...local, list, Buffer.from("PK\u0005\u0006"), end]);
}

const page = `<html><head><title>Bakery</title><script>var x = "The bakery opens at 3 am.";</script></head>
<body><h1>Hours</h1><p>The bakery opens at 6:30 am.</p><div style="display: none">The bakery opens at 4 am.</div></body></html>`;

describe("documents", () => {
  it.each([
    ["sky.pdf", makePdf("The observatory opens at 21:15."), "When does the observatory open?", "21:15"],
    ["boats.docx", makeDocx("Boats", "Canoes are returned by 19:30."), "When are canoes returned?", "19:30"],
    ["bakery.html", page, "When does the bakery open?", "6:30 am"],
    ["prices.csv", 'item,price\nRye bread,"4.20 euros"\n', "What is the price of rye bread?", "4.20 euros"],
  ])("%s is read", async (name, content, question, part) => {
    const { code, decision } = await ask(writeDocs({ [name]: content }), question);
    expect(code).toBe(0);
    expect(decision?.answer).toContain(part);
    expect(decision?.sources[0]?.source).toBe(join("docs", name));
  });

  it("what cannot be read in a folder is named, and the rest is read", async () => {
    const cwd = writeDocs({
      "mill.txt": "The mill was built in 1874.",
      "broken.pdf": "%PDF-1.4 nonsense",
      "photo.png": "x",
      "latin.txt": Buffer.from([0x63, 0xe9]),
      "bomb.docx": makeDocx("a", "b", 3_000_000_000),
    });
    symlinkSync("/etc", join(cwd, "docs", "outside"));
    symlinkSync(".", join(cwd, "docs", "again"));
    const { code, err, decision } = await ask(cwd, "When was the mill built?");
    expect([code, decision?.answer]).toEqual([0, "The mill was built in 1874."]);
    for (const name of ["broken.pdf", "photo.png", "latin.txt", "bomb.docx", "outside"]) expect(err).toContain(name);
    expect(err).toContain("the link leads out of the folder");
    expect(err).toMatch(/bomb\.docx \(it unpacks to \d+ MB/);
  });

  it.each([
    ["/", /the whole file system/],
    ["docs/huge.txt", /3000 MB, at most 50 MB/],
    ["docs/broken.pdf", /broken\.pdf: not a PDF/],
    ["docs/empty", /no text files in that folder/],
  ])("--docs %s is refused before anything is asked", async (docs, message) => {
    const cwd = writeDocs({ "huge.txt": "", "broken.pdf": "%PDF-1.4 nonsense" });
    mkdirSync(join(cwd, "docs", "empty"));
    truncateSync(join(cwd, "docs", "huge.txt"), 3_000_000_000);
    const { code, err } = await ask(cwd, "Why?", docs);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
