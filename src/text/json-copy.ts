/** A value after a round trip through JSON; undefined stays undefined. */
export function jsonCopy(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
