/** A statement without its final stop, for use inside a sentence. */
export function bare(statement: string): string {
  return statement.trim().replace(/[.\s]+$/u, "");
}

/** The name of a community as it is written. */
export function communityName(community: string): string {
  return community.charAt(0).toUpperCase() + community.slice(1);
}
