import { type Atom, type Binding, isVariable, substitute, writeAtom } from "./atom.ts";
import type { Check, Compiled } from "./compile.ts";
import { findBindings, findFirings } from "./fact-base.ts";
import type { Derived } from "./derive.ts";
import { applyCheck } from "./literal.ts";
import type { Unknown } from "./rule.ts";

type Finding = { fact: string; rule: string; concludes: string[]; defeats: string[] };

/** The facts that nobody stated and that would let a rule fire, or keep it from firing: unknown is not false (law spec §2.4). */
export function findUnknowns({ base, given }: Derived, rules: Compiled[]): Unknown[] {
  const findings = rules.flatMap((rule) => [...findMissing(base, rule), ...findPresumed(base, given, rule)]);
  const byFact = Map.groupBy(findings, ({ fact }) => fact);
  return [...byFact]
    .map(([fact, of]) => {
      const defeats = sortDistinct(of.flatMap((one) => one.defeats));
      const known = {
        fact,
        needed_by: sortDistinct(of.map(({ rule }) => rule)),
        would_conclude: sortDistinct(of.flatMap((one) => one.concludes)),
      };
      return defeats.length > 0 ? { ...known, would_defeat: defeats } : known;
    })
    .toSorted((a, b) => (a.fact < b.fact ? -1 : Number(a.fact > b.fact)));
}

/** What a rule still asks for: its other conditions hold, and nothing denies what is missing. */
function findMissing(base: Derived["base"], rule: Compiled): Finding[] {
  if (rule.asked.length === 0) return [];
  return findBindings(base, rule.facts, []).flatMap((binding) => {
    if (!rule.checks.every((check) => isOpen(check, binding) || applyCheck(check, binding).length > 0)) return [];
    if (rule.asked.some(({ atom }) => base.denies(atom, binding))) return [];
    const open = rule.asked.filter(({ atom }) => base.match(atom, binding).length === 0);
    const concludes = rule.conclude.map((atom) => showAtom(atom, binding)).filter((fact) => !fact.includes("?"));
    return open.map(({ atom }) => ({ fact: showAtom(atom, binding), rule: rule.rule.id, concludes, defeats: [] }));
  });
}

/** A check that speaks of something not yet known cannot fail. */
function isOpen(check: Check, binding: Binding): boolean {
  if (check.kind === "value") return true;
  const names = `${check.left} ${check.right}`.match(/[A-Z]\w*/g) ?? [];
  return names.some((name) => !binding.has(name));
}

/** What a rule that fired presumed to be absent. */
function findPresumed(base: Derived["base"], given: Derived["given"], rule: Compiled): Finding[] {
  if (rule.unless.length === 0) return [];
  return findFirings(base, given, rule).flatMap((binding) => {
    const open = rule.unless.filter((exception) => !given.denies(exception, binding));
    const defeats = rule.conclude.map((atom) => showAtom(atom, binding));
    return open.map((atom) => ({ fact: showAtom(atom, binding), rule: rule.rule.id, concludes: [], defeats }));
  });
}

function showAtom(atom: Atom, binding: Binding): string {
  const { args, ...rest } = substitute(atom, binding);
  return writeAtom({ ...rest, args: args.map((arg) => (isVariable(arg) ? "?" : arg)) });
}

function sortDistinct(values: string[]): string[] {
  return [...new Set(values)].toSorted();
}
