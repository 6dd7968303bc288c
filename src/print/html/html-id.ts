/** A name that can be an HTML id; different names give different ids. */
export function htmlId(kind: "turn" | "card" | "section" | "round" | "runs", text: string): string {
  const safe = text.replaceAll(/[^\p{L}\p{N}_./-]/gu, (character) => `~${character.codePointAt(0)?.toString(36)}~`);
  return `${kind}-${safe}`;
}
