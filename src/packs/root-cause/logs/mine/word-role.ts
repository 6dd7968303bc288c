import { variable } from "./message-shaper.ts";

const nounsBeforeNames = new Set(
  "user host hostname node server client service device interface domain name named account login file directory process program app application package module class queue topic table database image key group role tag command action component thread channel zone region pool volume disk container pod image".split(
    " ",
  ),
);

/** A word that looks like an identifier of something: dotted, underscored, a file, a class. */
export function isNameLike(word: string): boolean {
  return word.length > 2 && /[A-Za-z]/.test(word) && (/[.$\\/~]/.test(word) || /[a-z]_|_[a-z]/.test(word));
}

/** A word that may be a name or a fixed term of the program: `fooBar`, `SOME_STATE`. */
export function isTermLike(word: string): boolean {
  return /[a-z][A-Z]|[A-Z]_[A-Z]/.test(word);
}

const joinsToName = new Set(["for", "from", "of", "to", "by", "on", "at", "with"]);

/** True where a word says what happened or which field follows: at the start, before `=`, `:` and a call's bracket. */
export function isLabelPosition(elements: readonly string[], place: number): boolean {
  const next = elements[place + 1];
  if (next === "=" || next === "(") return true;
  if (next !== ":") return place === 0;
  if (place < 3) return true;
  const isFrame = elements[place + 2] === variable && isNameLike(elements[place] ?? "");
  return !isFrame && !followsNamer(elements, place);
}

function followsNamer(elements: readonly string[], place: number): boolean {
  const before = elements[place - 1]?.toLowerCase() ?? "";
  return joinsToName.has(before) || nounsBeforeNames.has(before);
}

/** True where a word is most likely a value: after a noun that is usually followed by a name. */
export function isValuePosition(elements: readonly string[], place: number): boolean {
  const before = elements[place - 1]?.toLowerCase() ?? variable;
  if (nounsBeforeNames.has(before)) return true;
  return before === ":" && nounsBeforeNames.has(elements[place - 2]?.toLowerCase() ?? "");
}
