import type { Cluster, Element } from "./merge-shapes.ts";
import { type MessageShaper, variable } from "../scan/message-shaper.ts";
import type { Shape } from "./shape-index.ts";
import type { Slot } from "./slot.ts";
import { writeSlot, wildcard } from "./write-slot.ts";
import { isUserName } from "./word-role.ts";

/** The message that a template is written from, and its elements. */
type Sample = { text: string; elements: MessageShaper };

/**
 * Writes a cluster's template: its representative's sample with the variable parts as `<*>` and single spaces. `elements`
 * is where the sample is taken apart; one serves any number of templates.
 */
export function writeTemplate(cluster: Cluster, shapes: readonly Shape[], elements: MessageShaper): string {
  const shape = shapes[cluster.representative];
  if (shape === undefined || isCatchAll(cluster)) return wildcard;
  const sample = { text: shape.sample, elements };
  elements.shape(sample.text);
  const members = cluster.members.flatMap((member) => shapes[member] ?? []);
  let text = "";
  let position = 0;
  const texts = cluster.elements.map((element) => element.text);
  for (const [place, element] of cluster.elements.entries()) {
    const range = element.fold ?? element;
    const start = elements.start[range.first] ?? position;
    const end = elements.end[range.last] ?? start;
    if (end <= position && element.fold) continue;
    text += sample.text.slice(position, start);
    text += isUserName(texts, place) ? wildcard : writeElement(element, members, sample);
    position = end;
  }
  return (text + sample.text.slice(position)).replace(/\s+/g, " ").trim();
}

/** Several elements that all vary have nothing in common but their number. */
function isCatchAll({ elements: parts }: Cluster): boolean {
  return parts.length > 1 && parts.every(({ text }) => text === variable);
}

function writeElement(element: Element, members: readonly Shape[], { text, elements }: Sample): string {
  if (element.fold) return wildcard;
  if (element.text !== variable) return text.slice(elements.start[element.first], elements.end[element.last]);
  if (element.first !== element.last || elements.variable[element.first] === 0) return wildcard;
  const slots = findSlots(element.first, members);
  return slots ? writeSlot(slots, listTokens(elements, element.first), text) : wildcard;
}

/** What all members know of the slot at this element; null when one has a word there or is laid out differently. */
function findSlots(place: number, members: readonly Shape[]): Slot[] | null {
  const slots = members.flatMap((shape) => shape.slots.find((slot) => slot.place === place) ?? []);
  return slots.length === members.length ? slots : null;
}

/** The tokens of the sample that stand in an element. */
function listTokens({ start: starts, end: ends, scan }: MessageShaper, place: number) {
  const from = starts[place] ?? 0;
  const to = ends[place] ?? 0;
  const tokens: { kind: number; start: number; end: number }[] = [];
  for (let at = 0; at < scan.count; at += 1) {
    const [kind, start, end] = [scan.kind[at] ?? 0, scan.start[at] ?? 0, scan.end[at] ?? 0];
    if (start >= from && end <= to && end > start) tokens.push({ kind, start, end });
  }
  return tokens;
}
