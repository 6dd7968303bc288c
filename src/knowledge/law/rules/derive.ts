import { type Atom, type Binding, readAtom, substitute, writeAtom } from "./atom.ts";
import { type Compiled, makesValues } from "./compile.ts";
import { FactBase, findFirings } from "./fact-base.ts";
import type { Fact } from "./rule.ts";

/** One use of a rule: what it concluded, from which facts, with which binding. */
export type Derivation = { fact: Fact; rule: Compiled; binding: Binding; from: Fact[] };

/** What the rules derive: all facts, and every way in which each was derived. */
export type Derived = { given: FactBase; base: FactBase; derivations: Derivation[] };

/**
 * Forward chaining to a fixpoint (law spec §2.4). Rules only add facts, and constants come from the facts and rules
 * alone, so it ends; rules that work out values run once, between two fixpoints. The order of facts and rules does not matter.
 */
export function derive(facts: Fact[], rules: Compiled[]): Derived {
  const given = new FactBase(facts.map(readAtom));
  const plain = rules.filter((rule) => !makesValues(rule));
  const valued = rules.filter(makesValues);
  const before = new FactBase(given.atoms());
  chain(before, given, plain);
  const base = new FactBase(before.atoms());
  for (const atom of valued.flatMap((rule) => concludeAtoms(before, given, rule))) base.add(atom);
  chain(base, given, plain);
  const derivations = [
    ...plain.flatMap((rule) => listDerivations(base, given, rule)),
    ...valued.flatMap((rule) => listDerivations(before, given, rule)),
  ];
  return { given, base, derivations: derivations.toSorted(compareDerivations) };
}

function chain(base: FactBase, given: FactBase, rules: Compiled[]): void {
  for (let grew = true; grew; ) {
    const found = rules.flatMap((rule) => concludeAtoms(base, given, rule));
    grew = found.filter((atom) => base.add(atom)).length > 0;
  }
}

function concludeAtoms(base: FactBase, given: FactBase, rule: Compiled): Atom[] {
  return findFirings(base, given, rule).flatMap((binding) => rule.conclude.map((atom) => substitute(atom, binding)));
}

function listDerivations(base: FactBase, given: FactBase, rule: Compiled): Derivation[] {
  return findFirings(base, given, rule).flatMap((binding) => {
    const from = [...rule.facts, ...rule.asked].map(({ atom }) => writeAtom(substitute(atom, binding)));
    return rule.conclude
      .map((atom) => writeAtom(substitute(atom, binding)))
      .filter((fact) => !from.includes(fact))
      .map((fact) => ({ fact, rule, binding, from }));
  });
}

function compareDerivations(a: Derivation, b: Derivation): number {
  const [left, right] = [a, b].map(({ fact, rule, from }) => `${fact}|${rule.rule.id}|${from.join(";")}`);
  return (left ?? "") < (right ?? "") ? -1 : Number((left ?? "") > (right ?? ""));
}
