import { type Atom, isVariable, readAtom } from "./atom.ts";
import { type Literal, readLiteral } from "./literal.ts";
import type { Rule } from "./rule.ts";

/** A rule as the engine runs it: known facts first, then what may be asked, then comparisons and values. */
export type Compiled = {
  rule: Rule;
  facts: FactLiteral[];
  asked: FactLiteral[];
  checks: Check[];
  unless: Atom[];
  conclude: Atom[];
};
export type FactLiteral = Extract<Literal, { kind: "fact" }>;
export type Check = Exclude<Literal, { kind: "fact" }>;

/** Reads a rule and checks that every variable of its conclusions is bound by its conditions. */
export function compile(rule: Rule): Compiled {
  const literals = rule.when.map(readLiteral);
  const facts = literals.filter((one): one is FactLiteral => one.kind === "fact");
  const compiled: Compiled = {
    rule,
    facts: facts.filter(({ ask }) => !ask),
    asked: facts.filter(({ ask }) => ask),
    checks: literals.filter((one): one is Check => one.kind !== "fact"),
    unless: (rule.unless ?? []).map(readAtom),
    conclude: rule.conclude.map(readAtom),
  };
  checkBound(compiled);
  return compiled;
}

/** True when the rule works out new values; such rules run once, and not over values that they made, so that chaining ends. */
export function makesValues({ checks }: Compiled): boolean {
  return checks.some(({ kind }) => kind === "value");
}

function checkBound({ rule, facts, asked, checks, unless, conclude }: Compiled): void {
  const bound = new Set([...facts, ...asked].flatMap(({ atom }) => atom.args.filter(isVariable)));
  for (const check of checks) if (check.kind === "value") bound.add(check.variable);
  const loose = [...unless, ...conclude].flatMap(({ args }) =>
    args.filter((arg) => isVariable(arg) && !bound.has(arg)),
  );
  if (loose.length > 0) throw new Error(`${rule.id}: ${loose.join(", ")} is in no condition`);
}
