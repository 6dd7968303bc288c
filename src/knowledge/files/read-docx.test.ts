import { readdirSync, readFileSync } from "node:fs";
import { constants, deflateRawSync, deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { readApart } from "./read-apart.ts";
import { readDocx } from "./read-docx.ts";

process.env.PARLEY_TEST_KEY = "sk-not-for-readers";

/** Processes come and go while they are listed. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** An archive of one entry that says of itself that it unpacks to ten bytes. */
function lyingArchive(data: Buffer): Buffer {
  const name = Buffer.from("word/document.xml");
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04_03_4b_50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(data.length, 18);
  local.writeUInt32LE(10, 22);
  local.writeUInt16LE(name.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02_01_4b_50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(data.length, 20);
  entry.writeUInt32LE(10, 24);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06_05_4b_50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + name.length, 12);
  end.writeUInt32LE(local.length + name.length + data.length, 16);
  return Buffer.concat([local, name, data, entry, name, end]);
}

test("a document that unpacks to more than a reader may have ends the reader, whatever it says of its size", async () => {
  const megabyte = deflateRawSync(Buffer.alloc(2 ** 20), { finishFlush: constants.Z_FULL_FLUSH });
  const packed = Buffer.concat([...Array.from({ length: 800 }, () => megabyte), deflateRawSync(Buffer.alloc(0))]);
  for (const ending of ["docx", "xlsx"] as const)
    await expect(readApart(ending, lyingArchive(packed))).rejects.toThrow(/too much memory|not a .xlsx/);
}, 60_000);

test("what is no archive, or a damaged one, is said to be so", async () => {
  await expect(readDocx(Buffer.from("Dear diary"))).rejects.toThrow(/not a .docx file/);
  const archive = lyingArchive(deflateRawSync(Buffer.from("<w:document/>")));
  archive.fill(0xff, 47, 55);
  await expect(readDocx(archive)).rejects.toThrow(/not a .docx file/);
});

test("a document is read in a process of its own, which is ended when it takes too long, and begun again", async () => {
  await expect(readApart("docx", lyingArchive(deflateRawSync(Buffer.alloc(40_000_000, "<w:p>"))), 1)).rejects.toThrow(
    /longer than/,
  );
  await expect(readApart("docx", Buffer.from("Dear diary"))).rejects.toThrow(/not a .docx file/);
});

test("a page that unpacks to more than a reader may have ends the reader, not the machine", async () => {
  const page = deflateSync(Buffer.alloc(14_000_000, Buffer.from([0x81, 0x20])));
  const parts = [
    "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
    "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
    "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<<>>>>endobj",
    `4 0 obj<</Length ${page.length}/Filter[/FlateDecode/RunLengthDecode]>>stream`,
  ];
  const bytes = [`%PDF-1.5\n${parts.join("\n")}\n`, page, "\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF"];
  const bomb = Buffer.concat(bytes.map((part) => Buffer.from(part as string)));
  await expect(readApart("pdf", bomb)).rejects.toThrow("reading it takes too much memory");
  await expect(readApart("pdf", Buffer.from("Dear diary"))).rejects.toThrow(/not a PDF/);
}, 60_000);

test("a reader of many documents leaves nothing behind that warns of a leak", async () => {
  const warnings: unknown[] = [];
  const listen = (warning: unknown) => warnings.push(warning);
  process.on("warning", listen);
  for (let read = 0; read < 12; read += 1)
    await expect(readApart("docx", Buffer.from("Dear diary"))).rejects.toThrow(/not a .docx file/);
  await new Promise(setImmediate);
  process.off("warning", listen);
  expect(warnings).toEqual([]);
});

test.runIf(process.platform === "linux")(
  "the process that reads a document knows nothing of its parent's environment",
  async () => {
    await expect(readApart("docx", Buffer.from("Dear diary"))).rejects.toThrow(/not a .docx file/);
    const readers = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => attempt(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"))?.includes("reader-process"))
      .filter((pid) => attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"))?.includes(` ${process.pid} `));
    expect(readers).not.toEqual([]);
    for (const pid of readers) expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain("sk-not-for-readers");
  },
);

test("documents that are asked for at once are read one after the other", async () => {
  const endings = ["pdf", "docx", "docx", "pdf"] as const;
  const asked = await Promise.allSettled(endings.map((ending) => readApart(ending, Buffer.from("Dear diary"))));
  const said = asked.map((one) => (one.status === "rejected" ? String(one.reason) : one.value));
  expect(said.map((text) => /not a (PDF|.docx)/.exec(text)?.[1])).toEqual(["PDF", ".docx", ".docx", "PDF"]);
});
