import type { Token } from "../words/token.ts";

/** What a clause says about whether it is so. */
export type Mood = "fact" | "wish" | "condition" | "expectation" | "question";

/** The mood that governs the token at `index`, read from the words before it in its sentence. */
export function readMood(tokens: readonly Token[], index: number): Mood {
  const here = tokens[index] as Token;
  let words = "";
  for (let at = index - 1; at >= 0 && tokens[at]?.sentence === here.sentence; at -= 1)
    words = `${tokens[at]?.lower} ${words}`;
  return (
    findWish(words) ??
    findCondition(words) ??
    findExpectation(words) ??
    (endsAsQuestion(tokens, here) ? "question" : "fact")
  );
}

function findWish(before: string): Mood | undefined {
  if (/\b(wish|wished|if only)\b/.test(before)) return "wish";
  if (
    /\b(should|could|would|might) (not |n't |probably |really |easily |definitely )*(have|of|'ve) (been |had |made |used |put |added |included )?[^,]{0,25}$/.test(
      before,
    )
  )
    return "wish";
  if (/\b(should|ought to|needs? to|has to|could) (not |n't |really |definitely |at least )*be( \w+)? $/.test(before))
    return "wish";
  if (/\bwould (have )?(be|been)( \w+)? $/.test(before) && !/\b(i|we) would (have )?(be|been)/.test(before))
    return "wish";
  return undefined;
}

function findCondition(before: string): Mood | undefined {
  if (/\b(if|unless|whether|in case)\b[^,]*$/.test(before) && !/\b(even if|as if|if not)\b/.test(before))
    return "condition";
  return undefined;
}

function findExpectation(before: string): Mood | undefined {
  if (
    /\b(expect|expected|expecting|supposed|hoped|hoping|promised|claims?|claimed|advertised|supposedly|assumed|used to be|heard|hear)\b[^,]{0,40}$/.test(
      before,
    ) &&
    !/\b(than|as) (i |we )?(expected|advertised|promised)/.test(before)
  )
    return "expectation";
  return undefined;
}

function endsAsQuestion(tokens: readonly Token[], here: Token): boolean {
  for (let at = here.index; at < tokens.length && tokens[at]?.sentence === here.sentence; at += 1)
    if (tokens[at]?.text.includes("?")) return true;
  return false;
}
