import { readFileSync } from "node:fs";
import * as z from "zod";
import { findMentions } from "../mentions/mentions.ts";
import { readAtom } from "../rules/atom.ts";
import type { Fact } from "../rules/rule.ts";
import { extractFacts } from "./extract-facts.ts";

const CuesSchema = z.strictObject({
  /** Words with which a party states something. */
  says: z.array(z.string()),
  /** Words with which a party says that it is not so. */
  denies: z.array(z.string()),
  /** Words with which the question itself says that something is not known. */
  unknown: z.array(z.string()),
});
type Cue = keyof z.infer<typeof CuesSchema>;
type Clause = { text: string; cue: Cue | null; cut: string };

const file = new URL("../../../../data/law/disputes.json", import.meta.url);
let patterns: [Cue, RegExp][] | null = null;

/**
 * The facts that only disputed words of a question state (law spec §2.3): what one party says and another says otherwise,
 * and what the question calls unclear. Parties that differ about the law do not dispute a fact.
 */
export function findDisputedFacts(query: string): Fact[] {
  const clauses = splitClauses(query);
  const disputed = findDisputedClauses(clauses);
  if (disputed.size === 0) return [];
  const rest = clauses.map((clause) => (disputed.has(clause) ? clause.cut : clause.text)).join("");
  const certain = new Set(extractFacts(rest));
  return extractFacts(query).filter((fact) => !certain.has(fact) && isDisputable(fact));
}

/** The parts of a question between stops and commas, in order and whole; one that only goes on stays with what was said. */
function splitClauses(query: string): Clause[] {
  const parts = query.split(/(?<=[.!?;]\s+|,\s+)/u);
  const clauses: Clause[] = [];
  for (const text of parts) {
    const before = clauses.at(-1);
    const clause = readClause(text);
    if (before?.cue && clause.cue === null && !/[.!?;]\s*$/u.test(before.text))
      clauses.splice(-1, 1, readClause(before.text + text));
    else clauses.push(clause);
  }
  return clauses;
}

function readClause(text: string): Clause {
  patterns ??= Object.entries(CuesSchema.parse(JSON.parse(readFileSync(file, "utf8")))).map(([cue, words]) => [
    cue as Cue,
    new RegExp(`(?<!\\p{L})(?:${words.join("|")})(?!\\p{L})`, "iu"),
  ]);
  const found = patterns.flatMap(([cue, pattern]) => {
    const at = text.search(pattern);
    return at < 0 ? [] : [{ cue, at }];
  });
  const unknown = found.find(({ cue }) => cue === "unknown");
  if (unknown) return { text, cue: "unknown", cut: "" };
  const [first] = found.toSorted((a, b) => a.at - b.at);
  return first ? { text, cue: first.cue, cut: text.slice(0, first.at) } : { text, cue: null, cut: text };
}

/** How many clauses may stand between a statement and the one that says otherwise. */
const reach = 2;

function findDisputedClauses(clauses: Clause[]): Set<Clause> {
  const disputed = new Set(clauses.filter(({ cue }) => cue === "unknown"));
  const spoken = clauses.flatMap((clause, at) => (isSpoken(clause) ? [{ clause, at }] : []));
  for (const [index, { clause, at }] of spoken.entries()) {
    const before = spoken[index - 1];
    const isAnswer = before !== undefined && at - before.at <= reach;
    if (!isAnswer && clause.cue !== "denies") continue;
    disputed.add(clause);
    if (isAnswer) disputed.add(before.clause);
  }
  return disputed;
}

/** A party that says what a law says speaks of the law, not of what happened. */
function isSpoken({ text, cue }: Clause): boolean {
  const isSaid = cue === "says" || cue === "denies";
  return isSaid && !findMentions(text).some(({ concept }) => concept.type === "law");
}

/** What a question is about and whom it names is not in dispute; what they own, did, agreed to and are is. */
const plain = new Set("asset immovable community at_issue own_child transferor child_of to spouse line".split(" "));
const kin = new Set(
  "deceased heir relative parent child son daughter spouse husband wife sibling ascendant grandchild kemenakan mamak".split(
    " ",
  ),
);

/** Whether people can differ about a fact. */
export function isDisputable(fact: Fact): boolean {
  const { predicate, args } = readAtom(fact);
  return !plain.has(predicate) && !(predicate === "person" && args.every((arg) => kin.has(arg)));
}
