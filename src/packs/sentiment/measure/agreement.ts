import { type SaidTuple, toTermForm } from "./match-tuples.ts";

/** The share of texts whose tuples are the same in every repetition (sentiment spec §10); null below two repetitions. */
export function measureAgreement(repetitions: readonly ReadonlyMap<string, readonly SaidTuple[]>[]): number | null {
  const [first, ...others] = repetitions;
  if (!first || others.length === 0) return null;
  const shared = [...first.keys()].filter((id) => others.every((one) => one.has(id)));
  if (shared.length === 0) return null;
  const agreed = shared.filter((id) => others.every((one) => keyOf(one.get(id)) === keyOf(first.get(id))));
  return agreed.length / shared.length;
}

function keyOf(tuples: readonly SaidTuple[] | undefined): string {
  return (tuples ?? [])
    .map((tuple) => `${toTermForm(tuple.aspect_ref)}=${tuple.polarity}`)
    .sort()
    .join("\n");
}
