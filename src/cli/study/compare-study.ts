import { loadPack } from "../../packs/registry.ts";
import { compareStudies } from "../../studies/compare/compare-studies.ts";
import { countText, pointsText, pText, rangeText } from "../../text/number-text.ts";
import { judgeComparison } from "../../studies/summary/reach-verdict.ts";
import type { Io } from "../terminal/io.ts";
import { openStudy, type StudiesOptions } from "./stored-studies.ts";
import { textTable } from "../../text/text-table.ts";

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
    pointsText(one.comparison.difference.estimate),
    rangeText(one.comparison.difference),
    pText(one.comparison.difference.holm),
    `${one.comparison.mcnemar.onlySecond} / ${one.comparison.mcnemar.onlyFirst}`,
    pText(one.comparison.mcnemar.exactP),
    judgeComparison(one.comparison),
  ]);
  const head = ["arm", "cases", "difference", "95 % interval", "p (Holm)", "lost / gained", "McNemar p", "second is"];
  io.out(
    `Second minus first, points of ${b.manifest.primary}, paired by case:\n${textTable([head, ...rows]).join("\n")}\n`,
  );
  if (arms.length === 0) io.out("The two studies have no arm and case in common.\n");
  for (const note of notes) io.err(`Note: ${note}.\n`);
}
