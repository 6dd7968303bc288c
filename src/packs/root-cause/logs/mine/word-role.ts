import { variable } from "./message-shape.ts";

const nounsBeforeNames = new Set(
  "user host hostname node server client service device interface domain name named account login file directory process program app application package module class queue topic table database image key group role tag command action component thread channel zone region pool volume disk container pod image".split(
    " ",
  ),
);

/** A word that looks like an identifier of something: dotted, underscored, camel case, a file name, a class. */
export function isNameLike(word: string): boolean {
  if (word.length < 3 || !/[A-Za-z]/.test(word)) return false;
  return /[._$\\/~]/.test(word) || /[a-z][A-Z]/.test(word);
}

/** True where a word says what happened or which field follows: at the start, before `=` and before a call's bracket. */
export function isLabelPosition(elements: readonly string[], place: number): boolean {
  const next = elements[place + 1];
  return place === 0 || next === "=" || next === "(" || (next === ":" && place < 3);
}

/** True where a word is most likely a value: after a noun that is usually followed by a name. */
export function isValuePosition(elements: readonly string[], place: number): boolean {
  const before = elements[place - 1]?.toLowerCase() ?? variable;
  if (nounsBeforeNames.has(before)) return true;
  return before === ":" && nounsBeforeNames.has(elements[place - 2]?.toLowerCase() ?? "");
}
