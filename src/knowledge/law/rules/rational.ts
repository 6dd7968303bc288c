/** An exact fraction in lowest terms, with a positive denominator. */
export type Rational = { numerator: number; denominator: number };

/** Reads "3", "-2", "0.25" or "2/3"; null when the text is not a number. */
export function readRational(text: string): Rational | null {
  const match = /^(-?\d+)(?:\/(\d+)|\.(\d{1,6}))?$/.exec(text.trim());
  if (!match) return null;
  const [, whole = "0", below, decimals] = match;
  if (decimals !== undefined) return reduce(Number(`${whole}${decimals}`), 10 ** decimals.length);
  return below === undefined
    ? reduce(Number(whole), 1)
    : Number(below) === 0
      ? null
      : reduce(Number(whole), Number(below));
}

/** Writes "3" or "2/3". */
export function writeRational({ numerator, denominator }: Rational): string {
  return denominator === 1 ? `${numerator}` : `${numerator}/${denominator}`;
}

/** Negative, zero or positive as a is less than, equal to or greater than b. */
export function compareRational(a: Rational, b: Rational): number {
  return a.numerator * b.denominator - b.numerator * a.denominator;
}

/** Evaluates `+ - * /` and parentheses over numbers; null when it is anything else or divides by zero. */
export function evaluate(expression: string): Rational | null {
  const tokens = expression.match(/\d+(?:\.\d+)?|[-+*/()]/g) ?? [];
  if (tokens.join("") !== expression.replaceAll(/\s+/g, "")) return null;
  const rest = [...tokens];
  const value = parseSum(rest);
  return rest.length === 0 ? value : null;
}

function parseSum(rest: string[]): Rational | null {
  let left = parseProduct(rest);
  while (left && (rest[0] === "+" || rest[0] === "-")) {
    const sign = rest.shift() === "+" ? 1 : -1;
    const right = parseProduct(rest);
    left =
      right &&
      reduce(
        left.numerator * right.denominator + sign * right.numerator * left.denominator,
        left.denominator * right.denominator,
      );
  }
  return left;
}

function parseProduct(rest: string[]): Rational | null {
  let left = parseFactor(rest);
  while (left && (rest[0] === "*" || rest[0] === "/")) {
    const times = rest.shift() === "*";
    const right = parseFactor(rest);
    if (!right || (!times && right.numerator === 0)) return null;
    left = times
      ? reduce(left.numerator * right.numerator, left.denominator * right.denominator)
      : reduce(left.numerator * right.denominator, left.denominator * right.numerator);
  }
  return left;
}

function parseFactor(rest: string[]): Rational | null {
  const token = rest.shift();
  if (token !== "(") return token === undefined ? null : readRational(token);
  const inner = parseSum(rest);
  return rest.shift() === ")" ? inner : null;
}

function reduce(numerator: number, denominator: number): Rational {
  const sign = denominator < 0 ? -1 : 1;
  const divisor = findDivisor(Math.abs(numerator), Math.abs(denominator)) || 1;
  return { numerator: (sign * numerator) / divisor, denominator: (sign * denominator) / divisor };
}

function findDivisor(a: number, b: number): number {
  return b === 0 ? a : findDivisor(b, a % b);
}
