import { type Atom, type Binding, isGround, negate, substitute, unify, writeAtom } from "./atom.ts";
import type { Check, Compiled, FactLiteral } from "./compile.ts";
import { applyCheck } from "./literal.ts";

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

  has(atom: Atom): boolean {
    return this.#byText.has(writeAtom(atom));
  }

  atoms(): Atom[] {
    return [...this.#byText.values()];
  }

  /** Every way to make the pattern a known fact. */
  match(pattern: Atom, binding: Binding): Binding[] {
    const wanted = substitute(pattern, binding);
    if (isGround(wanted)) return this.has(wanted) ? [binding] : [];
    const candidates = this.#byPredicate.get(pattern.predicate) ?? [];
    return candidates.flatMap((atom) => unify(wanted, atom, binding) ?? []);
  }

  /** True when a known fact says the opposite of the (possibly open) pattern. */
  denies(pattern: Atom, binding: Binding): boolean {
    return this.match(negate(pattern), binding).length > 0;
  }
}

/** Every binding under which all conditions hold. */
export function findBindings(base: FactBase, literals: FactLiteral[], checks: Check[]): Binding[] {
  let bindings: Binding[] = [new Map()];
  for (const { atom } of literals) bindings = bindings.flatMap((binding) => base.match(atom, binding));
  for (const check of checks) bindings = bindings.flatMap((binding) => applyCheck(check, binding));
  return bindings;
}

/** Every binding under which a rule fires: all conditions known, no exception stated. */
export function findFirings(base: FactBase, given: FactBase, rule: Compiled): Binding[] {
  const bindings = findBindings(base, [...rule.facts, ...rule.asked], rule.checks);
  return bindings.filter((binding) => !rule.unless.some((exception) => given.match(exception, binding).length > 0));
}
