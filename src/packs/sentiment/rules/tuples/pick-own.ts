/** The value of a record's own key; words of a text may be "constructor". */
export function pickOwn<V>(record: Readonly<Record<string, V>>, key: string): V | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
