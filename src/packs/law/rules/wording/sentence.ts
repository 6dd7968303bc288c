/** A statement without its final stop, for use inside a sentence. */
export function stripStop(statement: string): string {
  return statement.trim().replace(/[.\s]+$/u, "");
}

/** The name of a community as it is written. */
export function writeCommunity(community: string): string {
  return community.charAt(0).toUpperCase() + community.slice(1);
}

/** A title for use before a colon; its own name is left out where the statement begins with it. */
export function writeInline(title: string, statement: string): string {
  const [whole, ...names] = title.split(/:\s+/u);
  const told = names.filter((name) => !statement.toLowerCase().startsWith(name.toLowerCase()));
  return [whole, ...told].join(" – ");
}
