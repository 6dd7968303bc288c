const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Reads 500ms, 90s, 5m or 2h into milliseconds; a bare number is seconds. Null when it is no time. */
export function durationMs(text: string): number | null {
  const match = /^(\d{1,12}(?:\.\d{1,9})?)(ms|s|m|h)?$/.exec(text);
  return match ? Number(match[1]) * unitMs[(match[2] ?? "s") as keyof typeof unitMs] : null;
}

/** Milliseconds as a person would write them. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${Number((ms / 1_000).toFixed(1))} s`;
  return ms < 7_200_000 ? `${Number((ms / 60_000).toFixed(1))} min` : `${Number((ms / 3_600_000).toFixed(1))} h`;
}
