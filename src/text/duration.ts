const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads 500ms, 90s, 5m, 2h or 3d into milliseconds; a bare number is seconds. Null when it is no time. */
export function durationMs(text: string): number | null {
  const match = /^(\d{1,12}(?:\.\d{1,9})?)(ms|s|m|h|d)?$/.exec(text);
  return match ? Number(match[1]) * unitMs[(match[2] ?? "s") as keyof typeof unitMs] : null;
}

/** Milliseconds as a person would write them: `3.2 ms`, `340 ms`, `1.5 s`, `3 min 20 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
  if (ms < 119_950) return `${Number((ms / 1_000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1_000);
  return seconds < 7_200
    ? formatTwoUnits(seconds, 60, ["min", "s"])
    : formatTwoUnits(Math.round(seconds / 60), 60, ["h", "min"]);
}

/** As `formatDuration`, in whole seconds: for what is drawn again and again. */
export function formatSeconds(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  return seconds === 0 ? "0 s" : formatDuration(seconds * 1_000);
}

function formatTwoUnits(amount: number, size: number, [large, small]: [string, string]): string {
  const rest = amount % size;
  return rest === 0 ? `${amount / size} ${large}` : `${Math.floor(amount / size)} ${large} ${rest} ${small}`;
}
