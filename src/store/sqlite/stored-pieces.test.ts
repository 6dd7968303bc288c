import fc from "fast-check";
import { expect, it } from "vitest";
import { chainPieces, hashPiece, type Piece } from "../../engine/prompt.ts";
import { createPieceReader, joinPieces, noPieces } from "./stored-pieces.ts";

const instructions = "1".repeat(64);

/** Pieces that follow instructions, as an entry brings them when `before` pieces of its run came earlier. */
function storePieces(texts: string[], before: number): { stored: string; pieces: Piece[] } {
  const pieces: Piece[] = [];
  for (const text of texts) {
    const parent = pieces.at(-1)?.hash ?? instructions;
    pieces.push({ hash: hashPiece(parent, text), parent, text });
  }
  const numbered = texts.map((text, index) => ({ after: index === 0 ? instructions : before + index - 1, text }));
  return { stored: joinPieces(numbered, pieces.at(-1)?.hash ?? ""), pieces };
}

const anyTexts = fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 4 });

it("pieces are read as they were stored, whatever their texts hold", () => {
  fc.assert(
    fc.property(anyTexts, anyTexts, (one, two) => {
      const read = createPieceReader();
      const first = storePieces(one, 0);
      const second = storePieces(two, one.length);
      expect(read(first.stored, "first")).toEqual(first.pieces);
      expect(read(noPieces, "none")).toEqual([]);
      expect(read(second.stored, "second")).toEqual(second.pieces);
    }),
  );
});

it("a piece that says what an earlier one says has its text", () => {
  const read = createPieceReader();
  const [first] = read(storePieces(["a long text"], 0).stored, "first");
  const hash = hashPiece("2".repeat(64), "a long text");
  const stored = joinPieces([{ after: "2".repeat(64), text: "a long text", as: 0 }], hash);
  expect(stored).not.toContain("a long text");
  expect(read(stored, "second")).toEqual([{ hash, parent: "2".repeat(64), text: first?.text }]);
});

it("a change to any character of the texts leaves a name that does not fit, or is refused", () => {
  fc.assert(
    fc.property(anyTexts, fc.nat(), (texts, place) => {
      const { stored } = storePieces(texts, 0);
      const from = stored.indexOf("\n") + 1;
      fc.pre(stored.length > from);
      const at = from + (place % (stored.length - from));
      for (const put of ["", "xy", stored[at] === "z" ? "y" : "z"]) {
        const changed = stored.slice(0, at) + put + stored.slice(at + 1);
        const isNoticed = (): boolean => {
          const found = createPieceReader()(changed, "it");
          return found.some(({ hash, parent, text }) => hashPiece(parent, text) !== hash);
        };
        if (put.length === 1) expect(isNoticed()).toBe(true);
        else expect(isNoticed).toThrow(/lengths do not add up/);
      }
    }),
  );
});

it("pieces of layout 7, each with its hashes, are read, and those after them follow by number", () => {
  const old = chainPieces(["instructions", "case", "task"]).slice(1);
  const read = createPieceReader();
  expect(read(JSON.stringify(old), "old")).toEqual(old);
  const hash = hashPiece(old[1]?.hash ?? "", "more");
  expect(read(joinPieces([{ after: 1, text: "more" }], hash), "new")).toEqual([
    { hash, parent: old[1]?.hash, text: "more" },
  ]);
});
