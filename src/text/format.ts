const none = "–";

export function valueText(value: number | null | undefined, asShare = true): string {
  if (value === null || value === undefined || Number.isNaN(value)) return none;
  if (asShare) return `${(value * 100).toFixed(1)}%`;
  return Number.isInteger(value) ? countText(value) : value.toFixed(value < 10 ? 2 : 1);
}

export function formatRange({ low, high }: { low: number; high: number }, asShare = true): string {
  const text = (value: number): string => {
    const rounded = Math.round(value * (asShare ? 1000 : 10)) / 10;
    return `${rounded < 0 ? "−" : ""}${Math.abs(rounded).toFixed(1)}`;
  };
  return `${text(low)} to ${text(high)}`;
}

export function formatPoints(value: number | null | undefined): string {
  if (value === null || value === undefined) return none;
  const rounded = Math.round(value * 1000) / 10;
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : "±"}${Math.abs(rounded).toFixed(1)}`;
}

export function formatSigned(value: number): string {
  return value.toFixed(2).replace("-", "−");
}

/** Never shows zero. */
export function formatP(p: number): string {
  return p < 0.001 ? "< 0.001" : p > 0.999 ? "1" : p.toFixed(3);
}

export function countText(value: number): string {
  return Math.round(value)
    .toString()
    .replaceAll(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

export function formatShortCount(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)}M`;
  return value >= 1e4 ? `${(value / 1e3).toFixed(1)}k` : countText(value);
}

/** Unknown is not zero. */
export function formatUsd(value: number | null): string {
  if (value === null) return "unknown";
  if (value === 0) return "$0";
  return value < 0.00005 ? "under $0.0001" : value < 0.1 ? `$${value.toFixed(4)}` : `$${value.toFixed(2)}`;
}

export function isShare(values: readonly number[]): boolean {
  return values.every((value) => value >= -1 && value <= 1);
}

export function formatCount(value: number, noun: string, plural = `${noun}s`): string {
  return `${countText(value)} ${value === 1 ? noun : plural}`;
}

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses 500ms, 90s, 5m, 2h or 3d to milliseconds; a bare number is seconds. Null if invalid. */
export function durationMs(text: string): number | null {
  const match = /^(\d{1,12}(?:\.\d{1,9})?)(ms|s|m|h|d)?$/.exec(text);
  return match ? Number(match[1]) * unitMs[(match[2] ?? "s") as keyof typeof unitMs] : null;
}

/** `3.2 ms`, `340 ms`, `1.5 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
  if (ms < 119_950) return `${Number((ms / 1_000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1_000);
  return seconds < 7_200
    ? formatTwoUnits(seconds, 60, ["min", "s"])
    : formatTwoUnits(Math.round(seconds / 60), 60, ["h", "min"]);
}

export function formatSeconds(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return seconds === 0 ? "0 s" : formatDuration(seconds * 1_000);
}

function formatTwoUnits(amount: number, size: number, [large, small]: [string, string]): string {
  const rest = amount % size;
  return rest === 0 ? `${amount / size} ${large}` : `${Math.floor(amount / size)} ${large} ${rest} ${small}`;
}

export function shortenText(text: string, most = 80): string {
  const line = text.toWellFormed().replaceAll(/[\u0000-\u001F\u007F]+/g, " ");
  return cutText(line, most);
}

export function cutText(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, Math.max(0, most - 1))}…` : text;
}

/** Characters that control a terminal or the reading direction: C0 except tab and newline, DEL, C1, direction marks. */
const steering =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]|\r(?!\n)/;
const everySteering = new RegExp(steering, "g");

/** Text as a part of a pattern, where each of its characters means itself. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[$.*+?^{}()|[\]\\/]/g, String.raw`\$&`);
}

/** Makes text safe for a terminal: control characters become `\u001b`. JSON stays the same JSON. */
export function makePrintable(text: string): string {
  if (!steering.test(text)) return text;
  return text.replaceAll(everySteering, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const maxDepth = 200;

/** Why a value is not plain data: a cycle, a key that would reach a prototype, endless nesting, what JSON would lose. */
export function findUnplain(value: unknown): { path: PropertyKey[]; message: string } | null {
  type Open = { value: unknown; path: PropertyKey[]; within: readonly unknown[] };
  const open: Open[] = [{ value, path: [], within: [] }];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { path, within } = one;
    if (one.value === null || typeof one.value !== "object") continue;
    if (path.length > maxDepth) return { path: path.slice(0, 5), message: `nested deeper than ${maxDepth} levels` };
    if (within.includes(one.value)) return { path, message: "contains itself" };
    const kind = Object.prototype.toString.call(one.value).slice(8, -1);
    if (kind !== "Object" && kind !== "Array") return { path, message: `a ${kind} is not plain data` };
    const inside = [...within, one.value];
    for (const [key, inner] of Array.isArray(one.value) ? one.value.entries() : Object.entries(one.value)) {
      if (key === "__proto__") return { path: [...path, key], message: '"__proto__" is not a key' };
      open.push({ value: inner, path: [...path, key], within: inside });
    }
  }
  return null;
}
