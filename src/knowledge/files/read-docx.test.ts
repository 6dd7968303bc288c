import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { readApart } from "./read-apart.ts";
import { readDocx } from "./read-docx.ts";

/** An archive of one entry that says of itself that it unpacks to ten bytes. */
function lyingArchive(content: Buffer): Buffer {
  const name = Buffer.from("word/document.xml");
  const data = deflateRawSync(content);
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

test("a document that lies about its size is unpacked only as far as a document may be", async () => {
  const before = process.memoryUsage().rss;
  await expect(readDocx(lyingArchive(Buffer.alloc(200_000_000)))).rejects.toThrow(/more than 50 MB/);
  expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000);
});

test("what is no archive, or a damaged one, is said to be so", async () => {
  await expect(readDocx(Buffer.from("Dear diary"))).rejects.toThrow(/not a .docx file/);
  const archive = lyingArchive(Buffer.from("<w:document/>"));
  archive.fill(0xff, 47, 55);
  await expect(readDocx(archive)).rejects.toThrow(/not a .docx file/);
});

test("a document is read in a process of its own, which is ended when it takes too long, and begun again", async () => {
  await expect(readApart("docx", lyingArchive(Buffer.alloc(40_000_000, "<w:p>")), 1)).rejects.toThrow(/longer than/);
  await expect(readApart("docx", Buffer.from("Dear diary"))).rejects.toThrow(/not a .docx file/);
});

test("documents that are asked for at once are read one after the other", async () => {
  const asked = ["one", "two", "three"].map((text) => readApart("pdf", Buffer.from(text)));
  for (const { reason } of (await Promise.allSettled(asked)) as PromiseRejectedResult[])
    expect(reason).toMatchObject({ message: expect.stringContaining("not a PDF") });
});
