import { readAtom } from "./atom.ts";

/** The systems of law that rules speak for, as first argument of what they conclude. */
export const systems: ReadonlySet<string> = new Set([
  "national",
  "civil_code",
  "islamic",
  "minangkabau",
  "bali",
  "jawa",
  "batak",
]);

/** The system of law that a conclusion speaks for, or null for a step on the way. */
export function systemOf(fact: string): string | null {
  const [first = ""] = readAtom(fact).args;
  return systems.has(first) ? first : null;
}
