import { readdirSync, readFileSync } from "node:fs";
import * as z from "zod";
import {
  applyCheck,
  type Atom,
  type Binding,
  type Check,
  FactBase,
  isVariable,
  type Literal,
  negate,
  readAtom,
  readLiteral,
  substitute,
  writeAtom,
} from "./datalog.ts";
import { type Language, nameConcept } from "./words.ts";

/**
 * A ground atom in text: `class(sawah, pusako_tinggi)`, or its strong negation `not consensus(kaum)`.
 * A fact that is absent is unknown, never false (law spec §2.4).
 */
export type Fact = string;

/** A declarative rule: when every condition of `when` is known, each of `conclude` is concluded; capitalised arguments are variables. */
export const RuleSchema = z.strictObject({
  id: z.string().regex(/^rule:[a-z_]+:[a-z0-9-]+$/),
  when: z.array(z.string()).min(1),
  /** A stated fact that matches one of these keeps the rule from firing; an unstated one is presumed absent and reported. */
  unless: z.array(z.string()).default([]),
  conclude: z.array(z.string()).min(1),
  /** What the rule says, in both languages; `{X}` is replaced by what the variable X was bound to. */
  statement: z.string(),
  statement_en: z.string(),
  /** Ids of the knowledge items that the rule formalises. */
  sources: z.array(z.string()).min(1),
});
export type Rule = z.input<typeof RuleSchema>;

/** A derived fact with every rule that derived it and the facts they used. */
export type Conclusion = { fact: Fact; by: string[]; from: Fact[]; statement: string; statement_en: string };

/** A fact that nobody stated and that matters: with it the rules would conclude more, or no longer conclude something. */
export type Unknown = { fact: Fact; needed_by: string[]; would_conclude: Fact[]; would_defeat?: Fact[] };

/** Facts that cannot both hold: `within` one system of law, or `between` two that answer the same question differently. */
export type Contradiction = {
  kind: "within" | "between";
  facts: [Fact, Fact];
  by: string[];
  statement: string;
  statement_en: string;
};

export type RuleResult = { conclusions: Conclusion[]; unknown: Unknown[]; contradictions: Contradiction[] };

const folder = new URL("../../../data/law/rules/", import.meta.url);
let shipped: Rule[] | null = null;

/** The rules that ship with the product, one file per people and one for national law; loaded once. */
export function loadRules(): Rule[] {
  shipped ??= readdirSync(folder)
    .toSorted()
    .flatMap((file) => z.array(RuleSchema).parse(JSON.parse(readFileSync(new URL(file, folder), "utf8"))));
  return shipped;
}

const systems = new Set(["national", "civil_code", "islamic", "minangkabau", "bali", "jawa", "batak"]);

/** The system of law that a conclusion speaks for, or null for a step on the way and for what is no fact. */
export function systemOf(fact: string): string | null {
  const first = /^\s*(?:not\s+)?[a-z][a-z0-9_]*\s*\(\s*([a-z_]+)\s*[,)]/.exec(fact)?.[1] ?? "";
  return systems.has(first) ? first : null;
}

type FactLiteral = Extract<Literal, { kind: "fact" }>;
type Compiled = { rule: Rule; facts: Atom[]; asked: Atom[]; checks: Check[]; unless: Atom[]; conclude: Atom[] };

/** Reads a rule and checks that every variable of its conclusions is bound by its conditions. */
function compile(rule: Rule): Compiled {
  const literals = rule.when.map(readLiteral);
  const facts = literals.filter((one): one is FactLiteral => one.kind === "fact");
  const checks = literals.filter((one): one is Check => one.kind !== "fact");
  const [unless, conclude] = [(rule.unless ?? []).map(readAtom), rule.conclude.map(readAtom)];
  const bound = new Set(facts.flatMap(({ atom }) => atom.args.filter(isVariable)));
  for (const check of checks) if (check.kind === "value") bound.add(check.variable);
  const loose = [...unless, ...conclude].flatMap(({ args }) =>
    args.filter((arg) => isVariable(arg) && !bound.has(arg)),
  );
  if (loose.length > 0) throw new Error(`${rule.id}: ${loose.join(", ")} is in no condition`);
  const take = (isAsked: boolean): Atom[] => facts.filter(({ ask }) => ask === isAsked).map(({ atom }) => atom);
  return { rule, facts: take(false), asked: take(true), checks, unless, conclude };
}

