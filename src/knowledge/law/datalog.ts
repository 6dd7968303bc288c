/** `predicate(arg, arg)` or its strong negation. Arguments that start with a capital are variables. */
export type Atom = { predicate: string; args: string[]; negated: boolean };

/** What variables stand for. */
export type Binding = ReadonlyMap<string, string>;

/** Reads "class(sawah, pusako_tinggi)" or "not consensus(sawah)"; throws on anything else. */
export function readAtom(text: string): Atom {
  const match = /^\s*(not\s+)?([a-z][a-z0-9_]*)\s*\(\s*([^()]*?)\s*\)\s*$/.exec(text);
  if (!match) throw new Error(`"${text}" is not a fact: write predicate(argument, …), or "not predicate(…)"`);
  const [, not, predicate = "", args = ""] = match;
  return { predicate, args: args === "" ? [] : args.split(",").map((arg) => arg.trim()), negated: not !== undefined };
}

/** Writes an atom in its canonical form. */
export function writeAtom({ predicate, args, negated }: Atom): string {
  return `${negated ? "not " : ""}${predicate}(${args.join(", ")})`;
}

export function negate(atom: Atom): Atom {
  return { ...atom, negated: !atom.negated };
}

export function isVariable(arg: string): boolean {
  return /^[A-Z]/.test(arg);
}

/** The atom with its bound variables replaced. */
export function substitute(atom: Atom, binding: Binding): Atom {
  return { ...atom, args: atom.args.map((arg) => binding.get(arg) ?? arg) };
}

function unify(pattern: Atom, ground: Atom, binding: Binding): Binding | null {
  if (pattern.negated !== ground.negated || pattern.args.length !== ground.args.length) return null;
  const extended = new Map(binding);
  for (const [index, arg] of pattern.args.entries()) {
    const value = ground.args[index] ?? "";
    const known = isVariable(arg) ? extended.get(arg) : arg;
    if (known === undefined) extended.set(arg, value);
    else if (known !== value) return null;
  }
  return extended;
}

/** Known facts, found by predicate. */
export class FactBase {
  readonly #byText = new Map<string, Atom>();
  readonly #byPredicate = new Map<string, Atom[]>();

  constructor(atoms: Iterable<Atom>) {
    for (const atom of atoms) this.add(atom);
  }

  /** Adds a ground fact; false when it was known. */
  add(atom: Atom): boolean {
    const text = writeAtom(atom);
    if (this.#byText.has(text)) return false;
    this.#byText.set(text, atom);
    this.#byPredicate.set(atom.predicate, [...(this.#byPredicate.get(atom.predicate) ?? []), atom]);
    return true;
  }

  atoms(): Atom[] {
    return [...this.#byText.values()];
  }

  /** Every way to make the pattern a known fact. */
  match(pattern: Atom, binding: Binding): Binding[] {
    const wanted = substitute(pattern, binding);
    if (!wanted.args.some(isVariable)) return this.#byText.has(writeAtom(wanted)) ? [binding] : [];
    return (this.#byPredicate.get(pattern.predicate) ?? []).flatMap((atom) => unify(wanted, atom, binding) ?? []);
  }
}

/**
 * One condition of a rule: a fact that must be known; one worth asking for when it is not (`ask p(X)`); a comparison
 * (`N >= 3`, `X != Y`); or a value worked out from known ones (`F := 1 / (N + 1)`).
 */
export type Literal =
  | { kind: "fact"; atom: Atom; ask: boolean }
  | { kind: "comparison"; left: string; operator: string; right: string }
  | { kind: "value"; variable: string; expression: string };
export type Check = Exclude<Literal, { kind: "fact" }>;

/** Reads a condition; throws on anything else. */
export function readLiteral(text: string): Literal {
  const [, variable, expression = ""] = /^([A-Z]\w*)\s*:=\s*(.+)$/.exec(text) ?? [];
  if (variable !== undefined) return { kind: "value", variable, expression };
  const [, left, operator = "", right = ""] = /^([^(]+?|\(.*\)[^(]*?)\s*(>=|<=|!=|>|<|=)\s*(.+)$/.exec(text) ?? [];
  if (left !== undefined) return { kind: "comparison", left, operator, right };
  const ask = text.startsWith("ask ");
  return { kind: "fact", atom: readAtom(ask ? text.slice(4) : text), ask };
}

/** The bindings under which a comparison or value holds: none or one. */
export function applyCheck(check: Check, binding: Binding): Binding[] {
  if (check.kind === "comparison") return compare(check, binding) ? [binding] : [];
  const result = evaluate(fill(check.expression, binding));
  return result ? [new Map([...binding, [check.variable, writeRational(result)]])] : [];
}

function compare({ left, operator, right }: Extract<Check, { kind: "comparison" }>, binding: Binding): boolean {
  const [a, b] = [fill(left, binding), fill(right, binding)];
  const [x, y] = [evaluate(a) ?? readRational(a), evaluate(b) ?? readRational(b)];
  if (!x || !y) return operator === "=" ? a.trim() === b.trim() : operator === "!=" && a.trim() !== b.trim();
  const order = x.numerator * y.denominator - y.numerator * x.denominator;
  const isEqual = order === 0;
  if (operator === "!=") return !isEqual;
  return (
    (operator.includes("=") && isEqual) || (operator.includes(">") ? order > 0 : operator.includes("<") && order < 0)
  );
}

function fill(expression: string, binding: Binding): string {
  return expression.replaceAll(/[A-Z]\w*/g, (name) => {
    const value = binding.get(name) ?? name;
    return isVariable(value) || !value.includes("/") ? value : `(${value})`;
  });
}

/** An exact fraction in lowest terms, with a positive denominator. */
export type Rational = { numerator: number; denominator: number };

/** Reads "3", "-2", "0.25" or "2/3"; null when the text is not a number. */
export function readRational(text: string): Rational | null {
  const [, whole, below, decimals] = /^(-?\d+)(?:\/(\d+)|\.(\d{1,6}))?$/.exec(text.trim()) ?? [];
  if (whole === undefined || Number(below) === 0) return null;
  if (decimals !== undefined) return reduce(Number(`${whole}${decimals}`), 10 ** decimals.length);
  return reduce(Number(whole), Number(below ?? 1));
}

/** Writes "3" or "2/3". */
export function writeRational({ numerator, denominator }: Rational): string {
  return denominator === 1 ? `${numerator}` : `${numerator}/${denominator}`;
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
    const sum = right && left.numerator * right.denominator + sign * right.numerator * left.denominator;
    left = right && reduce(sum ?? 0, left.denominator * right.denominator);
  }
  return left;
}

function parseProduct(rest: string[]): Rational | null {
  let left = parseFactor(rest);
  while (left && (rest[0] === "*" || rest[0] === "/")) {
    const isTimes = rest.shift() === "*";
    const right = parseFactor(rest);
    if (!right || (!isTimes && right.numerator === 0)) return null;
    const by = isTimes ? right : { numerator: right.denominator, denominator: right.numerator };
    left = reduce(left.numerator * by.numerator, left.denominator * by.denominator);
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
