import type { Exhibit } from "../../../contract/story.ts";
import type { LogSource } from "../../../knowledge/logs/index.ts";
import type { Evidence, Hypothesis } from "../schemas/hypothesis.ts";

/** Two quotes of one line are two exhibits: what is quoted of it may differ. */
export function nameExhibit({ kind, ref, quote }: Evidence): string {
  return `${kind}:${ref}:${quote}`;
}

/** Every line that was quoted, in the order of the log, then past incidents; what was struck is shown as struck. */
export function listExhibits(hypotheses: Hypothesis[], sources: readonly LogSource[]): Exhibit[] {
  const found = new Map<string, Exhibit & { at: number }>();
  for (const { evidence, struck = [] } of hypotheses) {
    for (const item of evidence) found.set(nameExhibit(item), makeExhibit(item, sources));
    for (const item of struck)
      if (!found.has(nameExhibit(item)))
        found.set(nameExhibit(item), { ...makeExhibit(item, sources), struck: "not found where it was cited" });
  }
  const order = (one: Exhibit & { at: number }) => (one.source === past ? Number.POSITIVE_INFINITY : one.at);
  return [...found.values()]
    .toSorted((a, b) => order(a) - order(b) || a.place.localeCompare(b.place))
    .map(({ at: _at, ...exhibit }) => exhibit);
}

const past = "Past incidents";

function makeExhibit(item: Evidence, sources: readonly LogSource[]): Exhibit & { at: number } {
  const { kind, ref, quote } = item;
  const id = nameExhibit(item);
  if (kind === "kg") return { id, source: past, place: String(ref), quote, at: 0 };
  if (typeof ref === "number") {
    const name = sources.length === 1 ? sources[0]?.name.split(/[\\/]/).at(-1) : undefined;
    return { id, source: name === undefined || name === "-" ? "Log" : name, place: `line ${ref}`, quote, at: ref };
  }
  const cut = ref.lastIndexOf(":");
  const line = Number(ref.slice(cut + 1));
  return { id, source: ref.slice(0, Math.max(0, cut)) || "Log", place: `line ${ref.slice(cut + 1)}`, quote, at: line };
}
