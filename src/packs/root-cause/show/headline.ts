import type { RootCauseDecision } from "../decision.ts";
import type { RootCauseInput } from "../input.ts";

/** What an incident's case is about: the logs it was read from. */
export function subject({ sources }: RootCauseInput): string {
  const names = sources.map(({ name }) => name.split(/[\\/]/).at(-1) ?? name);
  const shown = names.slice(0, 3).join(", ");
  return `Root cause in ${names.length > 3 ? `${shown} and ${names.length - 3} more logs` : shown || "a log"}`;
}

/** What a root-cause decision says: the cause, its category and the components. */
export function headline({ final_hypothesis: final }: RootCauseDecision): Record<string, string> {
  if (!final) return { cause: "none" };
  const { hypothesis, category, affected_components: components } = final;
  return { cause: hypothesis, category, components: components.join(", ") || "none" };
}
