import type { DebateRecord } from "../schemas/round.ts";
import type { ShownCase } from "./done.ts";

/** What a case is about: the logs it was read from. */
export function describeSubject({ sources }: ShownCase): string {
  const names = sources.map(({ name }) => name.split(/[\\/]/).at(-1) ?? name);
  const shown = names.slice(0, 3).join(", ");
  return `Root cause in ${names.length > 3 ? `${shown} and ${names.length - 3} more logs` : shown || "a log"}`;
}

/** What a root-cause decision says: the cause, its category and the components. */
export function writeHeadline({ final_hypothesis: final }: DebateRecord): Record<string, string> {
  if (!final) return { cause: "none" };
  const { hypothesis, category, affected_components: components } = final;
  return { cause: hypothesis, category, components: components.join(", ") || "none" };
}
