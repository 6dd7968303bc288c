const address = /(?<!\bv(?:ersion)?[= :]?)(?<!\d\.)\b(?:\d{1,3}\.){3}\d{1,3}\b(?!\.\d)/gi;
const hostAndPort = /\b([a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)*):\d{2,5}\b/gi;
const domainName = /\b[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+\.(?:com|net|org|local|internal|lan|corp|io|svc|cluster)\b/gi;
const readMore = /\b(?:see|visit|details|documentation|help)\b\W*(?:at\W*)?https?:\/\/\S+/gi;
const target = /\bfrom\s+\S+\s+to\s+"?\/?([a-z0-9][\w.-]*\w)/i;
const serverWord = /\b(?:server|node|host|peer|broker|datanode)[: =]+"?([a-z][\w.-]*\d[\w.-]*)/i;

/**
 * The host that a message is about: the last address or host name in it, because callers name themselves first
 * (`from A to B`, `pipeline A, B: bad datanode B`). Code such as `Foo.java:123` is not a host.
 */
export function findHost(line: string, allowHostAndPort = false): string | null {
  const text = line.replace(readMore, " ");
  const called = target.exec(text)?.[1];
  if (called && /[\d.-]/.test(called)) return called.toLowerCase();
  const names = [...text.matchAll(domainName)].map(([name]) => name);
  const addresses = [...text.matchAll(address)].map(([name]) => name);
  const last = names.at(-1) ?? addresses.at(-1) ?? serverWord.exec(text)?.[1];
  if (last) return last.toLowerCase();
  if (!allowHostAndPort) return null;
  const pairs = [...text.matchAll(hostAndPort)].map(([, name = ""]) => name);
  return pairs.findLast((name) => !/\.(?:java|scala|kt|py|go|js|ts|cs|rb|cpp?)$/i.test(name))?.toLowerCase() ?? null;
}

const leading = /^(?:\S+\s+){0,6}?\/?((?:\d{1,3}\.){3}\d{1,3})(?::\d+)?:\s?\S/;
const onHost = /\b(?:on|of|at|from)\s+(?:node |host |machine |server )?([a-z][a-z-]*\d[\w-]*)(?=[:,)\s]|$)/i;

/** The machine that a line says of itself that it is (`10.0.0.7:50010:Got exception …`) or that the trouble is on (`on node17:`). */
export function findSubject(line: string): string | null {
  return (leading.exec(line)?.[1] ?? onHost.exec(line)?.[1] ?? null)?.toLowerCase() ?? null;
}
