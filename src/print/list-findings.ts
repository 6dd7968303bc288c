import type { SectionOf } from "../contract/view.ts";

/** What integrity checks found: what is wrong, one by one, and how many checks hold. */
export function listFindings({ findings }: SectionOf<"checks">): string[] {
  const wrong = findings.filter(({ ok }) => !ok).map(({ check, where, message }) => `${check}, ${where}: ${message}`);
  const holding = findings.length - wrong.length;
  return holding === 0 ? wrong : [...wrong, `${holding} of ${findings.length} checks hold`];
}
