import type { Cluster, Element } from "./merge-shapes.ts";
import { MessageShaper, variable } from "./message-shaper.ts";
import type { Shape } from "./shape-table.ts";
import type { Slot } from "./slot.ts";
import { slotText, wildcard } from "./slot-text.ts";
import { isUserName } from "./word-role.ts";

const elements = new MessageShaper();

/** Writes a cluster's template: its representative's sample with the variable parts as `<*>` and single spaces. */
export function templateText(cluster: Cluster, shapes: readonly Shape[]): string {
  const shape = shapes[cluster.representative];
  if (shape === undefined || isCatchAll(cluster)) return wildcard;
  const { sample } = shape;
  elements.shape(sample);
  const members = cluster.members.flatMap((member) => shapes[member] ?? []);
  let text = "";
  let position = 0;
  const texts = cluster.elements.map((element) => element.text);
  for (const [place, element] of cluster.elements.entries()) {
    const range = element.fold ?? element;
    const start = elements.start[range.first] ?? position;
    const end = elements.end[range.last] ?? start;
    if (end <= position && element.fold) continue;
    text += sample.slice(position, start);
    text += isUserName(texts, place) ? wildcard : elementText(element, members, sample);
    position = end;
  }
  return (text + sample.slice(position)).replace(/\s+/g, " ").trim();
}

/** Several elements that all vary have nothing in common but their number. */
function isCatchAll({ elements: parts }: Cluster): boolean {
  return parts.length > 1 && parts.every(({ text }) => text === variable);
}

function elementText(element: Element, members: readonly Shape[], sample: string): string {
  if (element.fold) return wildcard;
  if (element.text !== variable) return sample.slice(elements.start[element.first], elements.end[element.last]);
  if (element.first !== element.last || elements.variable[element.first] === 0) return wildcard;
  const slots = slotsAt(element.first, members);
  return slots ? slotText(slots, tokensOf(element.first), sample) : wildcard;
}

/** What all members know of the slot at this element; null when one has a word there or is laid out differently. */
function slotsAt(place: number, members: readonly Shape[]): Slot[] | null {
  const slots = members.flatMap((shape) => shape.slots.find((slot) => slot.place === place) ?? []);
  return slots.length === members.length ? slots : null;
}

/** The tokens of the sample that stand in an element. */
function tokensOf(place: number) {
  const from = elements.start[place] ?? 0;
  const to = elements.end[place] ?? 0;
  const { scan } = elements;
  const tokens: { kind: number; start: number; end: number }[] = [];
  for (let at = 0; at < scan.count; at += 1) {
    const [kind, start, end] = [scan.kind[at] ?? 0, scan.start[at] ?? 0, scan.end[at] ?? 0];
    if (start >= from && end <= to && end > start) tokens.push({ kind, start, end });
  }
  return tokens;
}
