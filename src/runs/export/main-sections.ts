import type { Section } from "../../contract/view.ts";
import { explainNoChange, explainUntried, formatLever, type WhatWouldChange } from "../what-would-change.ts";
import type { ExportPage } from "./export-page.ts";

/** How many of a pack's sections say what was decided; what would change it comes after them. */
const leading = 2;

/** What a run's documents show before the debate: the pack's sections, and among them what would change the decision and what it hangs on. */
export function pickMainSections({ sections, change, why }: ExportPage): Section[] {
  const levers = change === null ? [] : [changeSection(change)];
  return [...sections.slice(0, leading), ...levers, ...why, ...sections.slice(leading)];
}

/** Which single setting would flip the decision over the same turns. */
function changeSection(change: WhatWouldChange): Section {
  const head = { title: "What would change it", id: "change" };
  if (change.levers.length === 0) return { ...head, kind: "text", text: explainNoChange(change) };
  return {
    ...head,
    kind: "table",
    note: `Over the same recorded turns, one setting at a time. ${explainUntried(change)}`.trimEnd(),
    columns: ["setting", "what would change"],
    rows: change.levers.map((lever) => [
      formatLever(lever),
      lever.flips.map(({ name, before, after }) => `${name}: ${before} → ${after}`).join("; "),
    ]),
  };
}
