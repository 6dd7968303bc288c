import { type Atom, type Binding, isVariable, substitute, writeAtom } from "./atom.ts";
import type { Check, Compiled } from "./compile.ts";
import { bindingsOf, firings } from "./fact-base.ts";
import type { Derived } from "./derive.ts";
import { settle } from "./literal.ts";
import type { Unknown } from "./rule.ts";

type Finding = { fact: string; rule: string; concludes: string[]; defeats: string[] };

/** The facts that nobody stated and that would let a rule fire, or keep it from firing: unknown is not false (law spec §2). */
export function unknownsOf({ base, given }: Derived, rules: Compiled[]): Unknown[] {
  const findings = rules.flatMap((rule) => [...missing(base, rule), ...presumed(base, given, rule)]);
  const byFact = Map.groupBy(findings, ({ fact }) => fact);
  return [...byFact]
    .map(([fact, of]) => {
      const defeats = unique(of.flatMap((one) => one.defeats));
      const known = {
        fact,
        needed_by: unique(of.map(({ rule }) => rule)),
        would_conclude: unique(of.flatMap((one) => one.concludes)),
      };
      return defeats.length > 0 ? { ...known, would_defeat: defeats } : known;
    })
    .toSorted((a, b) => (a.fact < b.fact ? -1 : Number(a.fact > b.fact)));
}

/** What a rule still asks for: its other conditions hold, and nothing denies what is missing. */
function missing(base: Derived["base"], rule: Compiled): Finding[] {
  if (rule.asked.length === 0) return [];
  return bindingsOf(base, rule.facts, []).flatMap((binding) => {
    if (!rule.checks.every((check) => isOpen(check, binding) || settle(check, binding).length > 0)) return [];
    if (rule.asked.some(({ atom }) => base.denies(atom, binding))) return [];
    const open = rule.asked.filter(({ atom }) => base.match(atom, binding).length === 0);
    const concludes = rule.conclude.map((atom) => shown(atom, binding)).filter((fact) => !fact.includes("?"));
    return open.map(({ atom }) => ({ fact: shown(atom, binding), rule: rule.rule.id, concludes, defeats: [] }));
  });
}

/** A check that speaks of something not yet known cannot fail. */
function isOpen(check: Check, binding: Binding): boolean {
  if (check.kind === "value") return true;
  const names = `${check.left} ${check.right}`.match(/[A-Z]\w*/g) ?? [];
  return names.some((name) => !binding.has(name));
}

/** What a rule that fired presumed to be absent. */
function presumed(base: Derived["base"], given: Derived["given"], rule: Compiled): Finding[] {
  if (rule.unless.length === 0) return [];
  return firings(base, given, rule).flatMap((binding) => {
    const open = rule.unless.filter((exception) => !given.denies(exception, binding));
    const defeats = rule.conclude.map((atom) => shown(atom, binding));
    return open.map((atom) => ({ fact: shown(atom, binding), rule: rule.rule.id, concludes: [], defeats }));
  });
}

function shown(atom: Atom, binding: Binding): string {
  const { args, ...rest } = substitute(atom, binding);
  return writeAtom({ ...rest, args: args.map((arg) => (isVariable(arg) ? "?" : arg)) });
}

function unique(values: string[]): string[] {
  return [...new Set(values)].toSorted();
}
