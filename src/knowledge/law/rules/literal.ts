import { type Atom, type Binding, isVariable, readAtom } from "./atom.ts";
import { compareRational, evaluate, readRational, writeRational } from "./rational.ts";

/**
 * One condition of a rule: a fact that must be known; one worth asking for when it is not (`ask p(X)`); a comparison
 * (`N >= 3`, `X != Y`); or a value worked out from known ones (`F := 1 / (N + 1)`).
 */
export type Literal =
  | { kind: "fact"; atom: Atom; ask: boolean }
  | { kind: "comparison"; left: string; operator: string; right: string }
  | { kind: "value"; variable: string; expression: string };

/** Reads a condition; throws on anything else. */
export function readLiteral(text: string): Literal {
  const value = /^([A-Z]\w*)\s*:=\s*(.+)$/.exec(text);
  if (value) return { kind: "value", variable: value[1] ?? "", expression: value[2] ?? "" };
  const comparison = /^([^(]+?|\(.*\)[^(]*?)\s*(>=|<=|!=|>|<|=)\s*(.+)$/.exec(text);
  if (comparison) {
    return { kind: "comparison", left: comparison[1] ?? "", operator: comparison[2] ?? "", right: comparison[3] ?? "" };
  }
  const ask = text.startsWith("ask ");
  return { kind: "fact", atom: readAtom(ask ? text.slice(4) : text), ask };
}

/** The bindings under which a comparison or value holds: none or one. */
export function applyCheck(literal: Exclude<Literal, { kind: "fact" }>, binding: Binding): Binding[] {
  if (literal.kind === "comparison") return compare(literal, binding) ? [binding] : [];
  const result = evaluate(replaceVariables(literal.expression, binding));
  return result ? [new Map([...binding, [literal.variable, writeRational(result)]])] : [];
}

function compare(
  { left, operator, right }: { left: string; operator: string; right: string },
  binding: Binding,
): boolean {
  const [a, b] = [replaceVariables(left, binding), replaceVariables(right, binding)];
  const [x, y] = [evaluate(a) ?? readRational(a), evaluate(b) ?? readRational(b)];
  if (!x || !y) return operator === "=" ? a.trim() === b.trim() : operator === "!=" && a.trim() !== b.trim();
  const order = compareRational(x, y);
  const holds: Record<string, boolean> = {
    ">": order > 0,
    ">=": order >= 0,
    "<": order < 0,
    "<=": order <= 0,
    "=": order === 0,
    "!=": order !== 0,
  };
  return holds[operator] ?? false;
}

function replaceVariables(expression: string, binding: Binding): string {
  return expression.replaceAll(/[A-Z]\w*/g, (name) => {
    const value = binding.get(name) ?? name;
    return isVariable(value) || !value.includes("/") ? value : `(${value})`;
  });
}
