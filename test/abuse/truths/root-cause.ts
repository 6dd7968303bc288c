import { isText, lie, type Loose, loosely, type Truth } from "./truth.ts";

export const rootCause: Truth[] = [
  {
    has: ["hypotheses"],
    lies: ({ hypotheses }, { reasoner, material, own, others }) => {
      const prefix = { log_focused: "log", kg_focused: "kg", hybrid: "hybrid" }[reasoner as string];
      const ids = hypotheses.map(({ id }: Loose) => id);
      const parents = [...own, ...others].map(({ hypothesis }: Loose) => hypothesis.id);
      return [
        ...lie(hypotheses.length > 0 && hypotheses.length <= 5, `${hypotheses.length} hypotheses`),
        ...lie(new Set(ids).size === ids.length, "an id is used twice"),
        ...ids.flatMap((id: string) => lie(id.startsWith(`${prefix}_`), `the id ${id}`)),
        ...hypotheses.flatMap(({ from }: Loose) =>
          (from ?? []).flatMap((id: string) => lie(parents.includes(id), `from ${id}`)),
        ),
        ...hypotheses.flatMap(({ evidence }: Loose) => evidence.flatMap((item: Loose) => evidenceLies(item, material))),
      ];
    },
  },
  {
    has: ["scores"],
    lies: ({ scores, same_cause }, { hypotheses }) => {
      const labels = hypotheses.map(({ label }: Loose) => label).toSorted();
      return [
        ...scores.flatMap(({ label }: Loose) => lie(labels.includes(label.trim()), `a score for ${label}`)),
        ...lie(new Set(scores.map(({ label }: Loose) => label)).size === scores.length, "one is scored twice"),
        ...same_cause.flat().flatMap((label: string) => lie(labels.includes(label), `the same cause as ${label}`)),
      ];
    },
  },
];

function evidenceLies({ kind, ref: written, quote }: Loose, { lines, errors, numbers, history }: Loose): string[] {
  const ref = String(written).trim();
  const words = `${kind} ${ref} "${quote}"`;
  if (!isText(quote)) return [`an empty quote: ${words}`];
  if (kind === "kg") {
    const shown = [
      ...(history?.similar_incidents ?? []).filter(({ incident_id }: Loose) => incident_id === ref),
      ...(history?.causal_paths ?? []).filter(({ incident_ids }: Loose) => incident_ids.includes(ref)),
    ];
    return lie(loosely(JSON.stringify(shown)).includes(loosely(JSON.stringify(quote).slice(1, -1))), words);
  }
  const texts =
    kind === "pattern"
      ? [
          ...numbers.filter(({ id }: Loose) => id === ref).map((one: Loose) => one.description),
          ...(history?.patterns ?? []).map((one: Loose) => one.pattern.join(" → ")),
        ]
      : [
          ...lines.filter((line: Loose) => String(line.ref) === ref).map(({ text }: Loose) => text),
          ...errors.filter(({ line }: Loose) => String(line) === ref).map(({ message }: Loose) => message),
        ];
  return lie(
    texts.some((text: string) => loosely(text).includes(loosely(quote))),
    words,
  );
}
