import { type Atom, negate, writeAtom } from "./atom.ts";
import type { Derived } from "./derive.ts";
import type { Contradiction } from "./rule.ts";
import { systems } from "./systems.ts";

type Sayer = (fact: string) => { by: string[]; statement: string; statement_en: string };

/** Facts that cannot both hold, inside one system or between two; both stay in the result (law spec §2.4). */
export function findContradictions({ base }: Derived, say: Sayer): Contradiction[] {
  const atoms = base.atoms();
  const denied = atoms.filter(({ negated }) => negated);
  return denied
    .flatMap((no) => atoms.filter((yes) => isOpposite(yes, no)).map((yes) => describe(yes, no, say)))
    .toSorted((a, b) => (a.facts.join() < b.facts.join() ? -1 : 1));
}

function isOpposite(yes: Atom, no: Atom): boolean {
  if (yes.negated || yes.predicate !== no.predicate || yes.args.length !== no.args.length) return false;
  if (writeAtom(negate(yes)) === writeAtom(no)) return true;
  const [system = "", ...rest] = yes.args;
  const [other = "", ...matters] = no.args;
  return rest.length > 0 && systems.has(system) && systems.has(other) && rest.join() === matters.join();
}

function describe(yes: Atom, no: Atom, say: Sayer): Contradiction {
  const facts: [string, string] = [writeAtom(yes), writeAtom(no)];
  const [pro, contra] = [say(facts[0]), say(facts[1])];
  return {
    kind: yes.args[0] === no.args[0] ? "within" : "between",
    facts,
    by: [...new Set([...pro.by, ...contra.by])].toSorted(),
    statement: `${pro.statement} ↔ ${contra.statement}`,
    statement_en: `${pro.statement_en} ↔ ${contra.statement_en}`,
  };
}
