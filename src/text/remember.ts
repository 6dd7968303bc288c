/** Remembers what a function made of the texts that it was last asked about: at least `most` of them, at most twice as many. */
export function remember<T>(most: number, make: (text: string) => T): (text: string) => T {
  let recent = new Map<string, T>();
  let older = new Map<string, T>();
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const made = older.get(text) ?? make(text);
    if (recent.size >= most) {
      older = recent;
      recent = new Map();
    }
    recent.set(text, made);
    return made;
  };
}
