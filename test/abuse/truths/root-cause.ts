import { isText, lie, type Loose, loosely, type Truth } from "./truth.ts";

export const rootCause: Truth[] = [
  {
    has: ["hypotheses"],
    lies: ({ hypotheses }, { reasoner, incident, own, others }) => {
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
        ...hypotheses.flatMap(({ evidence }: Loose) => evidence.flatMap((item: Loose) => evidenceLies(item, incident))),
      ];
    },
  },
  {
    has: ["scores"],
    lies: ({ scores, same_cause }, { hypotheses }) => {
      const labels = hypotheses.map(({ label }: Loose) => label).toSorted();
      return [
        ...lie(String(scores.map(({ label }: Loose) => label).toSorted()) === String(labels), "not each scored once"),
        ...same_cause.flat().flatMap((label: string) => lie(labels.includes(label), `the same cause as ${label}`)),
      ];
    },
  },
];

function evidenceLies({ kind, ref, quote }: Loose, { log, knowledge }: Loose): string[] {
  const words = `${kind} ${String(ref)} "${quote}"`;
  if (!isText(quote)) return [`an empty quote: ${words}`];
  if (kind === "kg") {
    const shown = [
      ...(knowledge?.similar_incidents ?? []).filter(({ incident_id }: Loose) => incident_id === ref),
      ...(knowledge?.causal_paths ?? []).filter(({ incident_ids }: Loose) => incident_ids.includes(ref)),
    ];
    return lie(shown.length > 0 && loosely(listLeaves(shown).join("\n")).includes(loosely(quote)), words);
  }
  const number = Number(/\d+$/.exec(String(ref).trim())?.[0]);
  const event = log.events.find((one: Loose) => one.line <= number && number <= (one.last_line ?? one.line));
  return lie(event !== undefined && loosely(event.raw).includes(loosely(quote)), words);
}

function listLeaves(value: unknown): string[] {
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(listLeaves) : [String(value)];
}
