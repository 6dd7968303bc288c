/** Something in a text that must be matched exactly, and where it stands. */
export type Value = { at: number; length: number; bound: Bound } & (
  | { kind: "number"; readings: number[]; measure: string | null; factor: number }
  | { kind: "ordinal"; place: number }
  | { kind: "date"; readings: DateParts[] }
  | { kind: "time"; minutes: number }
  | { kind: "weekday"; day: number }
);

/** How a value bounds what is meant: at least, more than, at most, less than; null for the value itself. */
export type Bound = ">=" | ">" | "<=" | "<" | null;

export type DateParts = { year: number | null; month: number | null; day: number | null };

/** True when two values are the same. A number without a unit fits any unit; a date without its year fits any year. */
export function isSameValue(a: Value, b: Value): boolean {
  if (a.bound !== b.bound) return false;
  if (a.kind === "number" && b.kind === "number") return isSameAmount(a, b);
  if (a.kind === "ordinal" && b.kind === "ordinal") return a.place === b.place;
  if (a.kind === "date" && b.kind === "date")
    return a.readings.some((one) => b.readings.some((other) => isSameDate(one, other)));
  if (a.kind === "time" && b.kind === "time") return a.minutes === b.minutes;
  return a.kind === "weekday" && b.kind === "weekday" && a.day === b.day;
}

type Amount = Extract<Value, { kind: "number" }>;

/** Amounts of one measure are compared in its base; where one has no unit, the numbers are compared as they stand. */
function isSameAmount(a: Amount, b: Amount): boolean {
  const isBare = a.measure === null || b.measure === null;
  if (!isBare && a.measure !== b.measure) return false;
  const [scaleA, scaleB] = isBare ? [1, 1] : [a.factor, b.factor];
  return a.readings.some((one) => b.readings.some((other) => isClose(one * scaleA, other * scaleB)));
}

function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}

function isSameDate(a: DateParts, b: DateParts): boolean {
  const yearFits = a.year === b.year || (a.month !== null && a.day !== null && (a.year === null || b.year === null));
  return yearFits && a.month === b.month && a.day === b.day;
}
