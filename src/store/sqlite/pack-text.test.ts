import { createZstdCompress, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPacker, packText, unpackText } from "./pack-text.ts";

const anyText = fc
  .tuple(fc.string({ unit: "grapheme", maxLength: 300 }), fc.integer({ min: 1, max: 400 }))
  .map(([text, times]) => text.repeat(times));

it("a text comes back as it was, whatever was packed before it", () => {
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 1, maxLength: 6 }), (texts) => {
      const packed = texts.map((text) => packText(text));
      expect(packed.map((data) => unpackText(data))).toEqual(texts);
    }),
  );
});

it("what is packed with the kept context is as small as what Node's own call packs, also where nothing repeats", () => {
  const pack = createPacker();
  const words = Array.from({ length: 900 }, (_, n) => ((n * 7919) % 9973).toString(36)).join(" ");
  for (const text of ["The same again. ".repeat(300), words, "x".repeat(40_000)])
    expect(pack(Buffer.from(text)).length).toBeLessThan(zstdCompressSync(text).length * 1.15 + 20);
});

describe("a Node whose streams work in another way", () => {
  const leaves = (output: number, input: number) => ({
    _handle: { writeSync: () => undefined },
    _writeState: Uint32Array.of(output, input),
  });
  it.each([
    ["has no context to ask", {}],
    ["writes nothing", leaves(65_536, 0)],
    ["leaves some of the text", leaves(10, 10)],
    ["has too little room", leaves(0, 0)],
    ["writes something else", leaves(65_000, 0)],
  ])("%s: its own call packs every text", (_how, stream) => {
    const text = "Said at length. ".repeat(500);
    expect(zstdDecompressSync(createPacker(stream)(Buffer.from(text))).toString()).toBe(text);
  });

  it("fails at some moment: that text and those after it are packed by its own call", () => {
    const stream = createZstdCompress() as unknown as { _handle: { writeSync(...given: unknown[]): void } };
    const { _handle: handle } = stream;
    let calls = 0;
    const writeSync = (...given: unknown[]): void => {
      calls += 1;
      if (calls > 3) throw new Error("out of memory");
      handle.writeSync(...given);
    };
    const pack = createPacker(Object.assign(stream, { _handle: { writeSync } }));
    for (const text of ["one ", "two ", "three ", "four "].map((word) => word.repeat(900)))
      expect(zstdDecompressSync(pack(Buffer.from(text))).toString()).toBe(text);
    expect(calls).toBe(4);
  });
});
