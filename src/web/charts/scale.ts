/** Places values of a range on a stretch of the picture, with ticks at round numbers. */
export type Scale = { place(value: number): number; ticks: number[] };

export function makeScale([low, high]: [number, number], [from, to]: [number, number], count = 5): Scale {
  const step = roundStep((high - low || Math.abs(high) || 1) / count);
  const start = Math.floor(low / step) * step;
  const end = Math.max(start + step, Math.ceil(high / step) * step);
  const length = Math.round((end - start) / step);
  const ticks = Array.from({ length: length + 1 }, (_, at) => Number((start + at * step).toPrecision(12)));
  return { place: (value) => from + ((value - start) / (end - start)) * (to - from), ticks };
}

/** 1, 2 or 5 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factor = [1, 2, 5, 10].find((one) => one * power >= step) ?? 10;
  return factor * power;
}

/** A share as per cent, another number in few digits. */
export function writeTick(value: number, isShare: boolean): string {
  if (isShare) return `${Number((value * 100).toFixed(1))} %`;
  return Math.abs(value) >= 1_000 ? `${Number((value / 1_000).toPrecision(3))}k` : String(Number(value.toPrecision(3)));
}
