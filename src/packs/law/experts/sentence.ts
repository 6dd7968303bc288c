/** A statement without its final stop, for use inside a sentence. */
export function bare(statement: string): string {
  return statement.trim().replace(/[.\s]+$/u, "");
}

/** The name of a community as it is written. */
export function communityName(community: string): string {
  return community.charAt(0).toUpperCase() + community.slice(1);
}

/** A title without colons, so that it can stand before one. */
export function inline(title: string): string {
  return title.replaceAll(/:\s+/gu, " – ");
}
