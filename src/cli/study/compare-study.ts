import { loadPack } from "../../packs/registry.ts";
import { compareStudies } from "../../studies/compare/compare-studies.ts";
import { countText, formatPoints, formatP, formatRange } from "../../text/number-text.ts";
import { judgeComparison } from "../../studies/summary/reach-verdict.ts";
import type { Io } from "../terminal/io.ts";
import { openStudy, type StudiesOptions } from "./stored-studies.ts";
import { renderTerminal } from "../../print/terminal/render-terminal.ts";
import type { Section } from "../../contract/view.ts";

/** `parley study compare A B`: how the arms of the second study differ from those of the first. */
export async function compareStudy(
  io: Io,
  first: string,
  second: string,
  options: StudiesOptions & { json?: boolean },
): Promise<void> {
  const [a, b] = [openStudy(io, options, first), openStudy(io, options, second)];
  const { arms, notes } = compareStudies(a, b, await loadPack(b.manifest.pack));
  if (options.json) return io.out(`${JSON.stringify({ arms, notes })}\n`);
  const rows = arms.map((one) => [
    one.first === one.second ? one.first : `${one.second} to ${one.first}`,
    countText(one.comparison.cases),
    formatPoints(one.comparison.difference.estimate),
    formatRange(one.comparison.difference),
    formatP(one.comparison.difference.holm),
    `${one.comparison.mcnemar.onlySecond} / ${one.comparison.mcnemar.onlyFirst}`,
    formatP(one.comparison.mcnemar.exactP),
    judgeComparison(one.comparison),
  ]);
  const numeric = (name: string) => ({ name, numeric: true });
  const table: Section = {
    kind: "table",
    title: `Second minus first, points of ${b.manifest.primary}, paired by case`,
    columns: [
      "arm",
      numeric("cases"),
      numeric("difference"),
      numeric("95 % interval"),
      numeric("p (Holm)"),
      numeric("lost / gained"),
      numeric("McNemar p"),
      "second is",
    ],
    rows,
  };
  io.painted(renderTerminal([table], io));
  if (arms.length === 0) io.out("The two studies have no arm and case in common.\n");
  for (const note of notes) io.err(`Note: ${note}.\n`);
}
