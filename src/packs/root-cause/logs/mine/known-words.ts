const units = new Set(
  "b kb mb gb tb pb kib mib gib tib k m g ns us ms s sec secs second seconds min mins minute minutes h hr hrs hour hours d hz khz mhz ghz bps kbps mbps c f v w rpm".split(
    " ",
  ),
);
const months = new Set("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" "));
const weekdays = new Set("Mon Tue Wed Thu Fri Sat Sun".split(" "));
const zones = new Set("UTC GMT EST EDT CST CDT MST MDT PST PDT CET CEST BST IST JST MSK AM PM".split(" "));
const placeholders = new Set(["true", "false", "null", "nil", "root", "admin"]);

/** A unit of size or time that stands after a number (`5.2 KB`, `<1 sec`). */
export function isUnit(word: string): boolean {
  return word.length <= 7 && units.has(word.toLowerCase());
}

export function isMonth(word: string): boolean {
  return word.length === 3 && months.has(word);
}

export function isWeekday(word: string): boolean {
  return word.length === 3 && weekdays.has(word);
}

/** A time zone or half of the day after a clock time. */
export function isZone(word: string): boolean {
  return word.length <= 4 && zones.has(word);
}

/** Words that stand for a value wherever they are: truth values, nothing, and the accounts that every system has. */
export function isPlaceholder(word: string): boolean {
  return word.length >= 3 && word.length <= 5 && placeholders.has(word.toLowerCase());
}
