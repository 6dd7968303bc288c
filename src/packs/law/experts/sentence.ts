/** A statement without its final stop, for use inside a sentence. */
export function bare(statement: string): string {
  return statement.trim().replace(/[.\s]+$/u, "");
}

/** The name of a community as it is written. */
export function communityName(community: string): string {
  return community.charAt(0).toUpperCase() + community.slice(1);
}

/** A title with its part after a colon in brackets, so that it can stand before a colon. */
export function inline(title: string): string {
  return title.replace(/:\s+(.+)$/u, " ($1)");
}
