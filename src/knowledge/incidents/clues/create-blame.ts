import type { ParsedLog } from "../../logs/index.ts";

/** Words by which a caller says that the other side failed it; "failed" alone does not say whose fault it was. */
const failedCall =
  /rpc error|\bcode = \w+|connection refused|i\/o error on \w+ request|(?:status(?: code)?|\bcode)\W{1,3}5\d\d|\b5\d\d from\b|\b(?:answered|returned|replied|got)\b.{0,20}\b5\d\d\b|deadline ?exceeded|\bunavailable\b|upstream/i;
const generic = new Set(["service", "svc", "server", "api", "app", "ts", "the"]);

/** Finds the component that an error message blames: a caller that reports a failed call names whom it called. */
export type Blame = (text: string, reporter: string | null) => string | null;

/** Assigns blame among the components of this log; only words that tell one component from the others count. */
export function createBlame(log: ParsedLog): Blame {
  const names = new Set([...log.templates, ...log.events].flatMap(({ component }) => component ?? []));
  const keyed = [...names].map((name) => ({ name, words: pickKeyWords(name) })).filter(({ words }) => words.length > 0);
  const byLength = keyed.toSorted((a, b) => b.words.length - a.words.length || b.name.length - a.name.length);
  return (text, reporter) => {
    if (!failedCall.test(text)) return null;
    const words = text.toLowerCase();
    const found = byLength.find(
      ({ name, words: keys }) => name !== reporter && keys.every((key) => words.includes(key)),
    );
    return found?.name ?? null;
  };
}

function pickKeyWords(name: string): string[] {
  const parts = name
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
  const plain = parts.map((part) => part.replace(/(?:service|server)$/, "")).filter((part) => part.length >= 3);
  return plain.filter((part) => !generic.has(part));
}
