import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder, runCli } from "./support/cli.ts";
import { makeDocx, makePdf } from "./support/make-document.ts";

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
    expect([code, decision?.answer]).toEqual([0, "1874 (The mill was built in 1874.)"]);
    for (const name of ["broken.pdf", "photo.png", "latin.txt", "bomb.docx", "outside"]) expect(err).toContain(name);
    expect(err).toContain("links are not followed");
    expect(err).toMatch(/bomb\.docx \((?:not a \.docx file that can be read|reading it takes)/);
  });

  it.each([
    ["/", /the whole file system/],
    ["docs/huge.txt", /3000 MB, at most 50 MB/],
    ["docs/broken.pdf", /broken\.pdf: not a PDF/],
    ["docs/empty", /no text files in that folder/],
    ["docs/nothing.txt", /it contains no text/],
  ])("--docs %s is refused before anything is asked", async (docs, message) => {
    const cwd = writeDocs({ "huge.txt": "", "broken.pdf": "%PDF-1.4 nonsense" });
    mkdirSync(join(cwd, "docs", "empty"));
    writeFileSync(join(cwd, "docs", "nothing.txt"), " \n");
    truncateSync(join(cwd, "docs", "huge.txt"), 3_000_000_000);
    const { code, err } = await ask(cwd, "Why?", docs);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
