/** A statement without its final stop, for use inside a sentence. */
export function bare(statement: string): string {
  return statement.trim().replace(/[.\s]+$/u, "");
}

/** The name of a community as it is written. */
export function communityName(community: string): string {
  return community.charAt(0).toUpperCase() + community.slice(1);
}

/** A title that can stand before a colon; its own name is left out where the statement begins with it. */
export function inline(title: string, statement: string): string {
  const [whole, ...names] = title.split(/:\s+/u);
  const told = names.filter((name) => !statement.toLowerCase().startsWith(name.toLowerCase()));
  return [whole, ...told].join(" – ");
}
