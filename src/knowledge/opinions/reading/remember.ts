/** Keeps the last `size` results of a function of a key, so that the turns of a debate analyse their text once. */
export function remember<T>(size: number, make: (key: string) => T): (key: string) => T {
  const kept = new Map<string, T>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) {
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const made = make(key);
    kept.set(key, made);
    if (kept.size > size) kept.delete(kept.keys().next().value as string);
    return made;
  };
}

/** Calls a loader when its value is first asked for, and keeps the value. */
export function loadOnce<T extends object>(load: () => T): () => T {
  let held: T | undefined;
  return () => {
    held ??= load();
    return held;
  };
}
