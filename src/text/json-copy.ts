/** A value as it comes back from a file: what JSON does not keep is gone, and undefined stays undefined. */
export function jsonCopy(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
