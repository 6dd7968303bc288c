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

const firstArgument = /^\s*(?:not\s+)?[a-z][a-z0-9_]*\s*\(\s*([a-z_]+)\s*[,)]/;

/** The system of law that a conclusion speaks for, or null for a step on the way and for what is no fact. */
export function systemOf(fact: string): string | null {
  const first = firstArgument.exec(fact)?.[1] ?? "";
  return systems.has(first) ? first : null;
}
