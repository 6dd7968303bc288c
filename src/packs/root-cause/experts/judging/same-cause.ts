import type { Category } from "../../../../knowledge/incidents/index.ts";

type Cause = { category: Category; affected_components: string[] };

/** Whether two hypotheses name the same kind of trouble at the same place. */
export function isSameCause(a: Cause, b: Cause): boolean {
  if (a.category !== b.category) return false;
  if (a.category === "none") return true;
  const names = new Set(a.affected_components.map((name) => name.toLowerCase()));
  const shared = b.affected_components.some((name) => names.has(name.toLowerCase()));
  return shared || names.size === 0 || b.affected_components.length === 0;
}
