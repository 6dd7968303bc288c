/**
 * Reads digits with separators. Which of them groups and which begins the decimals is a matter of language: a number that
 * can be read in two ways ("3.000" is three thousand in Jakarta) has both readings, the likelier first.
 */
export function readDigits(text: string): number[] {
  const digits = text.replaceAll(/[\s']/g, "").replace("−", "-");
  const separators = digits.match(/[.,]/g) ?? [];
  const [first] = separators;
  if (first === undefined) return [Number(digits)];
  if (new Set(separators).size === 2) return [readAs(digits, separators.at(-1) ?? ".")];
  if (separators.length > 1) return [readAs(digits, null)];
  const [whole = "", after = ""] = digits.split(first);
  if (after.length !== 3 || /^-?0*$/.test(whole) || whole.replace("-", "").length > 3) return [readAs(digits, first)];
  const grouped = readAs(digits, null);
  if (first === ",") return [grouped];
  const decimal = readAs(digits, ".");
  return after.endsWith("00") ? [grouped, decimal] : [decimal, grouped];
}

function readAs(digits: string, point: string | null): number {
  const plain = digits.replaceAll(/[.,]/g, (sign) => (sign === point ? sign : ""));
  return Number(point === null ? plain : plain.replace(point, "."));
}

/** Multiplies without the noise of binary fractions (4.2 million is 4200000). */
export function multiply(value: number, scale: number): number {
  const product = value * scale;
  return Number.isInteger(product) && Math.abs(product) < 1e15 ? product : Number(product.toPrecision(15));
}
