import type { Calendar } from "./calendar.ts";
import type { TimestampNumbers } from "./timestamp-numbers.ts";

/** Makes epoch milliseconds of the numbers of a timestamp; NaN when they do not make a time. */
type ReadLayout = (numbers: TimestampNumbers, calendar: Calendar) => number;

/**
 * How timestamps order their numbers: `Y` year, `y` two-digit year, `M` month, `D` day, `h m s`, `f` fraction, `N` the
 * month by name.
 */
export const timestampLayouts = {
  YMDhmsf: readFullDate,
  yMDhmsf: (numbers, calendar) =>
    numbers.addTimeOfDay(calendar.startOfDay(2000 + numbers.at(0), numbers.at(1), numbers.at(2)), 3),
  /** Some sources of this layout do have a year, with four digits. */
  MDhmsf: (numbers, calendar) =>
    numbers.widthAt(0) === 4
      ? readFullDate(numbers, calendar)
      : numbers.addTimeOfDay(calendar.startOfYearlessDay(numbers.at(0), numbers.at(1)), 2),
  /** Month and day without a separator: `0314 15:00:01`. */
  mmddhmsf: (numbers, calendar) => {
    const [month, day] = [Math.floor(numbers.at(0) / 100), numbers.at(0) % 100];
    return numbers.addTimeOfDay(calendar.startOfYearlessDay(month, day), 1);
  },
  NDhms: (numbers, calendar) =>
    numbers.widthAt(1) === 4
      ? numbers.addTimeOfDay(calendar.startOfDay(numbers.at(1), numbers.month, numbers.at(0)), 2)
      : numbers.addTimeOfDay(calendar.startOfYearlessDay(numbers.month, numbers.at(0)), 1),
  NDhmsY: (numbers, calendar) => {
    const last = numbers.count - 1;
    return numbers.addTimeOfDay(calendar.startOfDay(numbers.at(last), numbers.month, numbers.at(0)), 1, last);
  },
  DNYhms: (numbers, calendar) =>
    numbers.addTimeOfDay(calendar.startOfDay(numbers.at(1), numbers.month, numbers.at(0)), 2) - numbers.readZone(),
  /** Seconds, milliseconds, microseconds or nanoseconds since 1970, by their size. */
  epoch: (numbers) => {
    const value = numbers.at(0);
    if (value > 1e17) return Math.floor(value / 1e6);
    if (value > 1e14) return Math.floor(value / 1e3);
    return value > 1e11 ? value : Math.round((value + numbers.fractionAt(1)) * 1000);
  },
  /** A time of day without a date. */
  hmsf: (numbers) => numbers.addTimeOfDay(0, 0),
  /** Seconds since the machine started. */
  uptime: (numbers) => Math.round((numbers.at(0) + numbers.fractionAt(1)) * 1000),
} satisfies Record<string, ReadLayout>;

export type TimestampLayout = keyof typeof timestampLayouts;

function readFullDate(numbers: TimestampNumbers, calendar: Calendar): number {
  const day = calendar.startOfDay(numbers.at(0), numbers.at(1), numbers.at(2));
  return numbers.addTimeOfDay(day, 3) - numbers.readZone();
}
