import { editDistance } from "./edit-distance.ts";

/** The known name that `name` was most likely meant to be, or null when none is close. */
export function findNearestName(name: string, known: readonly string[]): string | null {
  const wanted = normalForm(name);
  let best: { name: string; distance: number } | null = null;
  const most = Math.max(1, Math.floor(wanted.length / 3));
  for (const candidate of known) {
    const other = normalForm(candidate);
    if (Math.abs(other.length - wanted.length) > most) continue;
    const distance = editDistance(wanted, other);
    if (best === null || distance < best.distance) best = { name: candidate, distance };
  }
  return best !== null && best.distance <= most ? best.name : null;
}

/** How many known names a message lists. */
const listed = 60;

/** `; did you mean "x"?` when a known name is close, and what is known. */
export function suggestName(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known);
  const more = known.length > listed ? `, … and ${known.length - listed} more` : "";
  const list = known.length === 0 ? "" : ` (known: ${known.slice(0, listed).join(", ")}${more})`;
  return nearest === null ? list : `; did you mean "${nearest}"?${list}`;
}

function normalForm(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, "");
}
