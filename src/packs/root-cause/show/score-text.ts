/** Points without needless decimals: 85, 85.3. */
export function printPoints(value: number): string {
  const rounded = Math.round(value * 10) / 10;
  return Number.isInteger(rounded) ? String(rounded) : rounded.toFixed(1);
}

/** Points with their sign: +5, -2.5, +0. */
export function printSigned(value: number): string {
  const rounded = Math.round(value * 10) / 10;
  return rounded < 0 ? `-${printPoints(-rounded)}` : `+${printPoints(rounded)}`;
}
