import { variable } from "../scan/message-shaper.ts";

const nounsBeforeNames = new Set(
  "user username host hostname name named account queue topic domain package program module database table class group role tag zone region image app application process client".split(
    " ",
  ),
);

/** Words that tell what happened to the noun before them, not its name. */
const notNames = new Set(
  "up down is was has not no in on off to from for with and or at by ok failed unknown".split(" "),
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

/** True for the name of a user, whoever else is named there: nobody is part of the wording. */
export function isUserName(elements: readonly string[], place: number): boolean {
  const word = elements[place] ?? "";
  const before = `${elements[place - 2] ?? ""} ${elements[place - 1] ?? ""}`.toLowerCase();
  return /^(?:for|by|of|as|invalid|illegal) user$/.test(before) && /^[a-z][\w-]*$/.test(word) && !notNames.has(word);
}

/** True where words are most likely values: after a noun that is usually followed by a name, and not verbs. */
export function isValuePosition(elements: readonly string[], place: number, words: readonly string[]): boolean {
  const before = elements[place - 1]?.toLowerCase() ?? "";
  const noun = before === ":" ? (elements[place - 2]?.toLowerCase() ?? "") : before;
  return (
    nounsBeforeNames.has(noun) && words.every((word) => !notNames.has(word.toLowerCase()) && !/(?:ed|ing)$/.test(word))
  );
}

const states = new Set("up down on off open opened closed online offline enabled disabled ok failed".split(" "));

/** True for words that say what happened (`started`, `stopped`, `stalling`): however many there are, each is an event of its own. */
export function tellEvents(words: readonly string[]): boolean {
  const told = words.filter(
    (word) => /^[a-z]+(?:ed|ing|lost|sent|read|run)$/i.test(word) || states.has(word.toLowerCase()),
  );
  return told.length * 3 >= words.length * 2;
}