/** One use of a rule: what it concluded, from which facts, with which binding. */
export type Derivation = { fact: Fact; rule: Rule; binding: Binding; from: Fact[] };
type Derived = { given: FactBase; base: FactBase; derivations: Derivation[] };

/**
 * Forward chaining to a fixpoint (law spec §2.4). Rules only add facts, and constants come from the facts and rules alone, so it
 * ends; rules that work out values run once, between two fixpoints.
 */
export function derive(facts: Fact[], rules: Rule[]): Derived {
  return deriveCompiled(facts, rules.map(compile));
}

function deriveCompiled(facts: Fact[], rules: Compiled[]): Derived {
  const given = new FactBase(facts.map(readAtom));
  const makesValues = ({ checks }: Compiled): boolean => checks.some(({ kind }) => kind === "value");
  const [plain, valued] = [rules.filter((rule) => !makesValues(rule)), rules.filter(makesValues)];
  const before = new FactBase(given.atoms());
  chain(before, given, plain);
  const base = new FactBase(before.atoms());
  for (const atom of valued.flatMap((rule) => concludeAtoms(before, given, rule))) base.add(atom);
  chain(base, given, plain);
  const derivations = [
    ...plain.flatMap((rule) => listDerivations(base, given, rule)),
    ...valued.flatMap((rule) => listDerivations(before, given, rule)),
  ];
  const key = ({ fact, rule, from }: Derivation): string => `${fact}|${rule.id}|${from.join(";")}`;
  return { given, base, derivations: derivations.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)) };
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
    const write = (atom: Atom): Fact => writeAtom(substitute(atom, binding));
    const from = [...rule.facts, ...rule.asked].map(write);
    const concluded = rule.conclude.map(write).filter((fact) => !from.includes(fact));
    return concluded.map((fact) => ({ fact, rule: rule.rule, binding, from }));
  });
}

function findBindings(base: FactBase, atoms: Atom[], checks: Check[]): Binding[] {
  let bindings: Binding[] = [new Map()];
  for (const atom of atoms) bindings = bindings.flatMap((binding) => base.match(atom, binding));
  for (const check of checks) bindings = bindings.flatMap((binding) => applyCheck(check, binding));
  return bindings;
}

/** Every binding under which a rule fires: all conditions known, no exception stated. */
function findFirings(base: FactBase, given: FactBase, rule: Compiled): Binding[] {
  const bindings = findBindings(base, [...rule.facts, ...rule.asked], rule.checks);
  return bindings.filter((binding) => !rule.unless.some((exception) => given.match(exception, binding).length > 0));
}

/**
 * Runs the rules over the facts (law spec §2.4): every conclusion with the rules and facts behind it, what is unknown
 * and would matter, and contradictions, which never empty the result.
 */
export function runRules(facts: Fact[], rules: Rule[]): RuleResult {
  const compiled = rules.map(compile).toSorted((a, b) => (a.rule.id < b.rule.id ? -1 : 1));
  const derived = deriveCompiled(facts, compiled);
  const given = new Set(facts.map((fact) => writeAtom(readAtom(fact))));
  const byFact = Map.groupBy(derived.derivations, ({ fact }) => fact);
  const say = (fact: Fact): Conclusion => conclude(fact, byFact.get(fact) ?? []);
  return {
    conclusions: [...byFact.keys()].filter((fact) => !given.has(fact)).map(say),
    unknown: findUnknowns(derived, compiled),
    contradictions: findContradictions(derived, say),
  };
}

function conclude(fact: Fact, derivations: Derivation[]): Conclusion {
  const said = (language: Language): string => {
    const texts = derivations.map(({ rule, binding }) =>
      fillTemplate(language === "id" ? rule.statement : rule.statement_en, binding, language),
    );
    return [...new Set(texts)].join(" ") || fact;
  };
  return {
    fact,
    by: [...new Set(derivations.map(({ rule }) => rule.id))].toSorted(),
    from: [...new Set(derivations.flatMap(({ from }) => from))].toSorted(),
    statement: said("id"),
    statement_en: said("en"),
  };
}

/** A rule's statement with `{X}` replaced by what X was bound to. */
export function fillTemplate(template: string, binding: Binding, language: Language): string {
  const filled = template.replaceAll(/\{([A-Z]\w*)\}/g, (whole, name: string) => {
    const value = binding.get(name);
    return value === undefined ? whole : nameConcept(value, language);
  });
  return filled.charAt(0).toUpperCase() + filled.slice(1);
}

