const none = "–";

/** A number for people: shares as per cent with one decimal, counts as they are. */
export function valueText(value: number | null | undefined, asShare = true): string {
  if (value === null || value === undefined || Number.isNaN(value)) return none;
  if (asShare) return `${(value * 100).toFixed(1)} %`;
  return Number.isInteger(value) ? countText(value) : value.toFixed(value < 10 ? 2 : 1);
}

/** `58.0–64.1` */
export function formatRange({ low, high }: { low: number; high: number }, asShare = true): string {
  const text = (value: number): string => {
    const rounded = Math.round(value * (asShare ? 1000 : 10)) / 10;
    return `${rounded < 0 ? "−" : ""}${Math.abs(rounded).toFixed(1)}`;
  };
  return `${text(low)} to ${text(high)}`;
}

/** A difference of shares in points, with its sign. */
export function formatPoints(value: number | null | undefined): string {
  if (value === null || value === undefined) return none;
  const rounded = Math.round(value * 1000) / 10;
  return `${rounded > 0 ? "+" : rounded < 0 ? "−" : "±"}${Math.abs(rounded).toFixed(1)}`;
}

/** A number between −1 and 1 with two decimals. */
export function formatSigned(value: number): string {
  return value.toFixed(2).replace("-", "−");
}

/** A p-value; none is ever shown as zero. */
export function formatP(p: number): string {
  return p < 0.001 ? "< 0.001" : p > 0.999 ? "1" : p.toFixed(3);
}

/** A number of a rule or a reply: whole ones grouped, others with at most three digits after the point. */
export function formatNumber(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString("en") : String(Number(value.toFixed(3)));
}

/** A count with thin groups of three. */
export function countText(value: number): string {
  return Math.round(value)
    .toString()
    .replaceAll(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
}

/** A count in few characters: 950, 12.3k, 4.6M. */
export function formatShortCount(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)}M`;
  return value >= 1e4 ? `${(value / 1e3).toFixed(1)}k` : countText(value);
}

/** An amount in USD; unknown is not zero. */
export function formatUsd(value: number | null): string {
  if (value === null) return "unknown";
  if (value === 0) return "$0";
  return value < 0.00005 ? "under $0.0001" : value < 0.1 ? `$${value.toFixed(4)}` : `$${value.toFixed(2)}`;
}

/** Whether a metric's values are shares of one. */
export function isShare(values: readonly number[]): boolean {
  return values.every((value) => value >= -1 && value <= 1);
}

/** `1 case`, `2 cases`. */
export function formatCount(value: number, noun: string, plural = `${noun}s`): string {
  return `${countText(value)} ${value === 1 ? noun : plural}`;
}

/** A size in few characters: 812 bytes, 48 KB, 1.2 MB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return formatCount(bytes, "byte");
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
