import type { Cell, Column, SectionOf } from "../../contract/view.ts";

export const numeric = (name: string, hint?: string): Column => ({ name, numeric: true, hint });

type Head = { title: string; id?: string; note?: string };

export function makeTable<T>(
  head: Head,
  items: readonly T[],
  columns: readonly (readonly [Column, (item: T) => Cell])[],
): SectionOf<"table"> {
  return {
    kind: "table",
    ...head,
    columns: columns.map(([column]) => column),
    rows: items.map((item) => columns.map(([, write]) => write(item))),
  };
}
