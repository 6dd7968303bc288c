/** The value of a cookie, or undefined. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** A session's cookie: scripts cannot read it, and no other site's page makes a browser send it. */
export function writeCookie(name: string, value: string): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${30 * 24 * 3600}`;
}
