import { lettersOf, spell, joinLetters } from "./jamo.ts";

/** The shapes that a stem takes before its endings, in letters: 더럽 → 더럽, 더러우, 더러워; 빠르 → 빠르, 빨라; 예쁘 → 예쁘, 예뻐. */
export function spellShapes(stem: string): string[] {
  const head = stem.slice(0, -1);
  const last = stem.at(-1) ?? "";
  const letters = lettersOf(last);
  const shapes = [spell(stem)];
  if (!letters) return shapes;
  const [initial, vowel, final] = letters;
  if (final === "ㅂ")
    shapes.push(...["우", "워", "와"].map((next) => spell(head + joinLetters(initial, vowel, "") + next)));
  if (final === "ㅅ")
    shapes.push(
      spell(`${head}${joinLetters(initial, vowel, "")}아`),
      spell(`${head}${joinLetters(initial, vowel, "")}은`),
    );
  if (final === "" && last === "르") shapes.push(...spellDoubled(head));
  else if (final === "" && vowel === "ㅡ")
    shapes.push(spell(head + joinLetters(initial, "ㅓ", "")), spell(head + joinLetters(initial, "ㅏ", "")));
  if (final === "" && last === "하") shapes.push(spell(`${head}해`), spell(`${head}한`), spell(`${head}함`));
  if (final === "" && vowel === "ㅣ") shapes.push(spell(head + joinLetters(initial, "ㅕ", "")));
  if (final === "" && vowel === "ㅗ") shapes.push(spell(head + joinLetters(initial, "ㅘ", "")));
  if (final === "" && vowel === "ㅜ") shapes.push(spell(head + joinLetters(initial, "ㅝ", "")));
  return shapes;
}

/** 빠르 → 빨라, 빨러. */
function spellDoubled(head: string): string[] {
  const letters = lettersOf(head.at(-1) ?? "");
  if (!letters || letters[2] !== "") return [];
  const closed = head.slice(0, -1) + joinLetters(letters[0], letters[1], "ㄹ");
  return [spell(`${closed}라`), spell(`${closed}러`)];
}
