import { digit, type Need } from "./likely-forms.ts";

type TimeForm = { pattern: RegExp; needs: Need; read(found: string[]): number | null };

const noons = new Map([
  ["noon", 720],
  ["midday", 720],
  ["midnight", 0],
  ["정오", 720],
  ["자정", 0],
]);

/** The ways in which a time of day is written; each gives minutes since midnight. */
export const timeForms: TimeForm[] = [
  {
    pattern: /(?<![\p{N}.,])(\d{1,2})(?:[:.](\d{2}))?\s*([ap])\.?m\.?(?![\p{L}])/giu,
    needs: { words: ["am", "pm", "m"], mark: digit },
    read: ([h, m, half]) => clock(Number(h) % 12, m, half?.toLowerCase() === "p"),
  },
  {
    pattern: /(오전|오후|저녁|아침|밤)\s*(\d{1,2})\s*시(?!간)(?:\s*(\d{1,2})\s*분)?/gu,
    needs: { words: [] },
    read: ([half, h, m]) => clock(Number(h) % 12, m, half !== "오전" && half !== "아침"),
  },
  {
    pattern: /(?<!\d)(\d{1,2})\s*시(?!간)(?:\s*(\d{1,2})\s*분)?/gu,
    needs: { words: [] },
    read: ([h, m]) => clock(Number(h), m, false),
  },
  {
    pattern: /(?<![\p{L}])(?:pukul|jam)\s+(\d{1,2})(?:[:.](\d{2}))?(?:\s+(pagi|siang|sore|malam))?(?![\p{L}\p{N}])/giu,
    needs: { words: ["pukul", "jam"], mark: digit },
    read: ([h, m, part]) =>
      clock(
        Number(h) % (part ? 12 : 24),
        m,
        part === "sore" || part === "malam" || (part === "siang" && Number(h) !== 11),
      ),
  },
  {
    pattern: /(?<![\p{N}.,:])([01]?\d|2[0-4]):([0-5]\d)(?![\p{N}:])/gu,
    needs: { mark: /\d:\d/ },
    read: ([h, m]) => clock(Number(h), m, false),
  },
  {
    pattern: /(?<![\p{L}])(noon|midday|midnight)(?![\p{L}])|(정오|자정)/giu,
    needs: { words: [...noons.keys()] },
    read: (found) => noons.get((found.find(Boolean) ?? "").toLowerCase()) ?? null,
  },
];

const weekdays = [
  "sunday monday tuesday wednesday thursday friday saturday",
  "minggu senin selasa rabu kamis jumat sabtu",
  "일요일 월요일 화요일 수요일 목요일 금요일 토요일",
].map((names) => names.split(" "));

/** Matches a day of the week; "minggu" alone is a week, so it needs its "hari". */
export const weekdayForm = new RegExp(
  String.raw`(?<![\p{L}])(?:${weekdays[0]?.join("|")})s?(?![\p{L}])|(?<![\p{L}])hari minggu(?![\p{L}])|(?<![\p{L}])(?:hari )?(?:${weekdays[1]?.slice(1).join("|")}|jum'at)(?![\p{L}])|${weekdays[2]?.join("|")}`,
  "giu",
);

/** The words without which no day of the week is named. */
export const weekdayWords: readonly string[] = [...weekdays.flat().flatMap((name) => [name, `${name}s`]), "jum"];

/** Reads the name of a weekday; Sunday is 0. */
export function readWeekday(name: string): number | null {
  const plain = name
    .toLowerCase()
    .replace(/^hari /, "")
    .replace("'", "");
  const found = weekdays.map((names) => names.findIndex((one) => plain === one || plain === `${one}s`));
  return found.find((day) => day >= 0) ?? null;
}

function clock(hours: number, minutes: string | undefined, afternoon: boolean): number | null {
  const total = (hours + (afternoon ? 12 : 0)) * 60 + Number(minutes ?? 0);
  return hours > 24 || Number.isNaN(total) ? null : total % 1440;
}
