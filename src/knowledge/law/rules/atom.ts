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

/** The atom that says the opposite. */
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

export function isGround(atom: Atom): boolean {
  return !atom.args.some(isVariable);
}

/** The binding extended so that the pattern equals the ground atom, or null. */
export function unify(pattern: Atom, ground: Atom, binding: Binding): Binding | null {
  if (pattern.predicate !== ground.predicate || pattern.negated !== ground.negated) return null;
  if (pattern.args.length !== ground.args.length) return null;
  const extended = new Map(binding);
  for (const [index, arg] of pattern.args.entries()) {
    const value = ground.args[index] ?? "";
    const known = isVariable(arg) ? extended.get(arg) : arg;
    if (known === undefined) extended.set(arg, value);
    else if (known !== value) return null;
  }
  return extended;
}