/** Facts that cannot both hold; both stay in the result. */
function findContradictions({ base }: Derived, say: (fact: Fact) => Conclusion): Contradiction[] {
  const atoms = base.atoms();
  const pairs = atoms
    .filter(({ negated }) => negated)
    .flatMap((no) => atoms.filter((yes) => isOpposite(yes, no)).map((yes) => ({ yes, no })));
  return pairs
    .map(({ yes, no }): Contradiction => {
      const facts: [Fact, Fact] = [writeAtom(yes), writeAtom(no)];
      const [pro, contra] = [say(facts[0]), say(facts[1])];
      return {
        kind: yes.args[0] === no.args[0] ? "within" : "between",
        facts,
        by: [...new Set([...pro.by, ...contra.by])].toSorted(),
        statement: `${pro.statement} ↔ ${contra.statement}`,
        statement_en: `${pro.statement_en} ↔ ${contra.statement_en}`,
      };
    })
    .toSorted((a, b) => (a.facts.join() < b.facts.join() ? -1 : 1));
}

function isOpposite(yes: Atom, no: Atom): boolean {
  if (yes.negated || yes.predicate !== no.predicate || yes.args.length !== no.args.length) return false;
  if (writeAtom(negate(yes)) === writeAtom(no)) return true;
  const [system = "", ...rest] = yes.args;
  const [other = "", ...matters] = no.args;
  return rest.length > 0 && systems.has(system) && systems.has(other) && rest.join() === matters.join();
}

type Missing = { fact: string; rule: string; concludes: string[]; defeats: string[] };

/** The facts that nobody stated and that would let a rule fire, or keep it from firing: unknown is not false. */
function findUnknowns({ base, given }: Derived, rules: Compiled[]): Unknown[] {
  const sorted = (values: string[]): string[] => [...new Set(values)].toSorted();
  const missing = rules.flatMap((rule) => [...findMissing(base, rule), ...findPresumed(base, given, rule)]);
  return [...Map.groupBy(missing, ({ fact }) => fact)]
    .map(([fact, of]) => {
      const defeats = sorted(of.flatMap((one) => one.defeats));
      return {
        fact,
        needed_by: sorted(of.map(({ rule }) => rule)),
        would_conclude: sorted(of.flatMap((one) => one.concludes)),
        ...(defeats.length > 0 ? { would_defeat: defeats } : {}),
      };
    })
    .toSorted((a, b) => (a.fact < b.fact ? -1 : 1));
}

/** What a rule still asks for: its other conditions hold, and nothing denies what is missing. */
function findMissing(base: FactBase, rule: Compiled): Missing[] {
  if (rule.asked.length === 0) return [];
  return findBindings(base, rule.facts, []).flatMap((binding) => {
    if (!rule.checks.every((check) => isOpen(check, binding) || applyCheck(check, binding).length > 0)) return [];
    if (rule.asked.some((atom) => base.match(negate(atom), binding).length > 0)) return [];
    const open = rule.asked.filter((atom) => base.match(atom, binding).length === 0);
    const concludes = rule.conclude.map((atom) => showAtom(atom, binding)).filter((fact) => !fact.includes("?"));
    return open.map((atom) => ({ fact: showAtom(atom, binding), rule: rule.rule.id, concludes, defeats: [] }));
  });
}

/** A check that speaks of something not yet known cannot fail. */
function isOpen(check: Check, binding: Binding): boolean {
  if (check.kind === "value") return true;
  return (`${check.left} ${check.right}`.match(/[A-Z]\w*/g) ?? []).some((name) => !binding.has(name));
}

/** What a rule that fired presumed to be absent. */
function findPresumed(base: FactBase, given: FactBase, rule: Compiled): Missing[] {
  return findFirings(base, given, rule).flatMap((binding) => {
    const open = rule.unless.filter((exception) => given.match(negate(exception), binding).length === 0);
    const defeats = rule.conclude.map((atom) => showAtom(atom, binding));
    return open.map((atom) => ({ fact: showAtom(atom, binding), rule: rule.rule.id, concludes: [], defeats }));
  });
}

function showAtom(atom: Atom, binding: Binding): string {
  const { args, ...rest } = substitute(atom, binding);
  return writeAtom({ ...rest, args: args.map((arg) => (isVariable(arg) ? "?" : arg)) });
}
