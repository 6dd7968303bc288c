import type { Morpheme } from "./words/morpheme.ts";

/** A stretch up to a joining ending or a sentence end. */
export type Clause = { index: number; from: number; to: number; sentence: number; contrast: boolean };

const joining =
  /^(지만|는데|은데|ㄴ데|던데|고|며|으며|면서|으면서|어서|아서|여서|서|니까|으니까|니|으니|나|으나|거나|더니|므로|으므로|면|으면|다면|아도|어도|여도|는데요|은데요)$/;
const contrasting = /^(지만|는데|은데|ㄴ데|던데|나|으나|는데요|은데요|아도|어도)$/;

/** Splits the morphemes of a text into clauses. */
export function splitClauses(morphemes: readonly Morpheme[]): Clause[] {
  const clauses: Clause[] = [];
  let from = 0;
  let sentence = 0;
  const close = (to: number, contrast: boolean) => {
    if (to > from) clauses.push({ index: clauses.length, from, to, sentence, contrast });
    from = to;
  };
  for (const [index, morpheme] of morphemes.entries()) {
    if (endsSentence(morphemes, index)) {
      close(index + 1, false);
      sentence += 1;
    } else if (joins(morphemes, index)) close(index + 1, contrasting.test(morpheme.text));
    else if (morpheme.pos === "MAJ" && index > from)
      close(index, /^(하지만|그러나|그런데|근데|그렇지만|다만|반면)$/.test(morpheme.text));
  }
  close(morphemes.length, false);
  return clauses;
}

function endsSentence(morphemes: readonly Morpheme[], index: number): boolean {
  const here = morphemes[index] as Morpheme;
  const next = morphemes[index + 1];
  if (here.pos === "SF" || /^(…|\.\.+|\n)$/.test(here.text)) return next?.pos !== "SF";
  return here.pos === "EF" && next !== undefined && !/^(S|J|E|VX)/.test(next.pos);
}

function joins(morphemes: readonly Morpheme[], index: number): boolean {
  const here = morphemes[index] as Morpheme;
  const next = morphemes[index + 1];
  if (here.pos !== "EC" || !joining.test(here.text) || next === undefined) return false;
  if (next.pos === "VX" || (here.text === "고" && /^(있|싶)$/.test(next.text))) return false;
  return true;
}
