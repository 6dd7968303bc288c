import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { hashPiece, type Piece } from "../../engine/prompt.ts";
import { fitting, parseStored } from "./sqlite-rows.ts";

/** A piece as it is stored by itself. */
export const PieceSchema: z.ZodType<Piece> = z.strictObject({
  hash: z.string(),
  parent: z.string().nullable(),
  text: z.string(),
});

/** What an entry without fresh pieces brings. */
export const noPieces = "[]";

/** Pieces up to layout 7, and such as only JSON can hold: each with its hashes; one that says what an earlier one says (`as`) has no text of its own. */
const NamedPiecesSchema = z.array(
  z.union([PieceSchema, z.strictObject({ hash: z.string(), parent: z.string(), as: z.string() })]),
);

/** What a piece follows: the number of a piece of its run, or the hash of instructions. */
const AfterSchema = z.union([z.int().nonnegative(), z.string()]);

/** The name of the last piece, then each piece: what it follows, how long it is, and which earlier one says the same. */
const HeadSchema = z.tuple(
  [z.string()],
  z.union([
    z.tuple([AfterSchema, z.int().nonnegative()]),
    z.tuple([AfterSchema, z.int().nonnegative(), z.int().nonnegative()]),
  ]),
);

/** A piece to be stored; `as` is the number of an earlier piece of its run with the same text. */
export type NumberedPiece = { after: number | string; text: string; as?: number };

/**
 * The pieces that an entry brings, as text: a line that says what each follows, then their texts. A name is the hash of
 * all that it ends, so the last one vouches for those before it.
 */
export function joinPieces(pieces: readonly NumberedPiece[], lastHash: string): string {
  if (pieces.length === 0) return noPieces;
  let head = `["${lastHash}"`;
  let texts = "";
  for (const { after, text, as } of pieces) {
    const place = typeof after === "number" ? after : JSON.stringify(after);
    head += as === undefined ? `,[${place},${text.length}]` : `,[${place},${text.length},${as}]`;
    if (as === undefined) texts += text;
  }
  return `${head}]\n${texts}`;
}

/**
 * Reads the pieces of a run's entries, in order, and gives those of one entry. A piece that was changed has a name that
 * is not its hash; text that cannot be pieces is an error that says what it is.
 */
export function createPieceReader(): (stored: string, what: string) => Piece[] {
  const known: Piece[] = [];
  return (stored, what) => {
    if (stored === noPieces) return [];
    const found = stored.startsWith("[{") ? readNamed(stored, what, known) : readNumbered(stored, what, known);
    known.push(...found);
    return found;
  };
}

function readNamed(stored: string, what: string, known: readonly Piece[]): Piece[] {
  const found: Piece[] = [];
  for (const piece of fitting(NamedPiecesSchema, parseStored(stored, what), what)) {
    const { hash, parent } = piece;
    const isMeant = ({ hash: name }: Piece): boolean => "as" in piece && name === piece.as;
    const text = "text" in piece ? piece.text : (found.find(isMeant) ?? known.find(isMeant))?.text;
    found.push({ hash, parent, text: text ?? "" });
  }
  return found;
}

function readNumbered(stored: string, what: string, known: readonly Piece[]): Piece[] {
  const end = stored.indexOf("\n");
  const [lastHash, ...heads] = fitting(HeadSchema, parseStored(stored.slice(0, end), what), what);
  const found: Piece[] = [];
  const pieceAt = (number: number): Piece | undefined => known[number] ?? found[number - known.length];
  let at = end + 1;
  for (const [after, length, as] of heads) {
    const parent = typeof after === "string" ? after : (pieceAt(after)?.hash ?? "");
    const text = as === undefined ? stored.slice(at, (at += length)) : (pieceAt(as)?.text ?? "");
    const isLast = found.length === heads.length - 1;
    if (text.length !== length || (isLast && at !== stored.length))
      throw new ParleyError("corrupt_store", `${what} is not readable: its lengths do not add up`);
    found.push({ hash: isLast ? lastHash : hashPiece(parent, text), parent, text });
  }
  return found;
}
