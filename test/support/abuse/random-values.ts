import type { Random } from "../../../src/text/random.ts";
import { resolved, type SchemaNode } from "./json-schema.ts";

/** A piece of YAML that stands in a value as it is. */
export class Raw {
  readonly yaml: string;

  constructor(yaml: string) {
    this.yaml = yaml;
  }
}

export const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

/** What people, fuzzers and attackers write where a setting belongs. */
export const hostileYaml: readonly string[] = [
  ".nan",
  ".inf",
  "-.inf",
  "1e400",
  "-1e400",
  "-0",
  "0",
  "-1",
  "0.5",
  "1.5",
  "1e21",
  "9007199254740993",
  "99999999999999999999999",
  "0x10",
  "0o17",
  "1_000",
  "+1",
  "null",
  "~",
  "",
  '""',
  '" "',
  "true",
  "yes",
  "off",
  "2001-01-01",
  "[]",
  "{}",
  "[[]]",
  "[null]",
  '"\\u0000"',
  '"\\uD800"',
  '"\\uDFFFx"',
  '"\\u202Eabc"',
  '"</script>"',
  "!foo x",
  "!!binary aGk=",
  "!!js/function x",
  "!!set {a}",
  "&a [*a]",
  "&a {b: *a}",
  "*nowhere",
  "{a: 1, a: 2}",
  "{__proto__: {polluted: 1}}",
  "{constructor: {prototype: {polluted: 1}}}",
  "[__proto__]",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "? [a] : b",
  "{[a]: 1}",
  "{: 1}",
  "{<<: {a: 1}}",
  "[&x [1,1], &y [*x,*x,*x,*x,*x,*x,*x,*x], &z [*y,*y,*y,*y,*y,*y,*y,*y], [*z,*z,*z,*z,*z,*z,*z,*z]]",
  "|\n  block",
  "'",
  '"',
  "{",
  "[",
  "- a",
  "a: b",
  "%YAML 1.1",
  "\t",
  "#",
  "@x",
  "`x`",
  "expert",
  "person",
  "../..",
  "${HOME}",
  "'; DROP TABLE runs; --",
];

const words = [
  "epm",
  "tan",
  "cj",
  "analyst",
  "critic",
  "empath",
  "for",
  "against",
  "judge",
  "skeptic",
  "x",
  "A b",
  "ö",
  "한국",
  "constructor",
  "valueOf",
];

/** A value that is mostly what the schema wants, and at its limits; `wild` is the share of places where it is not. */
export function randomValue(random: Random, given: SchemaNode, root: SchemaNode, wild: number, depth = 0): unknown {
  const node = resolved(given, root);
  if (random() < wild) return hostileValue(random);
  const branches = node.anyOf ?? node.oneOf;
  if (branches) return randomValue(random, pick(random, branches), root, wild, depth);
  if (node.enum) return pick(random, node.enum);
  if ("const" in node) return node.const;
  const make = makers[node.type ?? "any"] ?? makers.any;
  return make?.(random, node, root, wild, depth);
}

/** Something that does not belong there. */
export function hostileValue(random: Random): unknown {
  const dice = random();
  if (dice < 0.001) return "x".repeat(1_000_000);
  if (dice < 0.004) return new Raw("[".repeat(2_000) + "]".repeat(2_000));
  if (dice < 0.01) return Array.from({ length: 300 }, (_, i) => ({ i }));
  return new Raw(pick(random, hostileYaml));
}

type Maker = (random: Random, node: SchemaNode, root: SchemaNode, wild: number, depth: number) => unknown;

const numberOf: Maker = (random, node) => {
  const { minimum = 0, maximum = minimum + 5 } = node as Record<string, number>;
  const isInteger = node.type === "integer";
  const low = Math.min(maximum, minimum + (isInteger ? 8 : 1));
  const step = isInteger ? 1 : 0.001;
  const inside = minimum + random() * (low - minimum);
  return pick(
    random,
    [
      minimum,
      isInteger ? Math.round(inside) : inside,
      inside > 1 ? Math.round(inside) : inside,
      Math.min(maximum, 1e6),
      minimum - step,
      maximum + step,
    ].slice(0, random() < 0.1 ? 6 : random() < 0.2 ? 4 : 2),
  );
};

const makers: Record<string, Maker> = {
  integer: numberOf,
  number: numberOf,
  boolean: (random) => random() < 0.5,
  null: () => null,
  string: (random, node) => {
    if (typeof node.pattern === "string" && random() < 0.7) return pick(random, ["a", "b2", "tan", "full", "t1"]);
    return pick(random, words);
  },
  array: (random, node, root, wild, depth) =>
    Array.from({ length: Math.floor(random() * 4) }, () =>
      node.items ? randomValue(random, node.items, root, wild, depth + 1) : 1,
    ),
  object: (random, node, root, wild, depth) => {
    const entries: [string, unknown][] = [];
    for (const [key, inner] of Object.entries(node.properties ?? {}))
      if (node.required?.includes(key) || random() < (depth === 0 ? 0.25 : 0.5))
        entries.push([
          random() < wild / 2 ? misspelt(random, key) : key,
          randomValue(random, inner, root, wild, depth + 1),
        ]);
    if (typeof node.additionalProperties === "object" && depth < 6)
      for (let i = Math.floor(random() * 3); i > 0; i -= 1)
        entries.push([
          pick(random, words.slice(0, 8)),
          randomValue(random, node.additionalProperties, root, wild, depth + 1),
        ]);
    if (random() < wild / 2)
      entries.push([pick(random, ["__proto__", "constructor", "toString", "", " ", "polluted", "x".repeat(300)]), 1]);
    return new Entries(entries);
  },
  any: (random) => pick(random, [1, "x", true, null, [1, { a: 2 }], {}]),
};

/** A map in the order and with the keys it was given, also those that a JavaScript object cannot hold. */
export class Entries {
  readonly pairs: [string, unknown][];

  constructor(pairs: [string, unknown][]) {
    this.pairs = pairs;
  }
}

/** A key with a letter lost, doubled or swapped. */
export function misspelt(random: Random, key: string): string {
  const at = Math.floor(random() * Math.max(1, key.length - 1));
  const kind = random();
  if (kind < 0.34) return key.slice(0, at) + key.slice(at + 1);
  if (kind < 0.67) return key.slice(0, at) + key.charAt(at) + key.slice(at);
  return key.slice(0, at) + key.charAt(at + 1) + key.charAt(at) + key.slice(at + 2);
}

/** The value as flow YAML. */
export function yamlOf(value: unknown): string {
  if (value instanceof Raw) return value.yaml;
  if (value instanceof Entries)
    return `{${value.pairs.map(([key, inner]) => `${JSON.stringify(key)}: ${yamlOf(inner)}`).join(", ")}}`;
  if (Array.isArray(value)) return `[${value.map(yamlOf).join(", ")}]`;
  return JSON.stringify(value) ?? "null";
}
