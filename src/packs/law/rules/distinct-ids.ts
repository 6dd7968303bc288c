/** The items with each id used once: a repeated one becomes the first free number. */
export function makeIdsDistinct<T extends { id: string }>(
  items: T[],
  prefix: string,
  taken: Iterable<string> = [],
): T[] {
  const used = new Set(taken);
  const reserved = new Set([...used, ...items.map(({ id }) => id)]);
  return items.map((item) => {
    let { id } = item;
    for (let number = 1; used.has(id); number += 1) {
      const free = `${prefix}${number}`;
      if (!reserved.has(free)) id = free;
    }
    used.add(id);
    reserved.add(id);
    return { ...item, id };
  });
}
